package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
)

// sourcesMsg brings the lines of a summary and what they come from.
type sourcesMsg struct {
	to    *picker
	of    session.ID // the summary
	lines []compaction.Source
}

// onLastSummary does something with the last summary that the model gets.
func (m *Model) onLastSummary(act func(*Model, session.Item) tea.Cmd) tea.Cmd {
	for it := range m.head.Context().Backward() {
		if it.Compaction != nil && it.Live() {
			return act(m, it)
		}
	}
	return m.refuse("there is no summary yet")
}

// sourcesOfLast is sourcesOf for the last summary.
func (m *Model) sourcesOfLast() tea.Cmd { return m.onLastSummary((*Model).sourcesOf) }

// sourcesOf lists the lines of a summary, or of the one that covers a message. The
// message that a line comes from shows in the transcript while the line is selected,
// and choosing the line goes there.
func (m *Model) sourcesOf(it session.Item) tea.Cmd {
	it, ok := m.compactionOf(it)
	if !ok || it.Compaction.Summary == "" {
		m.say(info, "only a summary has lines that come from elsewhere")
		return nil
	}
	p := newPicker("where the summary is from", nil)
	p.loading, p.empty = true, "the summary has no lines"
	p.verb = "go there"
	p.leave = func(m *Model) tea.Cmd { m.goToRow(it.ID); return nil }
	m.show(p)
	x := m.head.Context()
	return func() tea.Msg { return sourcesMsg{p, it.ID, compaction.Sources(x, it.ID)} }
}

func (msg sourcesMsg) arrive(m *Model) tea.Cmd {
	var choices []choice
	for _, s := range msg.lines {
		from := s.From
		if from.IsZero() {
			from = msg.of
		}
		c := choice{text: s.Line, do: func(m *Model) tea.Cmd { m.goToRow(from); return nil }}
		c.show = c.do
		if s.From.IsZero() {
			c.note = "from nothing that was said"
		} else {
			c.note = m.speakerOf(s.From)
		}
		choices = append(choices, c)
	}
	choicesMsg{to: msg.to, choices: choices}.arrive(m)
	if m.dialog() != msg.to {
		return nil
	}
	return msg.to.showing(m, nil)
}

// speakerOf returns who said a message.
func (m *Model) speakerOf(id session.ID) string {
	it, ok := m.head.Context().Get(id)
	if !ok {
		return ""
	}
	name, _ := m.transcript.paint.speaker(it)
	return name
}

// goToRow selects an item in the transcript, and opens the summaries that it is
// folded in.
func (m *Model) goToRow(id session.ID) {
	m.closeTimeline()
	x := m.head.Context()
	it, ok := x.Get(id)
	if !ok {
		return
	}
	t := &m.transcript
	t.openAll(x, foldedIn(x, it))
	t.focused, t.selecting = true, false
	t.jumpTo(id, it.Index)
}

// foldedIn returns the summaries that an item is under, the innermost first.
func foldedIn(x session.Context, it session.Item) (over []session.ID) {
	for ok := true; ok && !it.By.IsZero(); it, ok = x.Get(it.By) {
		over = append(over, it.By)
	}
	return over
}

// openAll opens rows of a context, and returns those that were not open yet.
func (t *transcript) openAll(x session.Context, ids []session.ID) (opened []session.ID) {
	for _, id := range ids {
		if !t.open[id] {
			t.open[id] = true
			opened = append(opened, id)
		}
	}
	if len(opened) > 0 {
		t.show(x)
	}
	return opened
}
