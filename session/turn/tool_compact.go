package turn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// compactName is what the tool is called.
const compactName = "compact_context"

// mostKept bounds the number of messages that a model asks to keep.
const mostKept = 1000

// compactTool lets a model have its own context compacted, once in a turn. The
// batch with the call itself is not covered, since it is not answered yet.
type compactTool struct{ *loop }

func (compactTool) name() string { return compactName }

func (compactTool) schema() providers.Tool {
	least, most := 0, mostKept
	return providers.Tool{
		Name:        compactName,
		Description: "Make the conversation so far shorter, for when the context fills up or a subject is finished. Nothing is lost for the user.",
		Parameters: object(map[string]property{
			"strategy": {Type: "string", Enum: compaction.Names(), Description: "how; the user's choice if left out"},
			"keep":     {Type: "integer", Minimum: &least, Maximum: &most, Description: "how many of the newest messages stay verbatim"},
			"focus":    {Type: "string", Description: "what a summary should keep most of all"},
			"reason":   {Type: "string", Description: "why, in one sentence for the user"},
		}, "reason"),
	}
}

// wish is what a call asks for.
type wish struct {
	strategy, focus, reason string
	params                  compaction.Params
	ignored                 []string // arguments that the strategy does not take
}

// read reads the arguments of a call.
func (t compactTool) read(text string) (w wish, err error) {
	a, err := readArguments(text, "strategy", "keep", "focus", "reason")
	if err != nil {
		return w, err
	}
	strategy, err := a.text("strategy")
	if err == nil && strategy != "" && !slices.Contains(compaction.Names(), strategy) {
		err = fmt.Errorf("there is no strategy %q · choose one of %s", firstRunes(strategy, 40), strings.Join(compaction.Names(), ", "))
	}
	keep, counted, wrong := a.number("keep", 0, mostKept)
	focus, unclear := a.text("focus")
	reason, missing := a.needed("reason", "say in one sentence why")
	if err := errors.Join(err, wrong, unclear, missing); err != nil {
		return w, err
	}
	w = wish{strategy: cmp.Or(strategy, t.Strategy), reason: reason, params: compaction.Params{}}
	if w.strategy == t.Strategy {
		maps.Copy(w.params, t.Params)
	}
	spec, _ := compaction.Lookup(w.strategy)
	if counted && w.takes(spec, "keep") {
		w.params["keep"] = strconv.Itoa(keep)
	}
	if focus != "" && w.takes(spec, "focus") {
		w.focus = focus
	}
	return w, nil
}

// takes reports whether a strategy has a parameter, and notes that it has not.
func (w *wish) takes(spec compaction.Spec, param string) bool {
	if !spec.Has(param) {
		w.ignored = append(w.ignored, param)
		return false
	}
	return true
}

func (t compactTool) call(ctx context.Context, text string) (string, bool) {
	w, err := t.read(text)
	switch {
	case err != nil:
		return nothingChanged(err.Error()), true
	case t.shrunk:
		return nothingChanged("the context was compacted for this message already, or the user was asked to"), true
	}
	t.loop.shrunk = true
	r := t.Runner
	r.Strategy, r.Params = w.strategy, w.params
	p, err := r.Plan(t.Conversation.Head(), w.focus)
	switch {
	case compaction.InVain(err):
		t.Gate.Skipped()
		return nothingChanged(w.strategy + ": " + err.Error()), false
	case err != nil:
		t.loop.shrunk = false // the model may try again
		return nothingChanged(err.Error()), true
	case t.Tools == Ask:
		return t.askUser(ctx, w, p)
	}
	return t.unasked(ctx, w, p)
}

// nothingChanged is the result of a call that has come to nothing.
func nothingChanged(why string) string {
	return "Nothing was changed: " + strings.ReplaceAll(why, "\n", " · ")
}

// askUser has the user decide.
func (t compactTool) askUser(ctx context.Context, w wish, p compaction.Plan) (string, bool) {
	answers := make(chan Answer, 1)
	t.emit(Asking{Plan: p, Strategy: w.strategy, Params: w.params, Focus: w.focus, Reason: w.reason, Answer: func(a Answer) {
		select {
		case answers <- a:
		default: // the first counts
		}
	}})
	select {
	case <-ctx.Done():
		return nothingChanged("the user stopped"), true
	case a := <-answers:
		c, applied := compactionAt(a.Head)
		if !applied {
			t.Gate.Skipped()
			return nothingChanged("the user refused · do not ask again for this message"), false
		}
		t.loop.at = a.Head
		how := "The user applied it."
		if changed(p, c) {
			how = "The user applied it with changes."
		}
		return w.done(a.Plan, c, how), false
	}
}

// compactionAt returns the compaction that a history ends with.
func compactionAt(head *session.Chain) (c session.Compaction, ok bool) {
	if head == nil {
		return c, false
	}
	c, ok = head.Event().(session.Compaction)
	return c, ok
}

// changed reports whether an applied compaction is another than the one that was
// asked for.
func changed(p compaction.Plan, c session.Compaction) bool {
	return c.Edited || c.Strategy != p.Strategy || !slices.Equal(c.Covers, p.Covers) || !slices.Equal(c.Masks, p.Masks())
}

// unasked compacts as automatic compaction does.
func (t compactTool) unasked(ctx context.Context, w wish, p compaction.Plan) (string, bool) {
	t.emit(Status{"compacting, as the model asked"})
	c, err := t.compactNow(ctx, p)
	switch {
	case err == nil:
		t.Gate.Compacted()
		t.emit(Compacted{c})
		return w.done(p, c, "It was applied without asking the user."), false
	case ctx.Err() != nil:
		return nothingChanged("the user stopped"), true
	case compaction.InVain(err), errors.Is(err, compaction.ErrOutdated), errors.Is(err, errUndone):
		t.Gate.Skipped()
		return nothingChanged(err.Error()), false
	}
	t.judge(err, t.emit)
	return nothingChanged("the compaction failed: " + err.Error()), true
}

// compactNow carries a plan out, as a part of the turn. The result of the call
// comes after it, and is kept aside with it if that is undone meanwhile.
func (t compactTool) compactNow(ctx context.Context, p compaction.Plan) (session.Compaction, error) {
	c, err := t.writeUnasked(ctx, p, t.emit)
	if err != nil {
		return c, err
	}
	c.Auto = true
	head, err := t.follow(ctx, question{at: t.at}, p, c)
	if err == nil {
		t.loop.at = head
	}
	return c, err
}

// done is the result of a compaction that was applied.
func (w wish) done(p compaction.Plan, c session.Compaction, how string) string {
	s := fmt.Sprintf("Done with %s: %d messages covered, %d tool results masked, %d tokens before, %d after. %s", c.Strategy, p.Covered, p.Masked, c.Before, c.After, how)
	for _, name := range w.ignored {
		s += fmt.Sprintf(" The strategy takes no %s, so that counted for nothing.", name)
	}
	return s
}
