package ui

import (
	"sort"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// timeline is the size of the context after every step as a small chart, the
// steps that were undone included. Moving along it shows in the transcript the
// context as it was, and the conversation can go on from there.
type timeline struct {
	of     *session.Conversation
	wanted *session.Chain // the tip whose steps are on their way
	model  string         // whose meter counts them; "" if there is none
	tip    *session.Chain // the tip that the steps lead to; nil until they have come
	course

	at     int  // the selected step; -1 is before the first, where everything was undone
	now    bool // the present is selected, and stays so when the head moves
	chart  chart
	laying bool // a context is being laid out for the transcript
	going  bool // the head is on its way to the selected step
}

// course is the steps of a conversation, and where some of them are.
type course struct {
	steps   []session.Step
	prompts []int // those at which the user wrote something
	folds   []int // those that are compactions
	counted bool  // sizes are in tokens; else they only compare with each other
}

// stepsMsg brings the steps of a conversation.
type stepsMsg struct {
	to  *timeline
	tip *session.Chain
	course
}

// wentMsg tells how the move to a step of a timeline went.
type wentMsg struct {
	from *timeline
	move tea.Msg
}

// showTimeline opens the timeline, or closes it if it is open.
func (m *Model) showTimeline() tea.Cmd {
	if m.conversation == nil {
		m.say(warn, notOpen)
		return nil
	}
	if m.closeTimeline() {
		return nil
	}
	t := &timeline{of: m.conversation, at: -1, now: true}
	m.show(t)
	return t.load(m)
}

// timelining returns the timeline, nil if it is not open.
func (m *Model) timelining() *timeline { return dialogOf[*timeline](m) }

// closeTimeline reports whether there was one to close.
func (m *Model) closeTimeline() bool {
	t := m.timelining()
	if t != nil {
		m.leave(t)
	}
	return t != nil
}

// load returns a command that finds the steps, as far as redo leads.
func (t *timeline) load(m *Model) tea.Cmd {
	tip, meter, counted := t.of.Tip(), m.runner.Meter, m.connected
	t.wanted, t.model = tip, m.meterName()
	return func() tea.Msg {
		c := course{counted: counted}
		if counted {
			c.steps = meter.Steps(tip)
		} else {
			c.steps = session.Steps(tip, func(it session.Item) int { return len(it.Sent().Text) })
		}
		for i, s := range c.steps {
			switch e := s.Node.Event().(type) {
			case session.Message:
				if e.Typed() {
					c.prompts = append(c.prompts, i)
				}
			case session.Compaction:
				c.folds = append(c.folds, i)
			}
		}
		return stepsMsg{t, tip, c}
	}
}

// meterName returns the model whose meter the sizes are by, "" without one.
func (m *Model) meterName() string {
	if m.connected {
		return m.runner.Model
	}
	return ""
}

// arrive takes the steps in. What was selected stays selected.
func (msg stepsMsg) arrive(m *Model) tea.Cmd {
	t := msg.to
	if m.timelining() != t || msg.tip != t.wanted || msg.counted != (t.model != "") {
		return nil
	}
	node := t.node()
	t.course, t.tip, t.chart = msg.course, msg.tip, chart{}
	if t.now {
		t.at = t.present(m)
	} else {
		t.at = t.place(node)
	}
	return t.look(m)
}

// place returns the last step of the way to a node that is a step here too.
func (t *timeline) place(n *session.Chain) int {
	if t.at < len(t.steps) && t.node() == n {
		return t.at
	}
	return sort.Search(len(t.steps), func(i int) bool { return !n.Has(t.steps[i].Node) }) - 1
}

// present returns the step at the head, -1 if the head is before the first.
func (t *timeline) present(m *Model) int {
	return sort.Search(len(t.steps), func(i int) bool { return t.steps[i].Node.Len() > m.head.Len() }) - 1
}

// node returns the history that the selected step ends.
func (t *timeline) node() *session.Chain {
	if t.at < 0 || t.at >= len(t.steps) {
		return nil
	}
	return t.steps[t.at].Node
}

// moved follows the head if the present is selected, and counts anew by the meter
// of another model.
func (t *timeline) moved(m *Model) tea.Cmd {
	if t.model != m.meterName() {
		if m.past != nil {
			m.past.node = nil // what it measured does not hold
		}
		return t.load(m)
	}
	if t.of.Tip() != t.wanted {
		return t.load(m)
	}
	if t.now {
		t.at = t.present(m)
	}
	return t.look(m)
}

func (t *timeline) left(m *Model) { m.leavePast() }

func (t *timeline) keys(m *Model) []key.Binding {
	k := m.keys
	keys := []key.Binding{k.Back, k.StepBack, k.StepOn}
	if t.at != t.present(m) {
		keys = append([]key.Binding{k.GoHere}, keys...)
	}
	return append(keys, k.PrevFold, k.NextFold, k.PrevPrompt, k.NextPrompt, as(k.PageUp, "look above"))
}

func (t *timeline) key(m *Model, _ tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	if pressed(name, m.keys.Back) {
		m.leave(t)
		return nil, true
	}
	if pressed(name, m.keys.GoHere) {
		return t.goHere(m), true
	}
	to, ok := t.destination(m, name)
	if !ok {
		return nil, false
	}
	return t.choose(m, to), true
}

// destination returns the step that a key leads to.
func (t *timeline) destination(m *Model, name string) (int, bool) {
	switch k := m.keys; {
	case pressed(name, k.StepBack):
		return t.at - 1, true
	case pressed(name, k.StepOn):
		return t.at + 1, true
	case pressed(name, k.Top):
		return 0, true
	case pressed(name, k.Bottom):
		return len(t.steps) - 1, true
	case pressed(name, k.PrevPrompt):
		return before(t.prompts, t.at), true
	case pressed(name, k.NextPrompt):
		return after(t.prompts, t.at), true
	case pressed(name, k.PrevFold):
		return before(t.folds, t.at), true
	case pressed(name, k.NextFold):
		return after(t.folds, t.at), true
	}
	return 0, false
}

// before returns the last of the steps in a sorted list that comes before one,
// or that one if none does.
func before(list []int, at int) int {
	if i := sort.SearchInts(list, at); i > 0 {
		return list[i-1]
	}
	return at
}

// after returns the first of the steps in a sorted list that comes after one, or
// that one if none does.
func after(list []int, at int) int {
	if i := sort.SearchInts(list, at+1); i < len(list) {
		return list[i]
	}
	return at
}

// choose selects a step, or the nearest there is.
func (t *timeline) choose(m *Model, to int) tea.Cmd {
	if t.going {
		return nil
	}
	t.at = min(max(to, min(0, t.present(m))), len(t.steps)-1)
	t.now = t.at == t.present(m)
	return t.look(m)
}

// look shows the selected step in the transcript.
func (t *timeline) look(m *Model) tea.Cmd {
	if t.now = t.now || t.at == t.present(m); t.now {
		m.leavePast()
		return nil
	}
	return t.layPast(m)
}

// click selects the step under the mouse.
func (t *timeline) click(m *Model, x, line int) tea.Cmd {
	to := t.chart.stepAt(x)
	if line == 0 || to < 0 {
		return nil
	}
	return t.choose(m, to)
}

// goHere moves the head to the selected step, and to the results of its calls,
// without which a conversation cannot go on.
func (t *timeline) goHere(m *Model) tea.Cmd {
	node := t.node()
	switch {
	case t.going || t.tip == nil:
		return nil
	case node != nil:
		if end := endOf(t.tip, node.ID()); end != nil {
			node = end
		}
	}
	if node == nil || node.ID() == m.head.ID() || t.at == t.present(m) {
		m.leave(t)
		m.say(info, alreadyHere)
		return nil
	}
	said := "the conversation goes on from here · " + m.keys.wayBack()
	if node.Len() > m.head.Len() {
		said = "redone up to here · " + keyOf(m.keys.Undo) + " undoes the last step again"
	}
	t.going = true
	move := m.goTo(node, said)
	return func() tea.Msg { return wentMsg{t, move()} }
}

// arrive shows the head where it has gone to.
func (msg wentMsg) arrive(m *Model) tea.Cmd {
	m.leave(msg.from)
	if moved, ok := msg.move.(movedMsg); ok && moved.of == m.conversation && moved.err == nil {
		m.transcript.focused, m.transcript.follow = false, true
	}
	return m.handle(msg.move)
}
