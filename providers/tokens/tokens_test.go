package tokens

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pleat/session"
)

func TestForChoosesTheEncoding(t *testing.T) {
	tests := []struct {
		want   string
		models []string
	}{
		{"o200k_base", []string{"gpt-5", "gpt-5-mini", "gpt-5.1", "GPT-4o", "gpt-4o-2024-05-13", "gpt-4.1-nano", "gpt-4.5-preview", "o1", "o1-mini", "o3", "o4-mini",
			"chatgpt-4o-latest", "gpt-oss:20b", "openai/gpt-4o", "openrouter/openai/gpt-5-mini", "ft:gpt-4o-mini:me::x", "hf.co/unsloth/gpt-oss-20b-GGUF:Q4_K_M"}},
		{"cl100k_base", []string{"gpt-4", "gpt-4-turbo", "gpt-4-0613", "gpt-3.5-turbo", "gpt-35-turbo", "openai/gpt-4", "azure/gpt-4-32k"}},
		{"estimate", []string{"", "g", "gpt", "gpt-", "o", "o2", "o11", "gpt-4all", "gpt4all", "qwen3:8b", "llama3.2", "smollm2", "olmo", "someone/gpt-4-x-alpaca", "/", "openai/", "ft:", "ö1"}},
	}
	for _, tt := range tests {
		for _, model := range tt.models {
			if c := For(model); c.Name() != tt.want || c.Exact() != (tt.want != "estimate") {
				t.Errorf("For(%q) = %s, exact %v; want %s", model, c.Name(), c.Exact(), tt.want)
			}
		}
	}
}

func FuzzFor(f *testing.F) {
	for _, s := range []string{"", "o", "gpt-4", "openai/gpt-4o", "a/b/c", "ft:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, model string) {
		if c := For(model); c.Exact() != (c.Name() != "estimate") {
			t.Errorf("For(%q) = %s, exact %v", model, c.Name(), c.Exact())
		}
	})
}

func TestNamed(t *testing.T) {
	tests := []struct {
		name, model, want string
		exact             bool
	}{
		{"auto", "gpt-4", "cl100k_base", true},
		{"auto", "qwen3", "estimate", false},
		{"cl100k_base", "gpt-4", "cl100k_base", true},
		{"cl100k_base", "", "cl100k_base", true},
		{"cl100k_base", "qwen3", "cl100k_base", false},
		{"cl100k_base", "gpt-4o", "cl100k_base", false},
		{"o200k_base", "gpt-4o", "o200k_base", true},
		{"chars/4", "gpt-4o", "chars/4", false},
		{"chars", "gpt-4o", "chars", true},
	}
	for _, tt := range tests {
		c, err := Named(tt.name, tt.model)
		if err != nil || c.Name() != tt.want || c.Exact() != tt.exact {
			t.Errorf("Named(%q, %q) = %+v, %v; want %s, exact %v", tt.name, tt.model, c, err, tt.want, tt.exact)
		}
	}
	_, err := Named("gpt2", "")
	want := `tokens: unknown tokenizer "gpt2": choose one of auto, o200k_base, cl100k_base, chars/4, chars`
	if err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

func TestMessage(t *testing.T) {
	plain := session.Message{Role: session.User, Text: "hello wörld"}
	call := session.Message{Role: session.Assistant, Text: "hello wörld", Reasoning: strings.Repeat("long thoughts ", 1000),
		ToolCalls: []session.ToolCall{{ID: "call_1", Name: "read_file", Arguments: `{"path": "go.mod"}`}}}
	for _, name := range Names() {
		c, err := Named(name, "gpt-4o")
		if err != nil {
			t.Fatal(err)
		}
		message, aCall, reply := perMessage, perCall+c.Text("read_file")+c.Text(`{"path": "go.mod"}`), perReply
		if name == "chars" {
			message, aCall, reply = 0, 0, 0
			if n := c.Text("hello wörld"); n != 11 {
				t.Errorf("chars counts %d, want 11", n)
			}
		}
		if got, want := c.Message(plain), c.Text("hello wörld")+message; got != want {
			t.Errorf("%s: plain message = %d, want %d", name, got, want)
		}
		if got, want := c.Message(call), c.Message(plain)+aCall; got != want {
			t.Errorf("%s: message with call = %d, want %d", name, got, want)
		}
		if got := c.Messages(nil); got != 0 {
			t.Errorf("%s: no messages = %d, want 0", name, got)
		}
		if got, want := c.Messages([]session.Message{plain, call}), c.Message(plain)+c.Message(call)+reply; got != want {
			t.Errorf("%s: messages = %d, want %d", name, got, want)
		}
	}
}

// Each message takes 3 tokens, its role 1 and its text 6 or 2; the reply takes 3.
func TestMessagesCountsMarks(t *testing.T) {
	c := For("gpt-4o")
	list := []session.Message{{Role: session.System, Text: "You are a helpful assistant."}, {Role: session.User, Text: "hello world"}}
	if got, want := c.Messages(list), 3+(4+6)+(4+2); got != want {
		t.Errorf("Messages = %d, want %d", got, want)
	}
}

func TestTextOutlivesAPanic(t *testing.T) {
	c := &Counter{text: func(string) int { panic("disallowed special token") }}
	if got := c.Text("123456789"); got != 3 {
		t.Errorf("Text = %d, want 3", got)
	}
	if got := c.Message(session.Message{Text: "123456789"}); got != 3+perMessage {
		t.Errorf("Message = %d, want %d", got, 3+perMessage)
	}
}

func TestSpecialTokensAreText(t *testing.T) {
	for _, e := range []*encoding{o200k, cl100k} {
		if n := e.count("<|endoftext|><|im_start|><|endofprompt|>"); n < 12 {
			t.Errorf("%s: %d tokens, want them spelt out", e.name, n)
		}
	}
}

func TestManyGoroutinesLoadOneTable(t *testing.T) {
	e := newEncoding("o200k_base", splitO200K)
	before := heap()
	var done sync.WaitGroup
	counts := make([]int, 50)
	for i := range counts {
		done.Go(func() { counts[i] = counterOf(e).Text("hello world") })
	}
	done.Wait()
	if grown := heap() - before; grown > 8<<20 {
		t.Errorf("heap grew by %d bytes, want at most 8 MB", grown)
	}
	for i, n := range counts {
		if n != 2 {
			t.Errorf("goroutine %d counted %d, want 2", i, n)
		}
	}
	runtime.KeepAlive(e)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func FuzzText(f *testing.F) {
	f.Add("hello wor", "ld, this is it")
	f.Add("Fooo", "Bar\n\n\n")
	f.Add("-----", "-----")
	f.Add("数据", "库\xff")
	counters := []*Counter{counterOf(o200k), counterOf(cl100k), For("llama3.2")}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, c := range counters {
			na, nb, both := c.Text(a), c.Text(b), c.Text(a+b)
			if na > 3*len(a) || (na == 0) != (a == "") {
				t.Errorf("%s: Text(%q) = %d", c.Name(), a, na)
			}
			if utf8.ValidString(a+b) && both > na+nb+3+(na+nb)/2 {
				t.Errorf("%s: Text(%q+%q) = %d, want about %d + %d at most", c.Name(), a, b, both, na, nb)
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := loadTable(name + ".tiktoken"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleCounter_Text() {
	for _, model := range []string{"gpt-4o", "qwen3:8b"} {
		c := For(model)
		mark := "≈"
		if c.Exact() {
			mark = ""
		}
		fmt.Printf("%s: %s%d tokens\n", c.Name(), mark, c.Text("We keep what was said and send what fits."))
	}
	// Output:
	// o200k_base: 10 tokens
	// estimate: ≈10 tokens
}
