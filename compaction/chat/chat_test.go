package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/compaction"
	"pleat/compaction/compactiontest/history"
	"pleat/session"
)

func TestSetupIsChecked(t *testing.T) {
	tests := []struct {
		name  string
		setup Setup
		want  string // "" for no error
	}{
		{"nothing", Setup{}, ""},
		{"size", Setup{Size: new(0)}, ""},
		{"strategy", Setup{Strategy: mustInline(t, "mask", nil)}, ""},
		{"limit of nothing", Setup{Limit: new(0)}, ""},
		{"both", Setup{Strategy: mustInline(t, "mask", nil), Size: new(3)}, "both the strategy mask and the size 3"},
		{"both, of nothing", Setup{Strategy: mustInline(t, "mask", nil), Size: new(0)}, "both the strategy mask and the size 0"},
		{"no target", Setup{Strategy: mustInline(t, "oldest-first", nil)}, "has no target to come down to"},
		{"no target, by results", Setup{Strategy: mustInline(t, "tool-results-first", nil)}, "has no target to come down to"},
		{"half of the limit", Setup{Strategy: mustInline(t, "oldest-first", nil), Limit: new(100)}, ""},
		{"a target of its own", Setup{Strategy: mustInline(t, "oldest-first", compaction.Params{"target": "50"})}, ""},
		{"size below 0", Setup{Size: new(-1)}, "size is -1, want 0 or more"},
		{"limit below 0", Setup{Limit: new(-5)}, "limit is -5, want 0 or more"},
		{"reserve below 0", Setup{Reserve: new(-1)}, "reserve is -1"},
		{"overhead below 0", Setup{Overhead: -1}, "overhead is -1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.setup)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestChatKeepsWhatItLeavesOut(t *testing.T) {
	c := added(t, mustChat(t, Setup{Size: new(2), Count: one}), system("s"), user("u0"), reply("a0"), user("u1"), reply("a1"))
	if got := texts(c.Chain().Context()); got != "s u1 a1" {
		t.Errorf("the model gets %s", got)
	}
	var all []string
	for it := range c.Chain().Context().All() {
		if it.Message != nil {
			all = append(all, it.Message.Text)
		} else if !it.Compaction.Auto {
			t.Error("a compaction by itself says that a key was pressed")
		}
	}
	if got := strings.Join(all, " "); got != "s u0 a0 u1 a1" {
		t.Errorf("left is %s", got)
	}
	before := c.Chain()
	c = added(t, c, user("u2"))
	if c.Chain().Undo() != before {
		t.Error("one undo does not take a message back with what it led to")
	}
	answered := added(t, c, calling("0"), result("0", "r"), reply("a2"))
	if answered.Chain().Undo() != before {
		t.Error("one undo does not take a message back with its answer")
	}
	if got := texts(c.At(before).Chain().Context()); got != "s u1 a1" {
		t.Errorf("before, the model got %s", got)
	}
}

func TestMessageWithoutARoleIsNotAdded(t *testing.T) {
	c := added(t, mustChat(t, Setup{}), user("u"))
	after, err := c.Add(t.Context(), session.Message{Text: "x"})
	if err == nil || after.Chain() != c.Chain() {
		t.Errorf("got %v and %d events", err, after.Chain().Len())
	}
}

// TestFailingSummaryLosesNothing adds messages over the threshold while the model
// fails, is cancelled, and works again.
func TestFailingSummaryLosesNothing(t *testing.T) {
	m := &model{err: errors.New("no connection")}
	inner := mustNew(t, "summarize", compaction.Params{"keep": "1"})
	c := mustChat(t, Setup{Strategy: compaction.Threshold(inner, 100, 0), Ask: m.ask, Count: size})
	c = added(t, c, user("u0"), reply("a0 "+long), user("u1 "+long), reply("a1 "+long))
	for i := range 5 {
		var err error
		c, err = c.Add(t.Context(), user(fmt.Sprint("more ", i, " ", long)))
		failed, paused := i < 3, i == 2
		if (err != nil) != failed || failed && strings.Contains(err.Error(), "3 times in a row and is paused") != paused {
			t.Errorf("message %d: %v", i, err)
		}
		if it := c.Chain().Context().At(4 + i); it.Message == nil || !strings.HasPrefix(it.Message.Text, fmt.Sprint("more ", i)) {
			t.Fatalf("message %d is not there", i)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	fresh := c.At(c.Chain())
	for i := range 2 * compaction.MaxFailures {
		var err error
		if fresh, err = fresh.Add(stopped, user(fmt.Sprint("even more ", i))); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "paused") {
			t.Errorf("cancelled %d times: %v", i+1, err)
		}
	}
	if after, err := c.Compact(stopped, inner); !errors.Is(err, context.Canceled) || after.Chain() != c.Chain() {
		t.Errorf("cancelled: %v", err)
	}
	m.err, m.answers = nil, []string{"fine"}
	c, err := c.Compact(t.Context(), inner)
	if err != nil {
		t.Fatal(err)
	}
	if e := c.Chain().Event().(session.Compaction); e.Auto || e.Summary != "fine" {
		t.Errorf("got %+v", e)
	}
	c = added(t, c, reply("a2 "+long), user(long+long))
	if e, ok := c.Chain().Event().(session.Compaction); !ok || !e.Auto {
		t.Errorf("it does not go on by itself after a success by hand: %T", c.Chain().Event())
	}
}

func TestCompactTellsWhatItDid(t *testing.T) {
	c := added(t, mustChat(t, Setup{Count: size}), user("u0"), reply("a0"), user("u1"))
	if after, err := c.Compact(t.Context(), mustNew(t, "window", nil)); !errors.Is(err, compaction.ErrNothingToDo) || after.Chain() != c.Chain() {
		t.Errorf("nothing to do: %v", err)
	}
	_, err := c.Compact(t.Context(), mustNew(t, "summarize", compaction.Params{"keep": "1"}))
	if _, ok := errors.AsType[*compaction.NoGain](err); !ok {
		t.Errorf("nothing to gain: %v", err)
	}
	c = added(t, c, reply("a1 "+long), user("u2 "+long), reply("a2 "+long))
	c.setup.Ask = (&model{answers: []string{""}}).ask
	_, err = c.Compact(t.Context(), mustNew(t, "summarize", compaction.Params{"keep": "1"}))
	if _, ok := errors.AsType[*compaction.Refused](err); !ok {
		t.Errorf("refused: %v", err)
	}
	c.setup.Ask = nil
	for range 3 {
		c = added(t, c, user("More. "+strings.Repeat(long+". ", 5)), reply("Yes."))
	}
	c, err = c.Compact(t.Context(), mustNew(t, "summarize", compaction.Params{"keep": "1"}))
	if err != nil {
		t.Fatal(err)
	}
	if e := c.Chain().Event().(session.Compaction); !strings.HasPrefix(e.Summary, "Excerpts") || e.Model != "" || e.After >= e.Before {
		t.Errorf("without a model: %+v", e)
	}
}

func TestInlineStrategyAimsAtHalfOfTheLimit(t *testing.T) {
	c := mustChat(t, Setup{Strategy: mustInline(t, "oldest-first", compaction.Params{"pin": "system"}), Limit: new(200), Reserve: new(0), Count: size})
	for i := range 20 {
		c = added(t, c, user(fmt.Sprint("u", i, " ", long)), reply("a"))
		total := 0
		for it := range c.Chain().Context().Live() {
			total += size(it)
		}
		if total > 100 {
			t.Fatalf("after turn %d the conversation takes %d tokens", i, total)
		}
	}
}

func TestViewTakesWhatItMustFirst(t *testing.T) {
	chat := []session.Message{system("s"), user("u0"), reply("a0"), reply("a1"), user("u1"), reply("a2")}
	loop := []session.Message{user("u"), Goal("g"), reply("a0"), calling("0"), result("0", "r0")}
	const refused = "refused"
	tests := []struct {
		name     string
		strategy compaction.Inline
		messages []session.Message
		limit    int
		want     string
	}{
		{"all", nil, chat, 6, "s u0 a0 a1 u1 a2"},
		{"the newest", nil, chat, 5, "s a0 a1 u1 a2"},
		{"just what it must", nil, chat, 3, "s u1 a2"},
		{"less than that", nil, chat, 2, refused},
		{"what the strategy pins", mustInline(t, "oldest-first", compaction.Params{"target": "99"}), chat, 4, "s u0 u1 a2"},
		{"which must fit, too", mustInline(t, "oldest-first", compaction.Params{"target": "99"}), chat, 3, refused},
		{"also behind a threshold", compaction.Threshold(mustNew(t, "summarize", nil), 99, 0), chat, 4, "s u0 u1 a2"},
		{"a strategy that pins nothing does not undo that", mustInline(t, "oldest-first", compaction.Params{"target": "99", "pin": "nothing"}), chat, 3, "s u1 a2"},
		{"the goal and the last step", mustInline(t, "window", compaction.Params{"pin": "react"}), loop, 4, "u GOAL: call r0"},
		{"nothing of nothing", nil, nil, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := mustChat(t, Setup{Strategy: tt.strategy, Reserve: new(0), Count: one})
			c = added(t, c, tt.messages...)
			c.setup.Limit = &tt.limit
			view, err := c.View()
			got := texts(view)
			if _, ok := errors.AsType[*compaction.NoRoom](err); ok {
				got = refused
			} else if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestViewKeepsAQuarterForTheReply(t *testing.T) {
	for limit, reserve := range map[int]int{0: 0, 1: 1, 4: 1, 5: 2, 8: 2, 41: 11} {
		if got := (Setup{}).reserve(limit); got != reserve {
			t.Errorf("of %d it keeps %d, want %d", limit, got, reserve)
		}
	}
}

func TestViewNamesTheNumbers(t *testing.T) {
	c := added(t, mustChat(t, Setup{Limit: new(40), Overhead: 5, Count: size}), system(long), user("old "+long), reply("a"), user(long))
	_, err := c.View()
	noRoom, ok := errors.AsType[*compaction.NoRoom](err)
	if !ok || *noRoom != (compaction.NoRoom{Need: 56, Limit: 40, Reserve: 10, Overhead: 5}) {
		t.Fatalf("got %+v", err)
	}
	if want := "take 56 tokens, and there is room for 25 of the limit of 40"; !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want it to say %q", err, want)
	}
}

func TestViewGoesByTheModel(t *testing.T) {
	windows := Windows{"small": 40}
	c := added(t, mustChat(t, Setup{Model: "router/small", Window: windows.Of, Count: size}), user("u0 "+long), reply("a0"), user("u1"))
	if view, err := c.View(); err != nil || texts(view) != "a0 u1" {
		t.Errorf("got %s, %v", texts(view), err)
	}
	c.setup.Model = "unknown"
	if view, err := c.View(); err != nil || texts(view) != "u0 a0 u1" {
		t.Errorf("of an unknown model, got %s, %v", texts(view), err)
	}
	c.setup.Limit = new(1000)
	c.setup.Model = "small"
	if view, err := c.View(); err != nil || texts(view) != "u0 a0 u1" {
		t.Errorf("with a limit of its own, got %s, %v", texts(view), err)
	}
}

func BenchmarkView(b *testing.B) {
	c, err := New(Setup{Limit: new(8000)})
	if err != nil {
		b.Fatal(err)
	}
	c = c.At(history.Long(10_000))
	b.Run("messages=10000", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.View(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	c, err := New(Setup{Size: new(20)})
	if err != nil {
		b.Fatal(err)
	}
	c = c.At(history.Long(10_000))
	if c, err = c.Add(b.Context(), user("now")); err != nil {
		b.Fatal(err)
	}
	b.Run("messages=10000", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i++
			if _, err := c.Add(b.Context(), user(fmt.Sprint("more ", i))); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestThresholdCannotLoop has a chat whose every message is over the trigger, so
// that nothing helps. It compacts once for each reply and message of the user.
func TestThresholdCannotLoop(t *testing.T) {
	inner := mustNew(t, "window", compaction.Params{"size": "1"})
	counted := reply(long)
	counted.Usage = &session.Usage{Prompt: 9000}
	rapid.Check(t, func(t *rapid.T) {
		c, err := New(Setup{Strategy: compaction.Threshold(inner, 1, 0), Count: size})
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for i := range rapid.IntRange(1, 30).Draw(t, "messages") {
			m := rapid.SampledFrom([]session.Message{user(long), counted, injected(long), system(long)}).Draw(t, "message")
			m.Text += fmt.Sprint(i)
			if m.Role == session.Assistant || m.Role == session.User && !m.Injected {
				said++
			}
			if c, err = c.Add(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		compactions := 0
		for it := range c.Chain().Context().All() {
			if it.Compaction != nil {
				compactions++
			}
		}
		if compactions > said+1 { // the first needs nobody to say anything
			t.Fatalf("%d compactions for %d messages", compactions, said)
		}
	})
}
