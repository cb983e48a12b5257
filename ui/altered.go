package ui

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// inForce is what a chat goes by: its settings, and the window of a model where
// that is what was changed.
type inForce struct {
	Choices
	model  string
	window int // in tokens; 0 for one that stays
}

// alteration is a change of settings. It is taken back before the step of the session
// that it was made after.
type alteration struct {
	at            *session.Chain // where the session stood
	before, after inForce
	stepping      string // what a key steps through: pressed again, it is the same change; "" for none
	along         bool   // it was a part of the step, with which it comes and goes
}

// follows reports whether a change was made after the last step of a history, or
// in it.
func (a alteration) follows(head *session.Chain) bool {
	return (a.at.Len() > head.Undo().Len() || a.at.Len() == head.Len()) && head.Has(a.at)
}

// alterations are the changes of settings in one session since it was opened. They
// are made, undone and redone in turn with the moves of its head, on whatever
// goroutine does that.
type alterations struct {
	mu           sync.Mutex
	done, undone []alteration
	now          inForce
	fresh        bool // the chat does not go by now yet
}

// add takes a change in. Nothing that was undone can be redone then.
func (l *alterations) add(a alteration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.undone, l.now, l.fresh = nil, a.after, l.fresh || a.along
	n := len(l.done) - 1
	if n < 0 || a.stepping == "" || l.done[n].stepping != a.stepping || l.done[n].at.ID() != a.at.ID() {
		l.done = append(l.done, a)
		return
	}
	l.done[n].after = a.after
	if l.done[n].before.Same(a.after.Choices) {
		l.done = l.done[:n]
	}
}

// next returns the change that an undo at a history takes back first, or a redo
// brings again; ok is false if that is a step of the session.
func (l *alterations) next(head *session.Chain, redo bool) (a alteration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.done
	if redo {
		list = l.undone
	}
	if len(list) == 0 || !list[len(list)-1].follows(head) {
		return a, false
	}
	return list[len(list)-1], true
}

// shift takes the last change back, or brings the last one again of those that
// were.
func (l *alterations) shift(redo bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from, to := &l.done, &l.undone
	if redo {
		from, to = to, from
	}
	n := len(*from) - 1
	a := (*from)[n]
	*from, *to = (*from)[:n], append(*to, a)
	l.now, l.fresh = a.before, true
	if redo {
		l.now = a.after
	}
}

// left is called when a step was undone, down to a history. What was undone there
// before that step was made is not redone any more: the step is.
func (l *alterations) left(head *session.Chain) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.undone)
	for n > 0 && !l.undone[n-1].along && l.undone[n-1].follows(head) {
		n--
	}
	l.undone = l.undone[:n]
}

// take returns what the chat is to go by, if it does not yet.
func (l *alterations) take() (now inForce, fresh bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, fresh = l.now, l.fresh
	l.fresh = false
	return now, fresh
}

// alterable reports whether an undo, or a redo, is for a setting and no step.
func (m *Model) alterable(redo bool) bool {
	a, ok := m.altered.next(m.head, redo)
	return ok && (redo || !a.along)
}

// alteredMsg says that a change of settings has its place among the moves.
type alteredMsg struct{ of *alterations }

// alter has a change of settings undone first from now on, in its turn among the
// moves of the head.
func (m *Model) alter(before, after inForce) tea.Cmd {
	c, l, a := m.conversation, m.altered, alteration{before: before, after: after, stepping: m.stepping}
	m.stepping = ""
	if c == nil {
		return nil
	}
	prev, done := m.moved, make(chan struct{})
	m.moved = done
	m.unwritten.Go(func() {
		defer close(done)
		wait(prev)
		a.at = c.Head()
		l.add(a)
	})
	return func() tea.Msg {
		<-done
		return alteredMsg{l}
	}
}

func (msg alteredMsg) arrive(m *Model) tea.Cmd {
	if msg.of != m.altered {
		return nil
	}
	return m.goBy()
}

// goBy has the settings in use that an undo or a redo has led to, once all that was
// asked for is done.
func (m *Model) goBy() tea.Cmd {
	if !ended(m.moved) {
		return nil
	}
	now, fresh := m.altered.take()
	if !fresh {
		return nil
	}
	measure := m.measure
	if now.window != 0 || now.Reserve != m.runner.Reserve {
		measure = m.measureAnew
	}
	if m.runner.Auto != now.Auto {
		m.runner.Gate.Resume()
	}
	m.runner.Settings, m.opts.Theme, m.opts.Mouse = now.Settings, now.Theme, now.Mouse
	if now.window != 0 && now.model == m.runner.Model {
		m.runner.Window.Requested = now.window
	}
	m.transcript.paint.loose = m.runner.InUse().Loose
	return tea.Batch(m.storeChoices(), m.useTheme(now.Theme), measure())
}

// differences says what a change of settings is.
func differences(from, to inForce) string {
	var list []string
	tell := func(name, was, is string) {
		if was != is {
			list = append(list, name+": "+was+" → "+is)
		}
	}
	onOff := map[bool]string{true: "on", false: "off"}
	tell("strategy", from.Strategy, to.Strategy)
	if from.Strategy == to.Strategy && !maps.Equal(from.Params, to.Params) {
		list = append(list, "parameters of "+to.Strategy)
	}
	tell("automatic", string(from.Auto), string(to.Auto))
	tell("trigger", share(from.Trigger), share(to.Trigger))
	tell("target", share(from.Target), share(to.Target))
	tell("reserve", fmt.Sprint(from.Reserve), fmt.Sprint(to.Reserve))
	tell("window", fmt.Sprint(from.window), fmt.Sprint(to.window))
	tell("tools", string(from.Tools), string(to.Tools))
	tell("theme", cmp.Or(from.Theme, "auto"), cmp.Or(to.Theme, "auto"))
	tell("mouse", onOff[from.Mouse], onOff[to.Mouse])
	return strings.Join(list, ", ")
}
