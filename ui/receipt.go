package ui

import (
	"maps"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/compaction/facts"
	"pleat/session"
)

// receipt is the values on the screen: it lists the exact ones that a compaction makes up, loses and keeps.
// What is lost can be listed below the summary, and every value can be looked up
// where it was said.
type receipt struct {
	of      *candidate
	at, top int
	order   receiptOrder
	open    bool       // what is kept shows too
	home    *vantage   // where the transcript was before it went to a source,
	away    bool       // and whether something else was shown there for a while
	source  int        // which source of the selected value it went to last
	opened  session.ID // the message that was opened for that, zero if none
}

// receiptOrder is the order in which the lost values of a version stand: those that are
// missing before those that are listed. It is kept while the user chooses, so that
// no line moves away under the cursor.
type receiptOrder struct {
	of *version
	at []int // places in the review
}

// lost returns the lost value at place i.
func (r *receipt) lost(i int) *compaction.Lost {
	list := r.of.review.Lost
	if o := &r.order; o.of != r.of.version || len(o.at) != len(list) {
		o.of, o.at = r.of.version, o.at[:0]
		for _, listed := range []bool{false, true} {
			for n := range list {
				if list[n].Listed == listed {
					o.at = append(o.at, n)
				}
			}
		}
	}
	return &list[r.order.at[i]]
}

// showValues opens the receipt of the shown version.
func (p *preview) showValues(m *Model) bool {
	if p.event == nil {
		m.say(info, "the values are known when the summary is there")
		return true
	}
	m.push(&receipt{of: p.candidate})
	return true
}

// receiptLine is one line of a receipt. Of the four, one is set.
type receiptLine struct {
	invented *facts.Fact
	lost     *compaction.Lost
	kept     *facts.Entry
	fold     bool // stands for what is kept
}

// len returns the number of lines.
func (r *receipt) len() int {
	v := r.of.review
	n := len(v.Invented) + len(v.Lost)
	if len(v.Kept) > 0 {
		n++
		if r.open {
			n += len(v.Kept)
		}
	}
	return n
}

// line returns line i of the list.
func (r *receipt) line(i int) receiptLine {
	v := r.of.review
	if i < len(v.Invented) {
		return receiptLine{invented: &v.Invented[i]}
	}
	if i -= len(v.Invented); i < len(v.Lost) {
		return receiptLine{lost: r.lost(i)}
	}
	if i -= len(v.Lost) + 1; i < 0 || i >= len(v.Kept) {
		return receiptLine{fold: true}
	}
	return receiptLine{kept: v.Kept[i]}
}

// selected returns the line under the cursor, an empty one if there is none.
func (r *receipt) selected() receiptLine {
	if r.len() == 0 {
		return receiptLine{}
	}
	return r.line(r.at)
}

// listed reports whether a lost value is listed below the summary, as the user
// has chosen by now.
func (r *receipt) listed(l *compaction.Lost) bool {
	if r.of.judging {
		if in, said := r.of.choices.Listed[l.Key()]; said {
			return in
		}
	}
	return l.Listed
}

func (r *receipt) keys(m *Model) []key.Binding {
	k := m.keys
	var keys []key.Binding
	line := r.selected()
	switch {
	case line.lost != nil && r.of.plan.Request != nil:
		what := "list"
		if r.listed(line.lost) {
			what = "unlist"
		}
		keys = append(keys, as(k.List, what))
	case line.fold:
		keys = append(keys, as(k.List, "unfold"))
	case line.invented != nil:
		keys = append(keys, k.EditSummary)
	}
	keys = append(keys, k.Back)
	if line.lost != nil || line.kept != nil {
		keys = append(keys, k.Source)
	}
	if r.home != nil {
		keys = append(keys, k.SourceBack)
	}
	if len(r.of.review.Lost) > 0 && r.of.plan.Request != nil {
		what := "list all"
		if r.of.choices.All {
			what = "list the best only"
		}
		keys = append(keys, as(k.ListAll, what))
	}
	if r.of.editable() && line.invented == nil {
		keys = append(keys, k.EditSummary)
	}
	return append(keys, k.Down)
}

func (r *receipt) key(m *Model, _ tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	page := max(1, m.sizes.panel-receiptHead-1)
	switch {
	case pressed(name, m.keys.Back, m.keys.Values):
		m.leave(r)
	case pressed(name, m.keys.Up):
		r.move(-1)
	case pressed(name, m.keys.Down):
		r.move(1)
	case pressed(name, m.keys.PageUp):
		r.move(-page)
	case pressed(name, m.keys.PageDown):
		r.move(page)
	case pressed(name, m.keys.Top):
		r.move(-r.len())
	case pressed(name, m.keys.Bottom):
		r.move(r.len())
	case pressed(name, m.keys.List):
		return r.toggle(m), true
	case pressed(name, m.keys.ListAll):
		return r.listAll(m), true
	case pressed(name, m.keys.Source):
		r.goToSource(m)
	case pressed(name, m.keys.SourceBack):
		r.goHome(m)
	case pressed(name, m.keys.EditSummary):
		m.leave(r)
		if p := m.previewing(); p != nil {
			p.edit(m)
		}
	default:
		return nil, false
	}
	return nil, true
}

// move selects the line n places further, as far as there are any.
func (r *receipt) move(n int) {
	to := max(0, min(r.at+n, r.len()-1))
	if to != r.at {
		r.at, r.source = to, 0
	}
}

// toggle lists the selected value below the summary, or takes it out again.
func (r *receipt) toggle(m *Model) tea.Cmd {
	switch line := r.selected(); {
	case line.fold:
		r.open = !r.open
	case line.invented != nil:
		m.say(info, "the conversation does not have it · %s edits the summary", keyOf(m.keys.EditSummary))
	case line.kept != nil:
		m.say(info, "the model still gets it")
	case line.lost == nil:
	case r.of.plan.Request == nil:
		m.say(info, "%s writes no summary that a list could follow · pin the message instead, or choose another strategy", r.of.plan.Strategy)
	default:
		return r.choose(m, map[string]bool{line.lost.Key(): !r.listed(line.lost)})
	}
	return nil
}

// choose changes what is listed, and has it counted.
func (r *receipt) choose(m *Model, changes map[string]bool) tea.Cmd {
	c := &r.of.choices
	listed := maps.Clone(c.Listed)
	if listed == nil {
		listed = map[string]bool{}
	}
	maps.Copy(listed, changes)
	c.Listed = listed
	return m.judge(r.of.version)
}

// listAll lists every value that finds room, or no more than the best again.
func (r *receipt) listAll(m *Model) tea.Cmd {
	if r.of.plan.Request == nil || len(r.of.review.Lost) == 0 {
		m.say(info, "there is nothing to list")
		return nil
	}
	c := &r.of.choices
	c.All, c.Listed = !c.All, nil
	return m.judge(r.of.version)
}

func (r *receipt) left(m *Model) { r.goHome(m) }

func (r *receipt) scroll(_ *Model, n int) { r.move(n) }

// click selects a value, and lists the one that was selected already.
func (r *receipt) click(m *Model, _, line int) tea.Cmd {
	at := r.top + line - receiptHead
	switch {
	case line < receiptHead || at >= r.len():
		return nil
	case at == r.at:
		return r.toggle(m)
	}
	r.move(at - r.at)
	return nil
}
