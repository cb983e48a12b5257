package ui

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

// asks is a call with which a model asks for a compaction, in hostile words.
const asks = `{"reason":"the cookies \u001b[31mare done\u202e,\nwe can move on","strategy":"window"}`

// asksSummary is a call with which a model asks for a summary.
const asksSummary = `{"reason":"the cookies are settled, and the next subject needs the room that they take","strategy":"summarize"}`

// caller is a model that answers a message with a call, its result with a text,
// and a request for a summary with one, each after a while.
func caller(arguments string) *scripted {
	return &scripted{window: 8192, tools: true, reply: func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		select {
		case <-ctx.Done():
			yield(providers.Chunk{}, ctx.Err())
			return
		case <-time.After(300 * time.Millisecond):
		}
		switch last := req.Messages[len(req.Messages)-1]; {
		case len(req.Tools) > 0 && last.Role == session.User:
			call := session.ToolCall{ID: "c", Name: "compact_context", Arguments: arguments}
			if yield(providers.Chunk{Text: "Let me see.", ToolCalls: []session.ToolCall{call}}, nil) {
				yield(providers.Chunk{Done: true, Finish: providers.FinishTools}, nil)
			}
		default:
			text := "A summary."
			if last.Role == session.Tool {
				text = "All done."
			}
			if yield(providers.Chunk{Text: text}, nil) {
				yield(providers.Chunk{Done: true, Finish: providers.FinishStop}, nil)
			}
		}
	}}
}

// equipped returns a chat whose model may call tools.
func equipped(p *scripted, history *session.Chain, mode turn.Mode) Options {
	o := options(p, history)
	o.Settings.Tools = mode
	return o
}

// petitioned drives a chat to where the model has asked for a compaction.
func petitioned(t *testing.T, arguments string, f func(d *driver)) {
	t.Helper()
	drive(t, equipped(caller(arguments), long(), turn.Ask), 110, 34, func(d *driver) {
		d.settle()
		d.ask("Are we done?")
		if d.m.asking == nil || d.m.candidate == nil {
			t.Fatalf("nothing is asked:\n%s", d.screen())
		}
		f(d)
	})
}

// lastResult returns the newest result of a tool, "" if there is none.
func lastResult(d *driver) string {
	for it := range d.m.head.Context().Backward() {
		if it.Message != nil && it.Message.Role == session.Tool && it.Message.ToolName == "compact_context" {
			return it.Message.Text
		}
	}
	return ""
}

func TestTheModelAsksAndTheUserApplies(t *testing.T) {
	petitioned(t, asks, func(d *driver) {
		d.sees("tester asks for it: “the cookies", "ready: ", "F2 shows and applies it, esc refuses", "waiting for your decision", "→ compact_context", "Let me see.")
		if strings.Contains(d.m.View().Content, "\x1b[31mare") || strings.Contains(d.screen(), "\u202e") {
			t.Error("the reason reaches the terminal raw")
		}
		d.write("and what I typed")
		d.sees("> and what I typed")
		d.press("f2")
		d.settle()
		d.sees("tester asks for it", "esc refuse")
		d.press("enter")
		d.settle()
		d.sees("All done.", "compacted", "▸ compact_context, 1 line · Done with window", "> and what I typed")
		d.lacks("asks for it", "waiting for")
		if compactions(d) != 0 && d.m.asking != nil || d.m.reply != nil {
			t.Error("the turn has not ended")
		}
		if got := lastResult(d); !strings.HasSuffix(got, "The user applied it.") {
			t.Errorf("the model is told %q", got)
		}
		if d.m.runner.Strategy != "tool-results-first" {
			t.Errorf("the strategy in use is %s", d.m.runner.Strategy)
		}
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("undone: compacted")
		d.press("ctrl+x", "r")
		d.settle()
		d.sees("All done.")
	})
}

func TestTheModelAsksAndTheUserRefuses(t *testing.T) {
	for _, keys := range []string{"esc", "f2 esc", "ctrl+c", "f2 tab esc"} {
		petitioned(t, asks, func(d *driver) {
			before := d.m.head.Len()
			for key := range strings.FieldsSeq(keys) {
				d.press(key)
				if key == "f2" {
					d.settle()
				}
			}
			d.sees("refused: the model is told so")
			d.settle()
			d.sees("All done.", "Nothing was changed: the user refused")
			if d.m.candidate != nil || d.m.reply != nil || d.m.head.Len() != before+2 {
				t.Errorf("%s: %d nodes more, want the result and the reply", keys, d.m.head.Len()-before)
			}
		})
	}
}

func TestTheUserMayApplyAnother(t *testing.T) {
	petitioned(t, asks, func(d *driver) {
		d.press("f2")
		d.settle()
		d.press("shift+f3")
		d.settle()
		d.press("enter")
		d.settle()
		if got := lastResult(d); !strings.HasSuffix(got, "The user applied it with changes.") {
			t.Errorf("the model is told %q:\n%s", got, d.screen())
		}
	})
}

// TestTheModelAsksForASummary is refused while the summary is being written, and
// applied once it is.
// TestResultsOfToolsThatFindNoRoomAreTold holds that a message that was sent is not
// said not to have been, and that the turn goes on once there is room.
func TestResultsOfToolsThatFindNoRoomAreTold(t *testing.T) {
	for _, mode := range []turn.Mode{turn.Off, turn.Ask} {
		o := equipped(caller("{"), long(), turn.Ask)
		o.Settings.Auto, o.Settings.Strategy = mode, "window"
		connect := o.Connect
		o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
			b, err := connect(ctx, model)
			b.Meter.Count = func(it session.Item) int {
				if it.Message != nil && it.Message.Role == session.Tool && it.Message.ToolCallID == "c" {
					return 4000
				}
				return count(it)
			}
			b.Meter.Known = func(it session.Item) (int, bool) { return b.Meter.Count(it), true }
			return b, err
		}
		drive(t, o, 110, 34, func(d *driver) {
			d.settle()
			d.ask("Are we done?")
			d.lacks("not sent")
			if mode == turn.Ask {
				d.sees("a tool's result needs room · enter compacts and sends it, esc leaves it unanswered")
				d.press("enter")
			} else {
				d.sees("the message was sent", "compact (F2)", "ctrl+x R or /retry asks again")
				d.press("f2")
				d.settle()
				d.press("enter")
				d.settle()
				d.press("ctrl+x", "R")
			}
			d.settle()
			d.sees("All done.")
			if n := strings.Count(d.screen(), "Are we done?"); n != 1 {
				t.Errorf("%s: the message is there %d times:\n%s", mode, n, d.screen())
			}
		})
	}
}

func TestTheModelAsksForASummary(t *testing.T) {
	const wish = `{"reason":"r","strategy":"summarize"}`
	petitioned(t, wish, func(d *driver) {
		d.sees("ready: ")
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		if compactions(d) != 1 || !strings.Contains(lastResult(d), "Done with summarize") {
			t.Errorf("the model is told %q", lastResult(d))
		}
	})
	drive(t, equipped(caller(wish), long(), turn.Ask), 110, 34, func(d *driver) {
		d.settle()
		d.write("Are we done?")
		d.press("enter")
		d.pass(500 * time.Millisecond)
		d.sees("writing the summary", "esc refuses")
		d.press("esc")
		d.settle()
		d.sees("All done.")
		if d.m.candidate != nil || !strings.Contains(lastResult(d), "the user refused") {
			t.Errorf("the model is told %q", lastResult(d))
		}
	})
}

func TestTheModelCompactsWithoutAsking(t *testing.T) {
	drive(t, equipped(caller(`{"reason":"r","strategy":"summarize"}`), long(), turn.Auto), 110, 34, func(d *driver) {
		d.settle()
		d.ask("Are we done?")
		d.sees("All done.", "compacted", "▸ compact_context, 1 line · Done with summarize", "automatic")
		if d.m.candidate != nil || compactions(d) != 1 {
			t.Errorf("%d compactions", compactions(d))
		}
		d.press("ctrl+x", "u")
		d.settle()
		if compactions(d) != 0 {
			t.Error("one undo does not take the exchange back")
		}
	})
}

// TestWhatHappensWhileTheModelWaits leaves the question behind in each way there
// is.
func TestWhatHappensWhileTheModelWaits(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(d *driver)
	}{
		{"undo", func(d *driver) {
			d.press("ctrl+x", "u")
			d.settle()
			d.sees("undone")
			d.press("ctrl+x", "r")
			d.settle()
			d.sees("Are we done?", "→ compact_context")
		}},
		{"undo in the preview", func(d *driver) {
			d.press("f2")
			d.settle()
			d.press("ctrl+x", "u")
			d.settle()
		}},
		{"new session", func(d *driver) {
			d.press("ctrl+x", "n")
			d.settle()
			d.lacks("asks for it")
			d.ask("Hello?")
			d.sees("Hello?")
		}},
		{"pin what would go", func(d *driver) {
			d.write("/pin 6")
			d.press("enter")
			d.settle()
		}},
		{"stop twice", func(d *driver) { d.press("esc", "esc"); d.settle() }},
		{"another compaction", func(d *driver) {
			d.write("/compact the cookies")
			d.press("enter")
			d.settle()
			d.press("esc")
			d.settle()
			d.press("esc")
			d.settle()
		}},
		{"retry", func(d *driver) { d.press("ctrl+x", "R"); d.settle(); d.press("esc"); d.settle() }},
		{"resize", func(d *driver) {
			for _, size := range sizesShown {
				d.m.width, d.m.height = size.width, size.height
				d.update(noticeMsg{})
				framed(d.T, d.m)
			}
			d.press("esc")
			d.settle()
		}},
		{"quit", func(d *driver) { d.m.quit(); d.settle() }},
		{"the program ends", func(d *driver) { d.m.cancel(); d.settle() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			petitioned(t, asks, func(d *driver) {
				tt.do(d)
				d.m.unwritten.Wait()
				d.settle()
				if tt.name != "new session" && (d.m.asking != nil || d.m.candidate != nil || d.m.reply != nil) {
					t.Errorf("asking %v, candidate %v, reply %v:\n%s", d.m.asking, d.m.candidate, d.m.reply, d.screen())
				}
				if err := session.Validate(d.m.head.Context().Project()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestTheModelAsksWhileACompactionIsThere has the user apply the one that was
// there.
func TestTheModelAsksWhileACompactionIsThere(t *testing.T) {
	drive(t, equipped(caller(asks), long(), turn.Ask), 110, 34, func(d *driver) {
		d.settle()
		d.write("Are we done?")
		d.press("enter")
		d.pass(100 * time.Millisecond)
		d.press("f2")
		d.pass(100 * time.Millisecond)
		d.press("tab")
		d.settle()
		d.sees("asks for it")
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		if got := lastResult(d); !strings.HasSuffix(got, "with changes.") || d.m.reply != nil {
			t.Errorf("the model is told %q:\n%s", got, d.screen())
		}
	})
}

func TestToolsCommand(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tools bool
		win   int
		write string
		want  string
		mode  turn.Mode
	}{
		{"what is on", true, 8192, "/tools", "tools are off · /tools ask lets tester ask you to compact", turn.Off},
		{"ask", true, 8192, "/tools ask", "tools are on: tester can ask you to compact · ≈", turn.Ask},
		{"on", true, 8192, "/tools on", "tools are on: tester can ask you to compact · ≈", turn.Ask},
		{"auto", true, 8192, "/tools auto", "tools are on: tester can compact without asking you", turn.Auto},
		{"cannot", false, 8192, "/tools ask", "tools are on, but tester is offered none: it cannot call any", turn.Ask},
		{"off and cannot", false, 8192, "/tools off", "tools are off, and tester cannot call any", turn.Off},
		{"small", true, 1200, "/tools ask", "is offered none: they would take", turn.Ask},
		{"wrong", true, 8192, "/tools maybe", `tools of the model are off, ask or auto, not "maybe"`, turn.Off},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := caller(asks)
			p.tools, p.window = tt.tools, tt.win
			drive(t, equipped(p, story(), turn.Off), 110, 34, func(d *driver) {
				d.settle()
				d.write(tt.write)
				d.settle()
				d.press("enter")
				d.settle()
				d.sees(tt.want)
				if d.m.runner.Tools != tt.mode {
					t.Errorf("tools are %s, want %s", d.m.runner.Tools, tt.mode)
				}
			})
		})
	}
	drive(t, equipped(caller(asks), story(), turn.Off), 110, 34, func(d *driver) {
		d.settle()
		d.write("/tools ")
		d.settle()
		d.sees("› off   the model is offered no tools", "ask   you are asked when it wants to compact")
	})
}

// TestTheSchemasAreNoPartOfTheDraft holds from the first message on.
func TestTheSchemasAreNoPartOfTheDraft(t *testing.T) {
	for _, history := range []*session.Chain{nil, story()} {
		drive(t, equipped(caller(asks), history, turn.Ask), 110, 34, func(d *driver) {
			d.settle()
			if d.m.gauge.tokens(kindSchemas) == 0 {
				t.Errorf("the schemas take nothing:\n%s", d.screen())
			}
			d.write("hello")
			d.settle()
			if want := count(session.Item{Message: &session.Message{Text: "hello"}}); d.m.gauge.draft != want {
				t.Errorf("the draft takes %d, want %d:\n%s", d.m.gauge.draft, want, d.screen())
			}
		})
	}
}

// TestTheSchemasAreARowOfThePanel only while tools are offered.
func TestTheSchemasAreARowOfThePanel(t *testing.T) {
	drive(t, equipped(caller(asks), story(), turn.Off), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		d.lacks("tool schemas")
		d.press("esc")
		before := d.m.gauge.measure.Tokens
		d.ask("/tools ask")
		d.press("f4")
		d.settle()
		d.sees("% tool schemas          %")
		if n := d.m.gauge.tokens(kindSchemas); n == 0 || d.m.gauge.measure.Tokens != before+n {
			t.Errorf("the context takes %d, before %d, schemas %d", d.m.gauge.measure.Tokens, before, n)
		}
	})
}

// TestServerThatRefusesTools is told of once, and the schemas take nothing then.
func TestServerThatRefusesTools(t *testing.T) {
	p := says("ok")
	p.tools = true
	answer := p.reply
	offers := 0
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		if len(req.Tools) > 0 {
			offers++
			yield(providers.Chunk{Toolless: true}, nil)
		}
		answer(ctx, req, yield)
	}
	drive(t, equipped(p, story(), turn.Ask), 110, 34, func(d *driver) {
		d.settle()
		d.ask("Hello?")
		d.sees("the server takes no tools for tester:1b")
		d.ask("Hello again?")
		if offers != 1 || d.m.gauge.tokens(kindSchemas) != 0 {
			t.Errorf("offered %d times, the schemas take %d", offers, d.m.gauge.tokens(kindSchemas))
		}
	})
}

// TestAnythingPressedWhileTheModelWaits has random users at a model that asks:
// the frame fits, the turn ends when it is stopped, and what is in the history
// can be sent.
func TestAnythingPressedWhileTheModelWaits(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 11))
		arguments := []string{asks, asksSummary}[seed%2]
		drive(t, equipped(caller(arguments), long(), turn.Ask), 20+random.IntN(100), 8+random.IntN(30), func(d *driver) {
			d.settle()
			for range 8 {
				d.write("Are we done?")
				d.press("enter")
				d.pass(time.Duration(random.IntN(1200)) * time.Millisecond)
				for range 6 {
					if key := anyKeys[random.IntN(len(anyKeys))]; !d.m.leader || key != "e" {
						d.press(key)
						framed(d, d.m)
					}
					d.pass(time.Duration(random.IntN(200)) * time.Millisecond)
				}
				if (d.m.asking != nil) && d.m.reply == nil {
					t.Fatalf("seed %d: a request is open and no turn waits for it", seed)
				}
				for range 12 { // also those of the queue
					d.press("esc")
					d.settle()
				}
				if d.m.dialog() == nil && !d.m.transcript.focused && len(d.m.queue) == 0 && (d.m.asking != nil || d.m.reply != nil) {
					t.Fatalf("seed %d: asking %v, reply %v:\n%s", seed, d.m.asking, d.m.reply, d.screen())
				}
				if err := session.Validate(d.m.head.Context().Project()); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}
