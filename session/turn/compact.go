package turn

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// Plan says what the strategy would do to the context of head. The focus, if
// there is one, is what a summary should care about most.
func (r Runner) Plan(head *session.Chain, focus string) (compaction.Plan, error) {
	params := r.params()
	if focus != "" && takes(r.Strategy, "focus") {
		params["focus"] = focus
	}
	return plan(r.Strategy, params, head, r.budgetFor(head))
}

// params returns the parameters of the strategy as they are in a chat.
func (r Runner) params() compaction.Params {
	params := compaction.Params{}
	maps.Copy(params, compaction.InChat(r.Strategy, r.Params))
	return params
}

func plan(strategy string, params compaction.Params, head *session.Chain, b compaction.Budget) (compaction.Plan, error) {
	s, err := compaction.New(strategy, params)
	if err != nil {
		return compaction.Plan{}, err
	}
	return s.Plan(head.Context(), b)
}

func takes(strategy, param string) bool {
	spec, _ := compaction.Lookup(strategy)
	return slices.ContainsFunc(spec.Params, func(p compaction.Param) bool { return p.Name == param })
}

// Summarize writes the summary that a plan wants. Nothing is changed: the last
// event is [Summarized], with what can be appended, or [Failed]. A summary that
// makes exact values up fails; [compaction.Plan.Watched] lets it through, for a
// user who decides.
func (r Runner) Summarize(ctx context.Context, p compaction.Plan) iter.Seq[Event] {
	return run(ctx, func(ctx context.Context, emit func(Event)) {
		c, err := r.summary(ctx, p, emit)
		switch {
		case err != nil && ctx.Err() != nil:
			emit(Failed{ErrStopped})
		case err != nil:
			emit(Failed{err})
		default:
			emit(Summarized{Event: c, Invented: p.Receipt(c).Invented})
		}
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
		if c.Summary = p.Request.Extract(r.room().Count); c.Summary == "" {
			return c, &compaction.Refused{Reason: compaction.Blank, Detail: "there is nothing to quote"}
		}
		emit(Writing{Text: c.Summary})
	default:
		if c.Model = p.Request.Model; c.Model == "" {
			c.Model = r.Model
		}
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
		return r.Meter.Item(session.Item{Message: &session.Message{Role: session.User, Text: text}})
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

// offer says that compaction of head is due, where the user wants to be asked.
func (r Runner) offer(head *session.Chain, emit func(Event)) {
	if r.Auto != Ask {
		return
	}
	if d := r.due(head); d.Due {
		r.Gate.Skipped() // once per message is enough
		emit(Due{r.Meter.Measure(head)})
	} else if d.Notice != "" {
		emit(Notice{d.Notice})
	}
}

// due asks the gate about the context of head.
func (r Runner) due(head *session.Chain) compaction.Decision {
	_, reported := r.Meter.reported(head, r.Meter.parts(head.Context()).sum())
	fixed, _ := r.Meter.fixed(head)
	return r.Gate.Due(r.Budget(), compaction.Size{Tokens: r.Meter.Measure(head).Tokens, Reported: reported, Fixed: fixed})
}
