package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// read returns the payloads of a stream, compact, and the error it ends with.
func read(r io.Reader) (got []string, err error) { return readUpTo(r, maxEvent) }

func readUpTo(r io.Reader, limit int) (got []string, err error) {
	for p, err := range payloads(r, limit) {
		if err != nil {
			return got, err
		}
		if p.done {
			got = append(got, "[DONE]")
			continue
		}
		var b bytes.Buffer
		if err := json.Compact(&b, p.json); err != nil {
			return got, err
		}
		got = append(got, b.String())
	}
	return got, nil
}

func TestPayloadsReadsEveryDress(t *testing.T) {
	const bom = "\uFEFF"
	tests := []struct {
		name, in string
		want     []string
	}{
		{"one event", "data: {\"a\":1}\n\n", []string{`{"a":1}`}},
		{"no space after the colon", "data:{\"a\":1}\n\n", []string{`{"a":1}`}},
		{"crlf", "data: {\"a\":1}\r\n\r\ndata: [DONE]\r\n\r\n", []string{`{"a":1}`, "[DONE]"}},
		{"cr only", "data: {\"a\":1}\r\rdata: {\"b\":2}\r\r", []string{`{"a":1}`, `{"b":2}`}},
		{"byte order mark", bom + "data: {\"a\":1}\n\n", []string{`{"a":1}`}},
		{"comments", ": hi\n\n:\n: OPENROUTER PROCESSING\ndata: {\"a\":1}\n: x\n\n: end\n\n", []string{`{"a":1}`}},
		{"other fields", "event: chunk\nid: 7\nretry: 100\ndata: {\"a\":1}\n\n", []string{`{"a":1}`}},
		{"an object over several lines", "data: {\"a\":\ndata: 1}\n\n", []string{`{"a":1}`}},
		{"two objects in an event", "data: {\"a\":1}\ndata: {\"b\":2}\n\n", []string{`{"a":1}`, `{"b":2}`}},
		{"two objects on a line", "data: {\"a\":1}{\"b\":2}\n\n", []string{`{"a":1}`, `{"b":2}`}},
		{"an error without its field", "data: {\"a\":1}\n{\"error\":\"x\"}\n\n", []string{`{"a":1}`, `{"error":"x"}`}},
		{"the field error", "error: {\"code\":500}\n\n", []string{`{"error":{"code":500}}`}},
		{"the field error with text", "error: slot busy\n\n", []string{`{"error":"slot busy"}`}},
		{"no empty lines at all", "data: {\"a\":1}\ndata: {\"b\":2}\ndata: [DONE]\n", []string{`{"a":1}`, `{"b":2}`, "[DONE]"}},
		{"no newline at the end", "data: {\"a\":1}\n\ndata: [DONE]", []string{`{"a":1}`, "[DONE]"}},
		{"spaces around done", "data:  [DONE] \n\n", []string{"[DONE]"}},
		{"empty data", "data:\n\ndata: {\"a\":1}\n\n", []string{`{"a":1}`}},
		{"plain json", " {\"a\":\n1}\n", []string{`{"a":1}`}},
		{"json on lines", "{\"a\":1}\n{\"b\":2}\n", []string{`{"a":1}`, `{"b":2}`}},
		{"nothing", "", nil},
		{"white space", "\r\n \n", nil},
		{"only comments", ": wait\n\n", nil},
	}
	for _, tt := range tests {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(tt.in), "by byte": iotest.OneByteReader(strings.NewReader(tt.in)),
		} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				got, err := read(r)
				if err != nil || !slices.Equal(got, tt.want) {
					t.Errorf("%q: %q, %v; want %q", tt.in, got, err, tt.want)
				}
			})
		}
	}
}

func TestPayloadsReportsWhatIsNone(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string // before the error
		err      string
	}{
		{"web page", "<!DOCTYPE html><title>Welcome to nginx!</title>", nil, "web page, not a reply: Welcome to nginx!"},
		{"text", "upstream gone\n", nil, "text that is not a reply: upstream gone"},
		{"not json", "data: {\"a\":1}\n\ndata: {oops}\n\n", []string{`{"a":1}`}, errNotJSON.Error()},
		{"glued to an unfinished event", "data: {\"a\":\ndata: {\"error\":1}\n\n", []string{`{"error":1}`}, errNotJSON.Error()},
		{"cut inside an event", "data: {\"a\":", nil, io.ErrUnexpectedEOF.Error()},
		{"cut inside plain json", "{\"a\":", nil, io.ErrUnexpectedEOF.Error()},
		{"broken plain json", "{\"a\":x}", nil, errNotJSON.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(strings.NewReader(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.err) || !slices.Equal(got, tt.want) {
				t.Errorf("%q: %q, %v; want %q, %s", tt.in, got, err, tt.want, tt.err)
			}
		})
	}
}

func TestPayloadsReadsLongLines(t *testing.T) {
	for _, size := range []int{70_000, 1_100_000, 10_000_000} {
		want := `{"a":"` + strings.Repeat("x", size) + `"}`
		got, err := read(strings.NewReader("data: " + want + "\n\ndata: [DONE]\n\n"))
		if err != nil || len(got) != 2 || got[0] != want {
			t.Errorf("line of %d bytes: %d payloads, %v; want it and [DONE]", size, len(got), err)
		}
	}
}

// endless yields x for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestPayloadsGivesUpOnEndlessEvents(t *testing.T) {
	for _, start := range []string{"data: ", `{"a":"`} {
		if _, err := readUpTo(io.MultiReader(strings.NewReader(start), endless{}), 1<<20); !errors.Is(err, errTooLong) {
			t.Errorf("after %q: %v, want %v", start, err, errTooLong)
		}
	}
	lines := "data: " + strings.Repeat("x", 1<<10) + "\n"
	if _, err := readUpTo(strings.NewReader(strings.Repeat(lines, 1025)), 1<<20); !errors.Is(err, errTooLong) {
		t.Errorf("1,025 kB in one event: %v, want %v", err, errTooLong)
	}
}

func TestPayloadsDoesNotMindWhereTheNetworkCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"日本語", "🙂", "é", "a b", "\n", "\r", "\"", "data: "})).Draw(t, "words")
		var in bytes.Buffer
		var want []string
		for _, w := range words {
			j, err := json.Marshal(map[string]string{"a": w})
			if err != nil {
				t.Fatal(err)
			}
			in.WriteString("data: " + string(j) + rapid.SampledFrom([]string{"\n\n", "\r\n\r\n", "\n"}).Draw(t, "end"))
			want = append(want, string(j))
		}
		size := rapid.IntRange(1, 3).Draw(t, "size")
		got, err := read(&packets{data: in.Bytes(), size: size})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("packets of %d: %q, %v; want %q", size, got, err, want)
		}
	})
}

// packets is a network with very small packets.
type packets struct {
	data []byte
	size int
}

func (p *packets) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.data[:min(p.size, len(p.data))])
	p.data = p.data[n:]
	return n, nil
}

func FuzzPayloads(f *testing.F) {
	f.Add([]byte("data: {\"a\":\"日本\"}\r\n\r\n: wait\ndata: [DONE]\n\n"))
	f.Add([]byte("\uFEFFdata:{\"a\":\ndata:1}\n\nerror: {}\n{\"error\":1}\n"))
	f.Add([]byte("<html>"))
	f.Add([]byte("{\"a\":1}{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, err1 := read(bytes.NewReader(data))
		small, err2 := read(&packets{data: data, size: 2})
		if !slices.Equal(whole, small) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%q: whole %q, %v; in packets %q, %v", data, whole, err1, small, err2)
		}
	})
}

func BenchmarkPayloads(b *testing.B) {
	stream := strings.Repeat(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"word"},"finish_reason":null}]}`+"\n\n", 1000)
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		for range payloads(strings.NewReader(stream), maxEvent) {
		}
	}
}
