package session

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var oneOfEach = []Event{
	Message{Role: User, Text: "hello", At: time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC)},
	Message{
		Role: Assistant, Text: "a <b> & c\u2028\x00", Reasoning: "hm", Cut: "stopped", Model: "qwen3",
		ToolCalls: []ToolCall{{ID: "1", Name: "read", Arguments: `{"path":"a"}`}}, Usage: &Usage{Prompt: 3, Completion: 4}, Took: time.Second,
	},
	Message{Role: Tool, Text: "out", ToolCallID: "1", ToolName: "read", Failed: true, Injected: true},
	Mark{Flag: Pinned, Off: true, Targets: []ID{{1}, {2}}},
	Mark{Flag: "from the future"},
	Compaction{
		Strategy: "anchored", Covers: []Span{{From: ID{1}, To: ID{2}}}, Masks: []ID{{3}}, Summary: "short", Ledger: "8080",
		Before: 10, After: 5, Auto: true, Model: "qwen3", Took: time.Minute, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)),
	},
	Compaction{},
	Revert{Target: ID{9}},
	Title{Text: "auth"},
	Unknown{Kind: "poll", Data: []byte(`{"z":1,  "a":"<&>"}`)},
	Unknown{Kind: "binary", Data: []byte("\xff\x00 not JSON")},
}

func TestDecodeReversesEncode(t *testing.T) {
	for _, e := range oneOfEach {
		got, err := decode(e.kind(), encode(e))
		if err != nil {
			t.Errorf("%#v: %v", e, err)
		}
		if diff := cmp.Diff(e, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.kind(), diff)
		}
	}
}

func TestEncodeLeavesHTMLAlone(t *testing.T) {
	if got := encode(Title{Text: "a <b> & c"}); string(got) != `{"text":"a <b> & c"}` {
		t.Errorf("got %s", got)
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	for _, kind := range []string{"message", "mark", "compaction", "revert", "title"} {
		for _, data := range []string{"", "{", `{} x`, `"text"`} {
			_, err := decode(kind, []byte(data))
			if err == nil || !strings.Contains(err.Error(), kind) {
				t.Errorf("decode %s %q: error %v, want one that names the kind", kind, data, err)
			}
		}
	}
}

// A change of this id is a change of the format: sessions that are stored would
// no longer match their names.
func TestIDsStayTheSame(t *testing.T) {
	var c *Chain
	for i, e := range oneOfEach {
		c = c.extend(e, i%2 == 0)
	}
	const want = "7e4c5b2ae62073f215459ef484d3ac77329e7985c6e0a87a2f4669ceb1579006"
	if got := c.ID().String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzDecode(f *testing.F) {
	for _, e := range oneOfEach {
		f.Add(e.kind(), encode(e))
	}
	f.Add("revert", []byte(`{"target":"`+strings.Repeat("00", 40)+`"}`))
	f.Add("message", []byte(`{"text":"`+"\xff\xfe"+`"}`))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		e, err := decode(kind, data)
		if err != nil {
			return
		}
		if u, ok := e.(Unknown); ok && (u.Kind != kind || !bytes.Equal(u.Data, data)) {
			t.Errorf("%q %q became %#v", kind, data, u)
		}
		once := encode(e)
		again, err := decode(kind, once)
		if err != nil {
			t.Fatalf("%s does not decode again: %v", once, err)
		}
		if twice := encode(again); !bytes.Equal(once, twice) {
			t.Errorf("%s became %s", once, twice)
		}
	})
}
