// Package tokens counts the tokens of text and messages.
//
// A [Counter] counts as a model does. The models of OpenAI have public
// encodings, whose tables are built into the program, so that their counts are
// exact and never need a network. For other models the count is an estimate
// from the structure of the words; a [Calibration] corrects it by what the
// model's server counted. A [Cache] remembers what the items of a conversation
// take.
//
//	c := tokens.For("gpt-4o")
//	fmt.Println(c.Name(), c.Exact(), c.Text("hello world")) // o200k_base true 2
package tokens

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pleat/session"
)

// What a request takes besides its text, in tokens.
const (
	perMessage = 4  // 3 for the marks around a message, 1 for its role; OpenAI cookbook, "How to count tokens with Tiktoken"
	perReply   = 3  // the marks after which the model replies; same source
	perCall    = 11 // the marks around a tool call: 10 in OpenAI's harmony format, 13 in the chat template of Qwen3
)

// Counter counts tokens by one method. Its methods never fail: where counting
// is impossible they return a quarter of the number of bytes. They are safe for
// concurrent use.
type Counter struct {
	name   string
	exact  bool
	bare   bool // only text counts
	text   func(string) int
	warmUp func() // nil if there is nothing to load
}

// Names lists the counters that [Named] knows.
func Names() []string {
	return []string{"auto", o200k.name, cl100k.name, "chars/4", "chars"}
}

// For returns the counter for a model: the encoding that OpenAI publishes for
// it, or an estimate for any other model.
func For(model string) *Counter {
	if e := encodingOf(model); e != nil {
		return counterOf(e)
	}
	return &Counter{name: "estimate", text: estimate}
}

// Named returns the counter that a user chose by name, for use with a model:
// "auto" for the one that fits the model; "o200k_base" or "cl100k_base" for an
// encoding, which is an estimate if it is not the model's; "chars/4"; and
// "chars", one for each code point of text and nothing else. The model may be
// "" where there is none.
func Named(name, model string) (*Counter, error) {
	switch name {
	case "auto":
		return For(model), nil
	case o200k.name, cl100k.name:
		e := o200k
		if name == cl100k.name {
			e = cl100k
		}
		c := counterOf(e)
		c.exact = model == "" || encodingOf(model) == e
		return c, nil
	case "chars/4":
		return &Counter{name: name, text: func(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }}, nil
	case "chars":
		return &Counter{name: name, text: utf8.RuneCountInString, exact: true, bare: true}, nil
	}
	return nil, fmt.Errorf("tokens: unknown tokenizer %q: choose one of %s", name, strings.Join(Names(), ", "))
}

func counterOf(e *encoding) *Counter {
	return &Counter{name: e.name, exact: true, text: e.count, warmUp: func() { e.table() }}
}

// Name returns "o200k_base", "cl100k_base", "estimate", "chars/4" or "chars".
func (c *Counter) Name() string { return c.name }

// Exact reports whether the model itself would count the same for a text.
// Numbers that are not exact are shown with "≈".
func (c *Counter) Exact() bool { return c.exact }

// Warm loads the table of the encoding, if there is one. That takes some 30 ms
// and happens once for all counters; the first count waits for it otherwise.
func (c *Counter) Warm() {
	if c.warmUp != nil {
		c.warmUp()
	}
}

// Text returns the number of tokens in s. What looks like a special token, such
// as "<|endoftext|>", is counted as the text that it is.
func (c *Counter) Text(s string) (n int) {
	defer func() {
		if recover() != nil {
			n = (len(s) + 3) / 4
		}
	}()
	return c.text(s)
}

// Message returns the number of tokens that m takes in a request: its text, its
// tool calls, and the marks around them. Reasoning takes none, since it is
// never sent again.
func (c *Counter) Message(m session.Message) int {
	n := c.Text(m.Text)
	if c.bare {
		return n
	}
	for _, call := range m.ToolCalls {
		n += perCall + c.Text(call.Name) + c.Text(call.Arguments)
	}
	return n + perMessage
}

// Messages returns the number of tokens of a request with these messages; 0 if
// there are none.
func (c *Counter) Messages(list []session.Message) int {
	if len(list) == 0 {
		return 0
	}
	n := c.Reply()
	for _, m := range list {
		n += c.Message(m)
	}
	return n
}

// Reply returns the number of tokens that the beginning of a reply takes at the
// end of a request: what [Counter.Messages] adds once to the sum of the messages.
func (c *Counter) Reply() int {
	if c.bare {
		return 0
	}
	return perReply
}
