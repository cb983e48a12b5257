package ui

import (
	"errors"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/ui/markdown"
)

// vain is the answer where a compaction would change nothing for the better: it
// says why, and its keys do what else there is.
type vain struct {
	strategy string
	focus    string
	planner  planner
	err      error
}

// whyVain says in plain words why.
func (m *Model) whyVain(err error, strategy string) string {
	if why := m.whyNothingOf(err, strategy); why != "" {
		return why
	}
	if errors.Is(err, compaction.ErrNothingToDo) {
		return "nothing to do, the context is already as " + strategy + " would leave it"
	}
	return explain(err)
}

func (v *vain) keys(m *Model) []key.Binding {
	k := m.keys
	return []key.Binding{k.Strategy, k.Back, k.StrategyBack, as(k.Compact, "plan again"), k.Strategies}
}

// key tries another strategy. What would be typed elsewhere is typed.
func (v *vain) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	switch {
	case pressed(name, m.keys.Back):
		m.leave(v)
	case pressed(name, m.keys.Strategy):
		return v.step(m, 1), true
	case pressed(name, m.keys.StrategyBack):
		return v.step(m, -1), true
	case name == k.String() && m.composer.key(k, pressed(name, m.keys.NewLine)):
		m.leave(v)
		return m.onTyped(), true
	default:
		return nil, false
	}
	return nil, true
}

func (v *vain) step(m *Model, n int) tea.Cmd {
	if m.planning {
		return nil
	}
	return m.tryStep(stepFrom(v.strategy, v.planner, n), planMsg{focus: v.focus, planner: v.planner})
}

func (v *vain) height(m *Model, _ int) int {
	lines := 4
	if m.needsRoom() {
		lines++
	}
	if v.stillOver(m) != "" {
		lines++
	}
	return panelHeight(m, lines)
}

func (v *vain) view(m *Model, height int) []string {
	st, width := m.st, m.width
	what := "nothing to gain"
	if errors.Is(v.err, compaction.ErrNothingToDo) {
		what = "nothing to do"
	}
	var out []string
	if where := m.whereItWaits(); where != "" {
		out = append(out, ansi.Truncate(" "+st.warning.Render(m.stuck.why())+where, width, "…"))
	}
	out = append(out, ansi.Truncate(" "+st.accent.Render("compact: "+v.strategy)+"  "+what, width, "…"))
	for _, line := range markdown.Plain(v.stillOver(m)+v.why(m), max(1, width-2)) {
		out = append(out, " "+st.dim.Render(line))
	}
	return out[:min(len(out), height)]
}

// why says in whole sentences why there is nothing to it.
func (v *vain) why(m *Model) string {
	if why := m.whyNothingOf(v.err, v.strategy); why != "" {
		return strings.ToUpper(why[:1]) + why[1:] + "."
	}
	e, ok := errors.AsType[*compaction.NoGain](v.err)
	if !ok {
		return "The context is already as " + v.strategy + " would leave it: there is nothing more that it takes away."
	}
	what := "It"
	if of, ok := errors.AsType[*compaction.OutOfScope](v.err); ok {
		what = "With " + m.nameScope(&of.Scope) + " compacted it"
	}
	s := fmt.Sprintf("%s would take %s tokens: what is left is pinned, too new to go, or too short to be made shorter.", what, change(e.Before, e.After))
	if missed := missed(e.Before, e.Missed); missed != "" {
		s += " The " + missed + "."
	}
	return s
}

// stillOver says first that the context does not fit all the same, and what shows a
// way out; "" if it fits, or if only a part of it was to be compacted.
func (v *vain) stillOver(m *Model) string {
	over := m.gauge.over()
	if _, part := errors.AsType[*compaction.OutOfScope](v.err); part || over == 0 {
		return ""
	}
	return fmt.Sprintf("Still over by %s: %s tries another strategy, %s compares how much room each makes. ",
		short(over), keyOf(m.keys.Strategy), keyOf(m.keys.Compare))
}

func (v *vain) left(*Model) {}
