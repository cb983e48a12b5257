package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

// sizesShown are the sizes at which screens are kept.
var sizesShown = []struct{ width, height int }{{110, 34}, {60, 18}, {40, 10}}

// story is a conversation with a row of every kind.
func story() *session.Chain {
	at := time.Date(2026, 3, 10, 8, 0, 0, 0, time.UTC)
	c := (*session.Chain)(nil).Append(session.Message{Role: session.System, Text: "You are a careful engineer.", At: at})
	c = c.Follow(session.Title{Text: "auth-migration"})
	c = c.Append(session.Message{Role: session.User, Text: "Migrate auth to OIDC without downtime.", At: at})
	c = c.Follow(session.Message{Role: session.Assistant, Model: "qwen3:8b", Reasoning: "Who reads the cookie?\nLook first.", ToolCalls: []session.ToolCall{
		{ID: "a", Name: "read_file", Arguments: `{"path":"auth/session.go"}`}, {ID: "b", Name: "http_get", Arguments: `{"url":"http://192.0.2.20/metrics"}`},
	}})
	c = c.Follow(session.Message{Role: session.Tool, ToolCallID: "a", ToolName: "read_file", Text: "package auth\n\n" + strings.Repeat("func f() { return }\n", 60)})
	c = c.Follow(session.Message{Role: session.Tool, ToolCallID: "b", ToolName: "http_get", Failed: true, Text: "connection refused"})
	c = c.Follow(session.Message{Role: session.Assistant, Model: "qwen3:8b", Text: "One place reads it: `auth/session.go`.\n\n- verify **both** cookies\n- then switch"})
	c = c.Append(session.Message{Role: session.User, Text: "My name is 王小明, please remember."})
	pin := c.ID()
	c = c.Follow(session.Message{Role: session.Assistant, Model: "qwen3:8b", Text: "Noted, 王小明."})
	c = c.Append(session.Mark{Flag: session.Pinned, Targets: []session.ID{pin}})
	c = c.Append(session.Message{Role: session.User, Text: "Never mind this one."})
	out := c.ID()
	c = c.Append(session.Mark{Flag: session.Excluded, Targets: []session.ID{out}})
	c = c.Append(session.Message{Role: session.User, Text: "And the rollback?"})
	return c.Follow(session.Message{Role: session.Assistant, Model: "qwen3:8b", Text: "Set the flag back, the old cookie", Cut: "the stream broke off"})
}

// silent is a provider that begins a reply, and then says nothing more until it
// is stopped.
func silent(beginning string) *scripted {
	return &scripted{window: 8192, reply: func(ctx context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		if beginning == "" || yield(providers.Chunk{Text: beginning}, nil) {
			<-ctx.Done()
			yield(providers.Chunk{}, ctx.Err())
		}
	}}
}

func failing() *scripted {
	return &scripted{window: 8192, reply: func(_ context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		yield(providers.Chunk{}, &providers.Error{Tried: "chat with qwen3:8b", Reason: "connection refused", Hint: `is "ollama serve" running?`, Err: errors.New("refused")})
	}}
}

// greeted is a chat whose backend says something about itself.
func greeted(o Options) Options {
	connect := o.Connect
	o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
		b, err := connect(ctx, model)
		b.Notice = `offline: no model, only quotes · to connect one: "ollama serve" and "ollama pull qwen3:8b", or set OPENAI_BASE_URL or OPENAI_API_KEY`
		return b, err
	}
	return o
}

func withStrategy(o Options, name string) Options {
	o.Settings.Strategy = name
	return o
}

const summaryText = "## Goal\nMigrate auth to OIDC without downtime.\n## Decisions\nVerify both cookies, then switch. The user is 王小明."

// long is a conversation that summaries are worth making of.
func long() *session.Chain {
	c := story()
	for i := range 30 {
		c = c.Append(session.Message{Role: session.User, Text: fmt.Sprintf("Question %d: %s", i, strings.Repeat("what about the cookie store? ", 6))})
		c = c.Follow(session.Message{Role: session.Assistant, Model: "qwen3:8b", Text: fmt.Sprintf("Answer %d: %s", i, strings.Repeat("it is read in one place. ", 12))})
	}
	return c
}

func TestScreens(t *testing.T) {
	tests := []struct {
		name string
		o    func() Options
		do   func(d *driver)
	}{
		{"empty", func() Options { return options(says("ok"), nil) }, func(d *driver) {}},
		{"connecting", func() Options {
			o := options(says("ok"), nil)
			o.Connect = func(ctx context.Context, _ string) (turn.Backend, error) {
				<-ctx.Done()
				return turn.Backend{}, ctx.Err()
			}
			return o
		}, func(d *driver) { d.ask("Is anybody there?") }},
		{"unconnected", func() Options {
			o := options(says("ok"), nil)
			o.Connect = func(context.Context, string) (turn.Backend, error) {
				return turn.Backend{}, errors.New(`cannot reach Ollama at http://localhost:11434 · is "ollama serve" running?`)
			}
			return o
		}, func(d *driver) { d.ask("Is anybody there?") }},
		{"offline", func() Options { return greeted(options(says("ok"), nil)) }, func(d *driver) {}},
		{"offline-conversation", func() Options { return greeted(options(says("ok"), story())) }, func(d *driver) {}},
		{"offline-model", func() Options {
			p := says("ok")
			p.models = []providers.Model{{Name: "quotes"}}
			return greeted(options(p, story()))
		}, func(d *driver) { d.press("ctrl+x", "o"); d.settle() }},
		{"row-menu", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.settle(); d.rightClick("And the rollback?") }},
		{"models", func() Options { return offering(someModels()) }, func(d *driver) { d.press("ctrl+x", "o"); d.settle() }},
		{"models-at-first", func() Options { return offering(someModels()) }, func(d *driver) { d.press("ctrl+x", "o") }},
		{"conversation", func() Options { return options(says("ok"), story()) }, func(d *driver) {}},
		{"asking", func() Options { return equipped(caller(asksSummary), long(), turn.Ask) }, func(d *driver) { d.ask("Are we done with the cookies?") }},
		{"asking-preview", func() Options { return equipped(caller(asksSummary), long(), turn.Ask) }, func(d *driver) {
			d.ask("Are we done with the cookies?")
			d.press("f2")
			d.settle()
		}},
		{"transcript", func() Options { return options(says("ok"), story()) }, func(d *driver) {
			d.press("tab", "g", "j", "j", "space")
			d.settle()
		}},
		{"streaming", func() Options { return options(silent("Rotate them on every use, "), story()) }, func(d *driver) {
			d.write("What about refresh tokens?")
			d.press("enter")
			d.pass(time.Second)
		}},
		{"queue", func() Options { return options(silent(""), story()) }, func(d *driver) {
			for _, text := range []string{"What about refresh tokens?", "And logout?", "And the admin app?"} {
				d.write(text)
				d.press("enter")
			}
			d.pass(12500 * time.Millisecond)
		}},
		{"preview", func() Options { return options(says("ok"), long()) }, func(d *driver) { d.press("f2"); d.settle() }},
		{"preview-writing", func() Options { return withStrategy(options(silent("## Goal\nMigrate auth "), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.pass(7500 * time.Millisecond)
		}},
		{"preview-done", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
		}},
		{"preview-refused", func() Options { return withStrategy(options(failing(), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
		}},
		{"preview-edit", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("e")
			d.write("Mine. ")
		}},
		{"preview-difference", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("e")
			d.write("Mine. ")
			d.press("esc")
			d.settle()
			d.press("d")
			d.settle()
		}},
		{"preview-values", func() Options {
			o := withStrategy(options(says(summaryText+" It takes 1 day."), long()), "summarize")
			o.Settings.Params = compaction.Params{"ledger-tokens": "0"}
			return o
		}, func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("v", "j", "space", "o")
			d.settle()
		}},
		{"preview-focus", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("f")
			d.write("the cookies")
		}},
		{"nothing-to-do", func() Options { return withStrategy(options(says("ok"), story()), "none") }, func(d *driver) {
			d.press("f2")
			d.settle()
		}},
		{"folded", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("enter")
			d.settle()
			d.press("tab", "g")
		}},
		{"find", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.compacts()
			d.press("tab", "/")
			d.write("question 12")
			d.settle()
		}},
		{"find-nothing", func() Options { return options(says("ok"), story()) }, func(d *driver) {
			d.press("tab", "/")
			d.write("pin 3")
			d.settle()
		}},
		{"found", func() Options { return options(says("ok"), story()) }, func(d *driver) {
			d.press("tab", "/")
			d.write("cookie")
			d.press("enter", "N")
			d.settle()
			d.press("N")
		}},
		{"unfolded", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("enter")
			d.settle()
			d.press("tab", "[", "space")
		}},
		{"compare", func() Options { return options(says("ok"), long()) }, func(d *driver) {
			d.press("f6")
			d.settle()
		}},
		{"compare-none", func() Options { return options(says("ok"), nil) }, func(d *driver) {
			d.press("f6", "k", "k", "k")
			d.settle()
		}},
		{"compare-parameters", func() Options { return withStrategy(options(says("ok"), long()), "summarize") }, func(d *driver) {
			d.press("f6", "right", "right", "right")
			d.settle()
		}},
		{"compare-typing", func() Options { return withStrategy(options(says("ok"), long()), "window") }, func(d *driver) {
			d.press("f6", "right")
			d.write("many")
			d.press("enter")
			d.settle()
		}},
		{"timeline", func() Options { return withStrategy(options(says(summaryText), long()), "summarize") }, func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("enter")
			d.settle()
			d.press("ctrl+x", "h", "[")
			d.settle()
		}},
		{"timeline-undone", func() Options { return options(says("ok"), story()) }, func(d *driver) {
			d.press("ctrl+x", "u")
			d.settle()
			d.press("ctrl+x", "u")
			d.settle()
			d.press("ctrl+x", "h", "right")
			d.settle()
		}},
		{"completion", func() Options { return options(says("ok"), story()) }, func(d *driver) {
			d.write("/re")
			d.settle()
			d.press("down")
		}},
		{"help-timeline", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("ctrl+x", "h", "?") }},
		{"help", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("f1") }},
		{"leader", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("ctrl+x") }},
		{"pick-command", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("ctrl+p") }},
		{"pick-strategy", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("ctrl+x", "S") }},
		{"pick-model", func() Options {
			p := says("ok")
			p.models = []providers.Model{{Name: "qwen3:8b", Family: "qwen3", Size: 5_200_000_000}, {Name: "smollm2", Family: "llama", Size: 270_000_000}}
			return options(p, story())
		}, func(d *driver) { d.press("ctrl+x", "o"); d.settle() }},
		{"pick-theme", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("ctrl+x", "t") }},
		{"pick-prompt", func() Options { return options(says("ok"), nil) }, func(d *driver) {
			d.ask("one")
			d.ask("two\nlines")
			d.press("ctrl+r")
		}},
		{"pick-rewind", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("esc", "esc") }},
		{"pick-session", func() Options {
			o := options(says("ok"), story())
			o.Sessions = func(context.Context) ([]session.Info, error) {
				return []session.Info{
					{ID: "260310-090000-ab12", Title: "auth-migration", Messages: 10, Updated: o.Now()},
					{ID: "260309-170000-cd34", Title: "a very long title of a session about the migration of all cookies of the shop", Messages: 1204, Updated: o.Now().Add(-16 * time.Hour)},
				}, nil
			}
			return o
		}, func(d *driver) { d.press("ctrl+x", "l"); d.settle() }},
		{"browser-hits", func() Options { o, _ := stocked(options(says("ok"), story())); return o }, func(d *driver) {
			d.ask("/search cook")
			d.press("down")
		}},
		{"browser-rename", func() Options { o, _ := stocked(options(says("ok"), story())); return o }, func(d *driver) {
			d.press("ctrl+x", "l")
			d.settle()
			d.press("ctrl+r", "end")
			d.write(", at last")
		}},
		{"error", func() Options { return options(failing(), story()) }, func(d *driver) { d.ask("Are you there?") }},
		{"over-full", func() Options {
			o := options(says("ok"), long())
			connect := o.Connect
			o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
				b, err := connect(ctx, model)
				b.Window.Requested = 4096
				return b, err
			}
			return o
		}, func(d *driver) { d.ask("One more question, and then another one.") }},
		{"context", func() Options { return options(says("ok"), story()) }, func(d *driver) { d.press("f4"); d.settle() }},
		{"context-message", func() Options { return withStrategy(options(says("ok"), long()), "mask") }, func(d *driver) {
			d.press("f4")
			d.settle()
			d.press("tab", "x")
			d.settle()
		}},
		{"context-only", func() Options { return options(says("ok"), story()) }, func(d *driver) {
			d.press("f4", "j", "j", "enter")
			d.settle()
		}},
		{"draft-overflows", func() Options {
			p := says("ok")
			p.window = 2048
			return options(p, story())
		}, func(d *driver) {
			d.send(tea.PasteMsg{Content: strings.Repeat("a long draft ", 300)})
		}},
		{"window-unknown", func() Options {
			p := says("ok")
			p.window = 0
			return options(p, story())
		}, func(d *driver) {}},
	}
	for _, tt := range tests {
		for _, size := range sizesShown {
			t.Run(fmt.Sprintf("%s/%dx%d", tt.name, size.width, size.height), func(t *testing.T) {
				drive(t, tt.o(), size.width, size.height, func(d *driver) {
					d.settle()
					tt.do(d)
					golden.RequireEqual(t, d.screen()+"\n")
				})
			})
		}
	}
}
