package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/ui/sanitize"
)

// pickBranch lists the ways the conversation has taken: going back and saying
// something else leaves one, and nothing of it is lost. What was compacted or
// marked and then undone makes no way of its own; those are listed on request.
func (m *Model) pickBranch() tea.Cmd { return m.pickWay(false) }

func (m *Model) pickWay(all bool) tea.Cmd {
	c := m.conversation
	if c == nil {
		m.say(warn, notOpen)
		return nil
	}
	p := newPicker("branches", nil)
	p.loading, p.empty = true, "the conversation has taken one way only"
	m.show(p)
	return func() tea.Msg {
		ways, err := c.Ways(m.ctx)
		if len(ways) == 1 && c.Tip().ID() == c.Head().ID() {
			ways = nil // there is nothing to choose
		}
		return waysMsg{to: p, of: c, ways: ways, all: all, err: err}
	}
}

// waysMsg brings the ways of a conversation for the list of them.
type waysMsg struct {
	to   *picker
	of   *session.Conversation
	ways []session.Way
	all  bool // also those that another way has all messages of
	err  error
}

func (msg waysMsg) arrive(m *Model) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	var shown []session.Way
	var prompts, ends []string
	for _, w := range msg.ways {
		if !w.Within || msg.all {
			shown = append(shown, w)
			prompts, ends = append(prompts, lastPrompt(w.End)), append(ends, m.tellEnd(w.End))
		}
	}
	hidden := len(msg.ways) - len(shown)
	apart(prompts)
	apart(ends)
	var choices []choice
	for i, w := range shown {
		choices = append(choices, m.wayChoice(w, prompts[i], ends[i]))
	}
	m.tellApart(choices)
	if hidden > 0 {
		choices = append(choices, choice{
			text: fmt.Sprintf("show all: %d more, on which only something was compacted or marked and undone", hidden),
			do:   func(m *Model) tea.Cmd { return m.pickWay(true) },
		})
	}
	return choicesMsg{to: msg.to, choices: choices, err: msg.err}.arrive(m)
}

// How much of what was said last is shown, in cells, so that the reply shows too.
const (
	longestPrompt  = 40
	shortestPrompt = 12
)

// wayChoice is a way on the list: what was said last on it, and what was done
// after that.
func (m *Model) wayChoice(w session.Way, text, then string) choice {
	end, c := w.End, m.conversation
	switch {
	case w.Within && then != "":
		text = then + " · after: " + text // what sets it apart comes first
	case then != "":
		text = ansi.Truncate(text, max(shortestPrompt, min(longestPrompt, m.width/2-4)), "…") + " → " + then
	}
	present, ahead := end.ID() == c.Tip().ID(), c.Tip().ID() != c.Head().ID()
	note, said := plural(w.Messages, "message")+"  "+dated(w.At.Local()), "here is the other way · "+m.keys.wayBack()
	do := func(m *Model) tea.Cmd { return m.goTo(end, said) }
	switch {
	case present && ahead:
		note, said = "ahead  "+note, "here is the end of this way"
	case present:
		do = func(m *Model) tea.Cmd {
			if m.head.ID() != end.ID() { // it moved while the list was open
				return m.goTo(end, said)
			}
			m.say(info, alreadyHere)
			return nil
		}
	}
	return choice{text: text, note: note, here: present && !ahead, do: do}
}

// tellEnd says how a history ends, "" if that is with what the user said.
func (m *Model) tellEnd(end *session.Chain) string {
	switch e := end.Event().(type) {
	case nil, session.Unknown:
		return ""
	case session.Title:
		return "called " + quote(sanitize.Line(e.Text))
	case session.Message:
		if e.Typed() {
			return ""
		}
	}
	return m.tellStep(end)
}

// tellApart numbers those of the choices that look the same, the oldest first.
func (m *Model) tellApart(choices []choice) {
	alike := map[string]int{}
	for i := len(choices) - 1; i >= 0; i-- {
		c := &choices[i]
		key := c.text + "\x00" + c.note
		if alike[key]++; alike[key] > 1 {
			c.note += fmt.Sprintf("  no. %d", alike[key])
		}
	}
}

// lastPrompt returns the beginning of the last thing the user said in a history.
func lastPrompt(c *session.Chain) string {
	for it := range c.Context().Backward() {
		if it.Message.Typed() {
			return sanitize.Line(strings.TrimSpace(head(it.Message.Text, 400)))
		}
	}
	return "nothing said"
}
