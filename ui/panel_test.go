package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

func TestTheKindsAreNumberedAsTheMeasuresAre(t *testing.T) {
	parts := turn.Parts{System: 1, Request: 2, Schemas: 10, Pinned: 3, Summaries: 4, Tools: 5, Chat: 6}
	g := gauge{known: true, measure: turn.Measure{Tokens: 31, Parts: parts}, draft: 7, window: 110, reserve: 9}
	want := map[kind]int{kindSystem: 1, kindRequest: 2, kindSchemas: 10, kindPinned: 3, kindSummaries: 4, kindTools: 5, kindChat: 6, kindDraft: 7, kindFree: 63, kindReserve: 9, kindExcluded: 0}
	st := newStyles(New(t.Context(), options(says("ok"), nil)).st.theme)
	signs := map[string]kind{}
	for k := range kindCount {
		if got := g.tokens(k); got != want[k] {
			t.Errorf("%s takes %d, want %d", kindNames[k], got, want[k])
		}
		sign, _ := st.kind(k)
		if other, taken := signs[sign]; taken {
			t.Errorf("%s and %s have the same sign", kindNames[k], kindNames[other])
		}
		signs[sign] = k
	}
}

// TestThePanelAddsUpToTheBar holds that the kinds are those of the bar, and that
// the messages of each add up to it.
func TestThePanelAddsUpToTheBar(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		p := d.m.looking()
		var sums [kindCount]int
		for _, s := range p.shares {
			if s.Sent {
				sums[s.Kind] += s.Tokens
			}
		}
		total := 0
		for k := range kindDraft {
			if sums[k] != d.m.gauge.tokens(k) {
				t.Errorf("the messages of %s take %d, the bar says %d", kindNames[k], sums[k], d.m.gauge.tokens(k))
			}
			total += sums[k]
		}
		if total != d.m.gauge.measure.Tokens {
			t.Errorf("all messages take %d, the bar says %d", total, d.m.gauge.measure.Tokens)
		}
	})
}

func TestThePanelShowsAMessageWhereItStands(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		d.press("tab")
		d.settle()
		it, ok := d.m.transcript.selected()
		if !ok || !strings.HasPrefix(it.Message.Text, "package auth") || !strings.Contains(d.screen(), " ›tool") {
			t.Fatalf("the largest message is not shown:\n%s", d.screen())
		}
		d.press("enter")
		d.settle()
		if d.m.dialog() != nil || !d.m.transcript.focused {
			t.Error("enter did not go to the message")
		}
		d.press("space")
		d.settle()
		d.sees("▾ read_file")
	})
}

func TestThePanelLeavesWithoutATrace(t *testing.T) {
	for _, before := range [][]string{{}, {"pgup"}, {"tab", "g", "j", "j"}, {"tab", "g", "v", "j", "j"}, {"pgup", "pgup", "tab"}} {
		for _, inside := range [][]string{{}, {"tab"}, {"tab", "G", "g", "tab", "j", "s", "s"}, {"G", "enter", "tab"}} {
			for _, out := range []string{"esc", "f4", "ctrl+c"} {
				drive(t, options(says("ok"), long()), 60, 18, func(d *driver) {
					d.settle()
					d.press(before...)
					d.settle()
					d.update(noticeMsg{})
					want := d.screen()
					d.press("f4")
					d.settle()
					d.press(inside...)
					d.settle()
					if inside := d.m.dialog(); inside == nil {
						return // enter went to a message
					}
					d.press(out)
					d.settle()
					if got := d.screen(); got != want {
						t.Errorf("%v, %v, %s: got\n%s\nwant\n%s", before, inside, out, got, want)
					}
				})
			}
		}
	}
}

func TestThePanelGivesWayToOtherDialogsWithoutATrace(t *testing.T) {
	for _, other := range []string{"f6", "ctrl+x S", "f1"} {
		drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
			d.settle()
			d.press("pgup")
			want := d.screen()
			d.press("f4")
			d.settle()
			d.press("tab", "G")
			d.press(strings.Fields(other)...)
			d.settle()
			for d.m.dialog() != nil {
				d.press("esc")
				d.settle()
			}
			d.update(noticeMsg{})
			if got := d.screen(); got != want {
				t.Errorf("after %s: got\n%s\nwant\n%s", other, got, want)
			}
		})
	}
}

func TestThePanelMarksInPlace(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		d.press("x")
		d.sees("select a message to exclude it")
		d.press("tab")
		first := func() string { s, _ := d.m.looking().share(); return s.ID.String() }
		was, tokens := first(), d.m.gauge.measure.Tokens
		for _, tt := range []struct{ key, said string }{{"x", "excluded, 3 messages"}, {"x", "no longer excluded"}, {"m", "masked"}, {"m", "no longer masked"}, {"p", "pinned"}, {"m", "it is pinned"}, {"u", "undone"}} {
			d.press(tt.key)
			d.settle()
			d.sees(tt.said)
			if got := first(); got != was || d.m.looking().line(d.m) == 0 {
				t.Errorf("after %s, another message is selected", tt.key)
			}
		}
		if got := d.m.gauge.measure.Tokens; got != tokens {
			t.Errorf("all is taken back, and the context takes %d, before %d", got, tokens)
		}
		d.press("j", "m")
		d.sees("only tool results can be masked")
	})
}

func TestThePanelIsOrderedAndFiltered(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		p := d.m.looking()
		all := len(p.shares)
		for i := range all - 1 {
			if p.shares[i].Tokens < p.shares[i+1].Tokens {
				t.Fatalf("message %d is smaller than the next", i)
			}
		}
		d.press("s")
		d.settle()
		d.sees("oldest first")
		for i := range all - 1 {
			if p.shares[i].Row >= p.shares[i+1].Row {
				t.Fatalf("message %d is newer than the next", i)
			}
		}
		d.press("s")
		d.settle()
		d.sees("by kind")
		for i := range all - 1 {
			if kindOf(p.shares[i]) > kindOf(p.shares[i+1]) {
				t.Fatalf("message %d is of a later kind than the next", i)
			}
		}
		p.look(d.m, kindTools)
		d.press("enter")
		d.settle()
		d.sees("only tool results")
		if len(p.shares) != 2 {
			t.Errorf("%d tool results, want 2", len(p.shares))
		}
		d.press("enter", "s", "s") // two fast presses: the last one holds
		d.settle()
		if len(p.shares) != all || p.as != (arrangement{order: oldestFirst, only: kindTools}) {
			t.Errorf("%d messages as %+v, want all %d", len(p.shares), p.as, all)
		}
	})
}

func TestThePanelFollowsTheSession(t *testing.T) {
	o := options(slowly("word"), long())
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.write("one more question")
		d.press("enter")
		d.pass(100 * time.Millisecond)
		d.press("f4", "tab")
		d.settle()
		p := d.m.looking()
		if p == nil || len(p.shares) != d.m.transcript.len() {
			t.Fatalf("the panel does not list the reply:\n%s", d.screen())
		}
		d.press("G")
		n := len(p.shares)
		d.press("ctrl+x", "u")
		d.settle()
		if len(p.shares) != n-2 || p.line(d.m) >= p.length(d.m) {
			t.Errorf("%d messages after an undo, want %d", len(p.shares), n-2)
		}
		d.press("ctrl+x", "n")
		d.settle()
		framed(t, d.m)
	})
}

func TestThePanelWithoutMessagesOrModel(t *testing.T) {
	drive(t, options(says("ok"), nil), 60, 18, func(d *driver) {
		d.settle()
		d.press("f4", "tab", "x", "enter", "s")
		d.settle()
		d.sees("no messages here", "free")
		d.press("esc")
		d.sees("Write a message")
	})
	o := options(says("ok"), story())
	o.Connect = func(ctx context.Context, _ string) (turn.Backend, error) {
		<-ctx.Done()
		return turn.Backend{}, ctx.Err()
	}
	drive(t, o, 60, 18, func(d *driver) {
		d.settle()
		d.press("f4", "tab", "x", "enter", "s", "G", "g")
		d.sees("no model is connected yet")
		d.press("esc")
		d.lacks("no model is connected yet")
	})
}

func TestThePanelTellsWhereTheWindowIsFrom(t *testing.T) {
	tests := []struct {
		name     string
		window   providers.Window
		usage    *session.Usage
		exact    bool
		estimate func(int) int
		want     []string
	}{
		{"by each source", providers.Window{Requested: 8192, Loaded: 4096, Trained: 40960}, nil, true, nil,
			[]string{"window 8.2k, as requested in every message · loaded 4.1k · configured ? · trained 41.0k", "counted exactly", "the server has not told"}},
		{"capped", providers.Window{Requested: 8192, Trained: 2048}, nil, true, nil, []string{"window 2.0k, as the model was trained for · requested 8.2k"}},
		{"unknown", providers.Window{}, nil, true, nil, []string{"nobody tells how large the window is · /set window 8192"}},
		{"counted by the server", providers.Window{Requested: 8192}, &session.Usage{Prompt: 16, Completion: 5}, false, nil,
			[]string{"the whole is the server's own count", "of the last request the server counted 16, about 14 were expected: nothing is missing"}},
		{"corrected", providers.Window{Requested: 8192}, nil, false, func(n int) int { return 30 + n*3/2 }, []string{"≈ estimated: our count ×1.50 + 30"}},
		{"not corrected", providers.Window{Requested: 8192}, nil, false, nil, []string{"≈ estimated, not corrected"}},
		{"cut off", providers.Window{Requested: 8192}, &session.Usage{Prompt: 100, Completion: 5}, false, func(n int) int { return n + 500 },
			[]string{"of a request of about 514 the server counted 100: it may have cut the beginning off"}},
	}
	for _, tt := range tests {
		o := options(says("ok"), (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: strings.Repeat("word ", 8)}).
			Follow(session.Message{Role: session.Assistant, Text: "answer", Usage: tt.usage}))
		connect := o.Connect
		o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
			b, err := connect(ctx, model)
			b.Window, b.Meter.Exact, b.Meter.Estimate = tt.window, tt.exact, tt.estimate
			return b, err
		}
		drive(t, o, 160, 40, func(d *driver) {
			d.settle()
			d.press("f4")
			d.settle()
			d.sees(tt.want...)
		})
	}
}

func TestThePanelShowsHostileTextAsText(t *testing.T) {
	c := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "\x1b[2J\x1b]0;gone\a" + "\u202e" + strings.Repeat("漢", 4000)})
	c = c.Append(session.Message{Role: session.Assistant, Model: "\x1b[31mred", Text: "\r\n\t\x00ok"})
	for _, size := range sizesShown {
		drive(t, options(says("ok"), c), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("f4", "tab")
			d.settle()
			framed(t, d.m)
			for _, bad := range []string{"\x1b[2J", "\x1b]0;", "\x00", "\r", "\t"} {
				if strings.Contains(d.m.View().Content, bad) {
					t.Errorf("the frame has %q", bad)
				}
			}
		})
	}
}

// TestThePanelAsksNobody opens it with a server that must not be asked.
func TestThePanelAsksNobody(t *testing.T) {
	p := says("ok")
	drive(t, options(p, long()), 110, 34, func(d *driver) {
		d.settle()
		p.reply = func(context.Context, providers.Request, func(providers.Chunk, error) bool) {
			t.Error("the server was asked")
		}
		d.press("f4", "tab", "j", "s", "enter")
		d.settle()
	})
}

func openPanel(tb testing.TB, n int) *Model {
	m := opened(tb, dialogue(n))
	m.Update(m.contextCommand()())
	m.Update(keyPress("tab"))
	if p := m.looking(); p == nil || len(p.shares) != n || !m.transcript.pointing {
		tb.Fatal("the panel does not list the messages")
	}
	return m
}

func BenchmarkPanelOpen(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			for b.Loop() {
				cmd := m.contextCommand()
				m.layOut()
				m.Update(cmd())
				m.View()
				m.Update(keyPress("esc"))
			}
		})
	}
}

func BenchmarkPanelKey(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := openPanel(b, n)
			for i := 0; b.Loop(); i++ {
				key := tea.KeyPressMsg{Code: 'j', Text: "j"}
				if i/80%2 == 1 {
					key = tea.KeyPressMsg{Code: 'k', Text: "k"}
				}
				m.Update(key)
				m.View()
			}
		})
	}
}
