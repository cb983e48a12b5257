package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// Plan says what the strategy would do to the context of head. The focus, if
// there is one, is what a summary should care about most.
func (r Runner) Plan(head *session.Chain, focus string) (compaction.Plan, error) {
	params := compaction.Params{}
	for name, value := range compaction.InChat(r.Strategy, r.Params) {
		params[name] = value
	}
	if focus != "" && takes(r.Strategy, "focus") {
		params["focus"] = focus
	}
	s, err := compaction.New(r.Strategy, params)
	if err != nil {
		return compaction.Plan{}, err
	}
	return s.Plan(head.Context(), r.Budget())
}

func takes(strategy, param string) bool {
	spec, _ := compaction.Lookup(strategy)
	for _, p := range spec.Params {
		if p.Name == param {
			return true
		}
	}
	return false
}

// Summarize writes the summary that a plan wants. Nothing is changed: the last
// event is [Summarized], with what can be appended, or [Failed].
func (r Runner) Summarize(ctx context.Context, p compaction.Plan) iter.Seq[Event] {
	return run(ctx, func(ctx context.Context, emit func(Event)) {
		c, err := r.summary(ctx, p, emit)
		if err != nil {
			emit(Failed{err})
			return
		}
		emit(Summarized{c})
	})
}

// Apply makes a planned compaction happen, as a step of its own. It fails if
// the conversation has changed under the plan.
func (r Runner) Apply(ctx context.Context, p compaction.Plan, c session.Compaction) (*session.Chain, error) {
	head, err := r.Conversation.Update(context.WithoutCancel(ctx), func(head *session.Chain) (*session.Chain, error) {
		if err := p.Fits(head.Context()); err != nil {
			return nil, err
		}
		return head.Append(c), nil
	})
	if err == nil {
		r.Gate.Compacted()
	}
	return head, err
}

// summary returns the compaction of a plan, with its summary if it wants one.
func (r Runner) summary(ctx context.Context, p compaction.Plan, emit func(Event)) (session.Compaction, error) {
	began := r.Now()
	c := session.Compaction{At: began}
	switch {
	case p.Request == nil:
	case r.Summarizer == nil:
		c.Summary = compaction.Extract(p.Request.Items(), p.Request.MaxTokens, r.room().Count)
		emit(Writing{Text: c.Summary})
	default:
		c.Model = r.Model
		for progress, err := range compaction.Summarize(ctx, p, r.room(), r.prompt) {
			if err != nil {
				return session.Compaction{}, err
			}
			c.Summary = progress.Summary
			emit(Writing{Text: progress.Text, Status: stage(progress)})
		}
	}
	c.Took = r.Now().Sub(began).Round(time.Millisecond)
	c = p.Complete(c)
	if c.After >= c.Before {
		return c, &compaction.NoGain{Before: c.Before, After: c.After}
	}
	return c, nil
}

// stage says how far a summary has come.
func stage(p compaction.Progress) string {
	s := "writing the summary"
	switch {
	case p.Thinking:
		s = "reading the conversation"
	case p.Parts > 1:
		s = fmt.Sprintf("part %d of %d", p.Part, p.Parts)
	}
	if p.Again != "" {
		s += ", once more: " + p.Again
	}
	return s
}

// room is what the model that sums up can take.
func (r Runner) room() compaction.Room {
	size, _ := r.Window.Size()
	return compaction.Room{Window: size, Count: func(text string) int {
		return r.Meter.corrected(r.Meter.Count(session.Item{Message: &session.Message{Role: session.User, Text: text}}))
	}}
}

// prompt has the model answer one request of the summary. The window is the
// same as for a reply, or the server would load the model anew.
func (r Runner) prompt(ctx context.Context, p compaction.Prompt) iter.Seq2[compaction.Piece, error] {
	return func(yield func(compaction.Piece, error) bool) {
		size, _ := r.Window.Size()
		req := providers.Request{
			Model: r.Model, Window: size, KeepAlive: r.KeepAlive,
			MaxTokens: p.MaxTokens, NoThink: p.NoThink,
			Messages: []session.Message{
				{Role: session.System, Text: p.System},
				{Role: session.User, Text: p.Text},
			},
		}
		if p.Model != "" {
			req.Model = p.Model
		}
		for chunk, err := range r.Summarizer.Stream(ctx, req) {
			if !yield(compaction.Piece{
				Text: chunk.Text, Reasoning: chunk.Reasoning, ToolCalls: len(chunk.ToolCalls),
				Done: chunk.Done, Finish: chunk.Finish,
			}, err) || err != nil {
				return
			}
		}
	}
}

// makeRoom compacts before a request if that is due, and returns the head to
// answer. Whatever goes wrong, the turn goes on with what there is.
func (r Runner) makeRoom(ctx context.Context, head *session.Chain, emit func(Event)) *session.Chain {
	d := r.due(head)
	if d.Notice != "" {
		emit(Notice{d.Notice})
	}
	if !d.Due {
		return head
	}
	emit(Status{"making room"})
	next, event, err := r.compactTo(ctx, head, d.Target, emit)
	var gain *compaction.NoGain
	switch {
	case errors.Is(err, compaction.ErrNothingToDo), errors.As(err, &gain):
		r.Gate.Skipped()
		return head
	case ctx.Err() != nil:
		return head
	case err != nil:
		emit(Notice{fmt.Sprintf("automatic compaction failed: %v", err)})
		if paused := r.Gate.Failed(); paused != "" {
			emit(Notice{paused})
		}
		return head
	}
	r.Gate.Compacted()
	emit(Compacted{event})
	return next
}

// due asks the gate about the context of head.
func (r Runner) due(head *session.Chain) compaction.Decision {
	m := r.Meter.Measure(head)
	_, _, reported := r.Meter.reported(head)
	return r.Gate.Due(r.Budget(), compaction.Size{
		Tokens: m.Tokens, Reported: reported,
		Fixed: m.Parts.System + m.Parts.Pinned + r.Meter.Request,
	})
}

// compactTo compacts the context of head down to a target, without asking. A
// summary that is refused is replaced by quotes: nobody is there to decide.
func (r Runner) compactTo(ctx context.Context, head *session.Chain, target int, emit func(Event)) (*session.Chain, session.Compaction, error) {
	plan, err := r.planFor(head, target)
	if err != nil {
		return nil, session.Compaction{}, err
	}
	progress := func(e Event) {
		if w, ok := e.(Writing); ok && w.Status != "" {
			emit(Status{"making room: " + w.Status})
		}
	}
	c, err := r.summary(ctx, plan, progress)
	var refused *compaction.Refused
	if errors.As(err, &refused) {
		emit(Notice{err.Error() + " · quoted from the conversation instead"})
		r.Summarizer = nil
		c, err = r.summary(ctx, plan, progress)
	}
	if err != nil {
		return nil, c, err
	}
	c.Auto = true
	next, err := r.Conversation.Follow(context.WithoutCancel(ctx), head.ID(), c)
	return next, c, err
}

// planFor plans with a target of its own.
func (r Runner) planFor(head *session.Chain, target int) (compaction.Plan, error) {
	if limit := r.Limit(); limit > 0 {
		r.Target = float64(target) / float64(limit)
	}
	return r.Plan(head, "")
}

// offer says that compaction is due, where the user wants to be asked.
func (r Runner) offer(emit func(Event)) {
	if r.Auto != Ask {
		return
	}
	head := r.Conversation.Head()
	if d := r.due(head); d.Due {
		r.Gate.Skipped() // once per message is enough
		emit(Due{r.Meter.Measure(head)})
	} else if d.Notice != "" {
		emit(Notice{d.Notice})
	}
}

// learn compares what the server counted with what we had expected.
func (r Runner) learn(head *session.Chain, u *session.Usage, emit func(Event)) {
	if u == nil || u.Prompt <= 0 {
		return
	}
	if expected := r.Meter.Measure(head).Tokens; providers.Dropped(expected, u.Prompt) {
		emit(Notice{fmt.Sprintf("the server counted %d tokens where about %d were sent: it may have cut the beginning off", u.Prompt, expected)})
		return
	}
	if r.Learn != nil {
		r.Learn(r.Meter.Raw(head), u.Prompt)
	}
}
