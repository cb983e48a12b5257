package ui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// preview is a compaction before it happens: what would go, what would stay,
// and the summary as it is written. The transcript over it shows the same,
// message by message.
type preview struct {
	*candidate
	top       int  // first line of the summary that shows
	held      bool // the user scrolled, so it does not follow the end
	new       bool // it opened just now: keys may have been meant for the draft
	differing bool // the difference to the version before shows
	seeking   bool // the first change of it is to show,
	last      int  // and as far as the summary can be scrolled
	diff      difference
	laid      inked
}

// readMsg says that a preview can have been seen.
type readMsg struct{ of *preview }

func (msg readMsg) arrive(m *Model) tea.Cmd {
	msg.of.new, m.dirty = false, false
	return nil
}

// look opens the preview of the compaction that is there.
func (m *Model) look() tea.Cmd {
	p := &preview{candidate: m.candidate, new: true}
	p.warned, p.hasty = false, p.hasty && m.opts.Straight
	m.show(p)
	m.project(p.plan)
	m.visit()
	return tea.Batch(m.judgeEdited(), tea.Tick(guard, func(time.Time) tea.Msg { return readMsg{p} }))
}

// previewing returns the preview, nil if it is not open.
func (m *Model) previewing() *preview { return dialogOf[*preview](m) }

func (p *preview) left(m *Model) { m.unproject() }

// moved marks the transcript anew.
func (p *preview) moved(m *Model) tea.Cmd {
	m.project(p.plan)
	return nil
}

func (p *preview) keys(m *Model) []key.Binding {
	k := m.keys
	var keys []key.Binding
	add := func(when bool, b key.Binding) {
		if when {
			keys = append(keys, b)
		}
	}
	sums, several := p.plan.Request != nil, len(p.versions) > 1
	apply, ready, back := k.Apply, as(k.Apply, "when ready"), k.Back
	if m.needsRoom() {
		apply, ready, back = as(k.Apply, "compact and send"), as(k.Apply, "send when ready"), as(k.Back, "keep it")
	}
	if m.asking != nil {
		back = as(k.Back, "refuse")
	}
	add(p.event != nil && !p.outdated, apply)
	add(p.writing(), ready)
	add(true, back)
	add(p.editable(), k.EditSummary)
	add(p.outdated, as(k.Again, "plan again"))
	add(sums && p.refused != nil && !p.outdated, k.Again)
	add(sums && p.event == nil, k.Extract)
	add(!sums, k.Strategy)
	add(p.event != nil, k.Values)
	add(sums && p.refused == nil && !p.outdated, k.Again)
	add(sums, k.FocusOn)
	add(p.at() > 0, k.Earlier)
	add(several && p.at() < len(p.versions)-1, k.Later)
	switch {
	case p.differing:
		keys = append(keys, as(k.Diff, "whole summary"), k.NextChange)
	case p.at() > 0:
		keys = append(keys, k.Diff)
	}
	add(sums, k.Strategy)
	add(true, k.Aside)
	add(sums, as(k.Down, "scroll"))
	return append(keys, as(k.PageUp, "look above"))
}

func (p *preview) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	if p.new && name == k.String() && (pressed(name, m.keys.Apply) || m.composer.key(k, pressed(name, m.keys.NewLine))) {
		return m.onTyped(), true
	}
	if !pressed(name, m.keys.Back) {
		p.warned = false
	}
	switch {
	case pressed(name, m.keys.Back):
		return p.back(m), true
	case pressed(name, m.keys.Aside):
		m.leave(p)
	case pressed(name, m.keys.Apply):
		return p.apply(m), true
	case pressed(name, m.keys.Up):
		p.scroll(m, -1)
	case pressed(name, m.keys.Down):
		p.scroll(m, 1)
	case pressed(name, m.keys.Strategy):
		return p.step(m, 1), true
	case pressed(name, m.keys.StrategyBack):
		return p.step(m, -1), true
	case pressed(name, m.keys.Earlier):
		return m.turnVersion(-1), true
	case pressed(name, m.keys.Later):
		return m.turnVersion(1), true
	case pressed(name, m.keys.Diff):
		return p.toggleDiff(m), true
	case pressed(name, m.keys.PrevChange):
		p.toChange(m, -1)
	case pressed(name, m.keys.NextChange):
		p.toChange(m, 1)
	case pressed(name, m.keys.Values):
		return nil, p.showValues(m)
	case pressed(name, m.keys.Again):
		return p.again(m), true
	case p.plan.Request == nil:
		return nil, false
	case pressed(name, m.keys.EditSummary):
		p.edit(m)
	case pressed(name, m.keys.Editor) && p.editable():
		return p.edit(m).elsewhere(m), true
	case pressed(name, m.keys.FocusOn):
		m.push(&focusField{typed: field(p.focus)})
	case pressed(name, m.keys.Extract) && p.event == nil:
		return m.extract(), true
	default:
		return nil, false
	}
	return nil, true
}

// back goes back to the version before where this one came to nothing, and
// leaves the compaction else.
func (p *preview) back(m *Model) tea.Cmd {
	vain := slices.IndexFunc(p.versions, func(v *version) bool {
		return !v.edited && (v.writing() || v == p.version && v.refused != nil)
	})
	if vain < 0 || len(p.versions) == 1 {
		m.dropSaying()
		return nil
	}
	p.version = p.versions[vain]
	p.remove()
	m.say(info, "back to version %d", p.at()+1)
	return m.showVersion()
}

// again has the summary written once more, or planned once more where the
// conversation has changed under the plan.
func (p *preview) again(m *Model) tea.Cmd {
	switch {
	case p.outdated && m.planning:
	case p.outdated:
		m.say(info, "planning…")
		return m.plan(m.plannerOf(p.version), planMsg{focus: p.focus, into: p.candidate, carry: p.version, planner: p.planner, tried: p.tried})
	case p.plan.Request == nil:
		m.say(info, "there is no summary to write again")
	default:
		return m.summarise(m.runner)
	}
	return nil
}

// apply makes the compaction happen, or have it happen as soon as it is ready.
func (p *preview) apply(m *Model) tea.Cmd {
	switch {
	case p.outdated:
		m.say(warn, "the conversation has changed since this was planned · %s plans it again and keeps your summary", keyOf(m.keys.Again))
	case p.event != nil && !p.judging:
		m.sendAfter(p.candidate)
		return m.apply()
	case p.writing() || p.judging:
		p.hasty = true
		m.sendAfter(p.candidate)
		m.leave(p)
	default:
		m.say(info, "there is no summary to apply")
	}
	return nil
}

// step plans the same with another strategy. What is there stays until that is
// planned.
func (p *preview) step(m *Model, n int) tea.Cmd {
	from := p.strategy
	if p.stepped != "" {
		from = p.stepped
	}
	p.stepped = stepFrom(from, p.planner, n)
	if m.planning {
		p.behind = true
		return nil
	}
	return m.tryStep(p.stepped, planMsg{focus: p.focus, into: p.candidate, planner: p.planner})
}

// scroll moves the summary, or the transcript where there is none.
func (p *preview) scroll(m *Model, n int) {
	if p.plan.Request != nil {
		p.top, p.held = max(0, p.top+n), true
		return
	}
	m.transcript.scroll(n)
}
