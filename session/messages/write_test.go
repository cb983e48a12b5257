package messages

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pleat/session"
)

// spans names messages of a list by their numbers.
func (l *List) spans(from, to int) []session.Span {
	var s session.Span
	for it := range l.Chain().Context().All() {
		if l.Number(it) == from {
			s.From = it.ID
		}
		if l.Number(it) == to {
			s.To = it.ID
		}
	}
	return []session.Span{s}
}

func TestUntouchedListsComeOutAsTheyWere(t *testing.T) {
	lists := []string{
		story,
		"\ufeff" + story,
		`[{"role":"user","content":"hi"}]`,
		" [ {\"role\":\"user\",\"content\":\"hi\"}\r\n,\t{\"role\":\"assistant\",\"content\":\"\\u0068\"} ]\n\n",
		`{"messages":[{"role":"user","content":"hi"}],"messages2":[]}`,
	}
	for _, list := range lists {
		l := parse(t, list)
		if got := written(t, l, l.Chain().Context()); got != list {
			t.Errorf("got\n%s\nwant\n%s", got, list)
		}
		if string(l.Bytes()) != list {
			t.Errorf("kept %q, want %q", l.Bytes(), list)
		}
	}
}

func TestWhatIsRemovedGoesWithItsComma(t *testing.T) {
	const list = `[
  {"role":"system","content":"s"},
  {"role":"user","content":"1"} ,
  {"role":"assistant","content":"2"},

  {"role":"user","content":"3"}
]
`
	tests := []struct {
		name     string
		from, to int
		summary  string
		want     string
	}{
		{"in the middle", 2, 3, "", "[\n  {\"role\":\"system\",\"content\":\"s\"},\n\n  {\"role\":\"user\",\"content\":\"3\"}\n]\n"},
		{"at the beginning", 1, 2, "", "[\n  {\"role\":\"assistant\",\"content\":\"2\"},\n\n  {\"role\":\"user\",\"content\":\"3\"}\n]\n"},
		{"at the end", 3, 4, "", "[\n  {\"role\":\"system\",\"content\":\"s\"},\n  {\"role\":\"user\",\"content\":\"1\"}\n]\n"},
		{"everything", 1, 4, "", "[\n]\n"},
		{"summed up", 2, 3, "a \"b\" <c>\n", "[\n  {\"role\":\"system\",\"content\":\"s\"},\n  {\"role\":\"user\",\"content\":\"[CONTEXT SUMMARY]\\na \\\"b\\\" <c>\\n\"},\n\n  {\"role\":\"user\",\"content\":\"3\"}\n]\n"},
		{"all summed up", 1, 4, "x", "[\n  {\"role\":\"user\",\"content\":\"[CONTEXT SUMMARY]\\nx\"}\n]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := parse(t, list)
			c := l.Chain().Append(session.Compaction{Covers: l.spans(tt.from, tt.to), Summary: tt.summary})
			if got := written(t, l, c.Context()); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestSummaryOfTheOnlyOthersIsSetOffByAComma(t *testing.T) {
	l := parse(t, `[{"role":"system","content":"s"}]`)
	c := l.Chain().Append(session.Message{Role: session.User, Text: "new"})
	const want = `[{"role":"system","content":"s"},{"role":"user","content":"new"}]`
	if got := written(t, l, c.Context()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMaskingChangesOnlyTheText(t *testing.T) {
	l := parse(t, story)
	var masks []session.ID
	for it := range l.Chain().Context().All() {
		if it.Message.Role == session.Tool {
			masks = append(masks, it.ID)
		}
	}
	got := written(t, l, l.Chain().Append(session.Compaction{Masks: masks}).Context())
	want := strings.NewReplacer(
		`"content": "`+long+`", "extra"`, `"content": "[Tool output summarized: 99 chars from shell]", "extra"`,
		`[{"type":"text","text":"`+long+`"},{"type":"image_url","image_url":{"url":"u"}},{"type":"text","text":"é\u00e9"}]`,
		`[{"type":"text","text":"[Tool output summarized: 101 chars from read_file]"},{"type":"image_url","image_url":{"url":"u"}}]`,
	).Replace(story)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !json.Valid([]byte(got)) {
		t.Error("it is no JSON")
	}
}

type full struct{ room int }

var errFull = errors.New("the disk is full")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteReportsAFullDisk(t *testing.T) {
	l := parse(t, story)
	if err := l.Write(&full{room: 10}, l.Chain().Context()); !errors.Is(err, errFull) {
		t.Errorf("Write = %v, want %v", err, errFull)
	}
}

// Whatever comes in is refused, or comes out again as it was; and what stays
// after a compaction is a list again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(story), 2, 5)
	f.Add([]byte(`[{"role":"user","content":"[CONTEXT SUMMARY]\nx"},{"role":"assistant"}]`), 1, 1)
	f.Add([]byte(`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}}],"content":""},{"role":"tool","tool_call_id":"1","content":[]}]`), 1, 2)
	f.Add([]byte(`{"messages":[{"role":"user","content":null}]}`), 1, 1)
	f.Fuzz(func(t *testing.T, data []byte, from, to int) {
		l, err := Parse(data)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); !ok || e.Offset > len(data) || e.Line < 1 || e.Column < 1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if !json.Valid(data[len(data)-len(strings.TrimPrefix(string(data), "\ufeff")):]) {
			t.Fatal("accepted what is no JSON")
		}
		if got := written(t, l, l.Chain().Context()); got != string(data) {
			t.Fatalf("%q came out as %q", data, got)
		}
		if err := session.Validate(l.Chain().Context().Project()); err != nil {
			t.Fatal(err)
		}
		if from < 1 || to < from || to > l.Len() {
			return
		}
		c := l.Chain().Append(session.Compaction{Covers: l.spans(from, to), Summary: "short"})
		got := written(t, l, c.Context())
		if !json.Valid([]byte(strings.TrimPrefix(got, "\ufeff"))) {
			t.Fatalf("%d to %d of %q covered is no JSON: %q", from, to, data, got)
		}
	})
}
