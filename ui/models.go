package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/providers"
	"pleat/ui/sanitize"
)

// modelList is the list of the models that a server offers. Their names come first;
// what else there is to know of those that show is found out after that.
type modelList struct {
	picker   *picker
	provider providers.Provider
	present  string // the model in use
	models   []providers.Model
	asked    []bool // about each of them
	asking   bool
	ctx      context.Context // of all that is asked for the list,
	cancel   context.CancelFunc
}

// modelListMsg brings the models to their list.
type modelListMsg struct {
	to     *modelList
	models []providers.Model
	err    error
}

// modelMsg brings what was found out about one model; done says that there is no more.
type modelMsg struct {
	to    *modelList
	from  <-chan providers.Model
	model providers.Model
	done  bool
}

// listModels lets the user pick a model.
func (m *Model) listModels() tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	l := &modelList{picker: newPicker("model", nil), provider: m.runner.Provider, present: m.runner.Model, ctx: ctx, cancel: cancel}
	p := l.picker
	p.loading, p.empty = true, "this server offers no models"
	p.more, p.missing, p.gone = (*Model).tellAnother, l.missing, l.cancel
	m.show(p)
	return func() tea.Msg {
		models, err := l.provider.Models(ctx)
		return modelListMsg{l, models, err}
	}
}

func (msg modelListMsg) arrive(m *Model) tea.Cmd {
	l := msg.to
	l.models, l.asked = msg.models, make([]bool, len(msg.models))
	choices := choicesMsg{to: l.picker, err: msg.err}
	for _, model := range l.models {
		choices.choices = append(choices.choices, l.choice(model))
	}
	return choices.arrive(m)
}

// choice returns a model as a choice, with what is known of it.
func (l *modelList) choice(model providers.Model) choice {
	note, few := about(model)
	return choice{text: model.Name, note: note, few: few, here: model.Name == l.present, do: func(m *Model) tea.Cmd {
		return m.useModel(model.Name)
	}}
}

// about says what is known of a model, and the most important of it.
func about(model providers.Model) (note, few string) {
	var parts []string
	if model.Family != "" {
		parts = append(parts, sanitize.Line(model.Family))
	}
	if model.Size > 0 {
		parts = append(parts, fmt.Sprintf("%.1f GB", float64(model.Size)/1e9))
	}
	n, source := model.Window.Size()
	if n > 0 {
		few = short(n)
		said := few
		if most := model.Window.Trained; source != "trained" && most > n {
			said += " of " + short(most)
		}
		parts = append(parts, said+" context")
	}
	if model.Loaded {
		few = strings.TrimSpace(few + " loaded")
		parts = append(parts, "loaded")
	}
	return strings.Join(parts, "  "), few
}

// missing begins to find out about those models that show and that nobody has asked
// about yet, if the server tells.
func (l *modelList) missing(m *Model, shown []int) tea.Cmd {
	d, ok := l.provider.(providers.Detailer)
	if !ok || l.asking {
		return nil
	}
	var models []providers.Model
	for _, i := range shown {
		if !l.asked[i] {
			l.asked[i] = true
			models = append(models, l.models[i])
		}
	}
	if len(models) == 0 {
		return nil
	}
	l.asking = true
	found := make(chan providers.Model)
	m.unwritten.Go(func() {
		defer close(found)
		for model := range d.Details(l.ctx, models) {
			select {
			case found <- model:
			case <-l.ctx.Done():
				return
			}
		}
	})
	return l.next(found)
}

// next returns a command that waits for what is found out next.
func (l *modelList) next(found <-chan providers.Model) tea.Cmd {
	return func() tea.Msg {
		model, ok := <-found
		return modelMsg{l, found, model, !ok}
	}
}

// arrive shows what was found out. What is selected stays so.
func (msg modelMsg) arrive(m *Model) tea.Cmd {
	l := msg.to
	switch {
	case !slices.Contains(m.dialogs, dialog(l.picker)):
		m.dirty = false
		return nil
	case msg.done:
		l.asking = false
		return nil // the frame asks for what shows by now
	}
	for i := range l.models {
		if l.models[i].Name == msg.model.Name {
			l.models[i] = msg.model
			l.picker.choices[i] = l.choice(msg.model)
		}
	}
	return l.next(msg.from)
}
