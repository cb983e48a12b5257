package compaction

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/compaction/compactiontest/history"
	"pleat/session"
)

// chars counts one token per code point of text, nothing per message.
func chars(it session.Item) int { return len([]rune(it.Sent().Text)) }

var (
	size      = history.Size
	one       = history.One
	user      = history.User
	system    = history.System
	reply     = history.Reply
	injected  = history.Injected
	calling   = history.Calling
	result    = history.Result
	chainOf   = history.Chain
	longChain = history.Long
	texts     = history.Texts
)

func mustNew(t testing.TB, name string, p Params) Strategy {
	t.Helper()
	s, err := New(name, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// story draws histories: turns with parallel calls, marks of all kinds,
// compactions by any strategy, reverts and undos, in any order.
type story struct {
	t     *rapid.T
	chain *session.Chain
	n     int // makes texts and call ids distinct
}

func drawStory(t *rapid.T) *session.Chain {
	s := &story{t: t}
	for range rapid.IntRange(0, 2).Draw(t, "systems") {
		s.say(system("be kind"))
	}
	if rapid.IntRange(0, 4).Draw(t, "memory") == 0 {
		s.say(injected("memory"))
	}
	acts := []func(){
		s.ask, s.ask, s.turn, s.turn, s.turn, s.answer, s.tools, s.tools, s.openCalls, s.lateSystem, s.inject,
		s.mark, s.mark, s.compact, s.compact, s.revert, s.undo,
	}
	for range rapid.IntRange(1, 30).Draw(t, "acts") {
		acts[rapid.IntRange(0, len(acts)-1).Draw(t, "act")]()
	}
	return s.chain
}

func (s *story) say(m session.Message) {
	s.n++
	m.Text = fmt.Sprintf("%s %d src/%d.go %s", m.Text, s.n, s.n, strings.Repeat("word ", rapid.IntRange(0, 60).Draw(s.t, "words")))
	s.chain = s.chain.Append(m)
}

func (s *story) ask()        { s.say(user("please")) }
func (s *story) answer()     { s.say(reply("indeed")) }
func (s *story) lateSystem() { s.say(system("also")) }
func (s *story) inject()     { s.say(injected("note")) }

func (s *story) turn() {
	s.ask()
	if rapid.Bool().Draw(s.t, "with tools") {
		s.tools()
	}
	s.answer()
}

func (s *story) calls() []string {
	var ids []string
	for range rapid.IntRange(1, 4).Draw(s.t, "calls") {
		s.n++
		ids = append(ids, fmt.Sprintf("c%d", s.n))
	}
	s.chain = s.chain.Append(calling(ids...))
	return ids
}

func (s *story) tools() {
	for _, id := range s.calls() {
		s.say(result(id, strings.Repeat("data ", rapid.IntRange(0, 80).Draw(s.t, "data"))))
	}
}

func (s *story) openCalls() {
	ids := s.calls()
	for _, id := range ids[:rapid.IntRange(0, len(ids)-1).Draw(s.t, "answered")] {
		s.say(result(id, "out"))
	}
}

// any draws an item of the context that ok likes, and whether there is one.
func (s *story) any(ok func(session.Item) bool) (session.Item, bool) {
	var found []session.Item
	for it := range s.chain.Context().All() {
		if ok(it) {
			found = append(found, it)
		}
	}
	if len(found) == 0 {
		return session.Item{}, false
	}
	return rapid.SampledFrom(found).Draw(s.t, "item"), true
}

func (s *story) mark() {
	it, ok := s.any(func(session.Item) bool { return true })
	if !ok {
		return
	}
	flag := rapid.SampledFrom([]session.Flag{session.Pinned, session.Excluded, session.Masked}).Draw(s.t, "flag")
	off := rapid.IntRange(0, 3).Draw(s.t, "off") == 0
	s.chain = s.chain.Append(session.Mark{Flag: flag, Off: off, Targets: []session.ID{it.ID}})
}

func (s *story) compact() {
	plan, err := drawStrategy(s.t).Plan(s.chain.Context(), drawBudget(s.t, s.chain.Context()))
	if err == nil {
		s.chain = s.chain.Append(plan.Event(drawSummary(s.t, plan)))
	}
}

func (s *story) revert() {
	if it, ok := s.any(func(it session.Item) bool { return it.Compaction != nil }); ok {
		s.chain = s.chain.Append(session.Revert{Target: it.ID})
	}
}

func (s *story) undo() { s.chain = s.chain.Undo() }

func drawSummary(t *rapid.T, p Plan) string {
	if p.Request == nil {
		return ""
	}
	return strings.Repeat("sum ", rapid.IntRange(1, 5).Draw(t, "summary"))
}

func drawStrategy(t *rapid.T) Strategy {
	return drawNamed(t, rapid.SampledFrom(All()).Draw(t, "strategy"))
}

func drawNamed(t *rapid.T, spec Spec) Strategy {
	p := Params{}
	for _, param := range spec.Params {
		switch {
		case param.Kind == Choice:
			p[param.Name] = rapid.SampledFrom(param.Choices).Draw(t, param.Name)
		case param.Name == "target" || param.Name == "max-summary-tokens":
		case param.Kind == Number:
			p[param.Name] = fmt.Sprint(rapid.IntRange(param.Min, 8).Draw(t, param.Name))
		}
	}
	s, err := New(spec.Name, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func drawBudget(t *rapid.T, ctx session.Context) Budget {
	total := 1
	for it := range ctx.Live() {
		total += size(it)
	}
	return Budget{
		Target: rapid.IntRange(1, total).Draw(t, "target"),
		Window: rapid.SampledFrom([]int{0, total / 2, total * 2}).Draw(t, "window"),
		Count:  size,
	}
}
