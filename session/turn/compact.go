package turn

import (
	"cmp"
	"context"
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
	params := compaction.InChat(r.Strategy, r.Params)
	if spec, _ := compaction.Lookup(r.Strategy); focus != "" && spec.Has("focus") {
		params["focus"] = focus
	}
	return plan(r.Strategy, params, head, r.budgetFor(head))
}

func plan(strategy string, params compaction.Params, head *session.Chain, b compaction.Budget) (compaction.Plan, error) {
	s, err := compaction.New(strategy, params)
	if err != nil {
		return compaction.Plan{}, err
	}
	return s.Plan(head.Context(), b)
}

// Summarize writes the summary that a plan wants. Nothing is changed: the last
// event is [Summarized], with what can be appended, or [Failed]. A summary that
// makes exact values up fails; [compaction.Plan.Watched] lets it through, for a
// user who decides.
func (r Runner) Summarize(ctx context.Context, p compaction.Plan) iter.Seq[Event] {
	return r.summarized(ctx, func(ctx context.Context, emit func(Event)) (Summarized, error) {
		p, author := r.assign(ctx, p)
		c, err := author.Write(ctx, p, r.writing(emit))
		if err != nil {
			return Summarized{}, err
		}
		_, review := p.Review(c, compaction.Choices{})
		return Summarized{Event: c, Review: review}, nil
	})
}

// SummarizeUnasked is [Runner.Summarize] where nobody is there to decide, as
// [compaction.Author.WriteUnasked] has it. It emits a [Notice] of what had to be
// done instead. There is no review, since nobody would read it.
func (r Runner) SummarizeUnasked(ctx context.Context, p compaction.Plan) iter.Seq[Event] {
	return r.summarized(ctx, func(ctx context.Context, emit func(Event)) (Summarized, error) {
		p, author := r.assign(ctx, p)
		c, err := author.WriteUnasked(ctx, p, r.writing(emit), func(s string) { emit(Notice{s}) })
		return Summarized{Event: c}, err
	})
}

func (r Runner) summarized(ctx context.Context, write func(context.Context, func(Event)) (Summarized, error)) iter.Seq[Event] {
	return run(ctx, func(ctx context.Context, emit func(Event)) {
		began := r.Now()
		s, err := write(ctx, emit)
		switch {
		case err != nil && ctx.Err() != nil:
			emit(Failed{ErrStopped})
		case err != nil:
			emit(Failed{err})
		default:
			s.Event = r.timed(s.Event, began)
			emit(s)
		}
	})
}

// timed returns a compaction that was begun then, with when and how long that was.
func (r Runner) timed(c session.Compaction, began time.Time) session.Compaction {
	c.At, c.Took = began, r.Now().Sub(began).Round(time.Millisecond)
	return c
}

// Apply makes a planned compaction happen, as a step of its own. It fails if
// the conversation has changed under the plan.
func (r Runner) Apply(ctx context.Context, p compaction.Plan, c session.Compaction) (*session.Chain, error) {
	head, err := r.Conversation.Update(context.WithoutCancel(ctx), func(head *session.Chain) (*session.Chain, error) {
		if err := p.Fits(head.Context()); err != nil {
			return nil, err
		}
		return head.Append(p.Since(c, head.Context())), nil
	})
	if err == nil {
		r.Gate.Compacted()
	}
	return head, err
}

// assign returns who writes the summary of a plan, with the model that sums up
// if there is one, and the plan with a summary for which the chat's window has
// room.
func (r Runner) assign(ctx context.Context, p compaction.Plan) (compaction.Plan, compaction.Author) {
	size, _ := r.Window.Size()
	a := compaction.Author{Model: r.Model, Room: compaction.Room{Window: size, Count: r.countText()}}
	if r.Summarizer == nil {
		return p, a
	}
	if p.Request != nil && p.Request.Model != "" && p.Request.Model != r.Model {
		p, a.Room.Window = p.Within(size), r.windowOf(ctx, p.Request.Model)
	}
	a.Ask = func(ctx context.Context, p compaction.Prompt) iter.Seq2[compaction.Piece, error] {
		return r.prompt(ctx, p, a.Room.Window)
	}
	return p, a
}

// windowOf returns how many tokens the server of summaries accepts for another
// model than the chat's; as many as for that one, if nobody can tell.
func (r Runner) windowOf(ctx context.Context, model string) int {
	size, _ := r.Window.Size()
	own, err := r.Summarizer.Window(ctx, model)
	if err != nil {
		return size
	}
	n, _ := own.Size()
	return cmp.Or(n, size)
}

// writing tells how far a summary has come. It is counted anew whenever it has
// grown by a sixteenth, since it comes in many small pieces.
func (r Runner) writing(emit func(Event)) func(compaction.Progress) {
	count, counted, tokens := r.countText(), 0, 0
	return func(p compaction.Progress) {
		switch n := len(p.Text); {
		case n == 0:
			counted, tokens = 0, 0
		case n < counted || n-counted > counted/16:
			counted, tokens = n, count(p.Text)
		}
		w := Writing{Text: p.Text, Tokens: tokens}
		if !p.Done {
			w.Status = stage(p)
		}
		emit(w)
	}
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

// countText counts a text as the messages of the chat are counted.
func (r Runner) countText() func(string) int { return compaction.TextCount(r.Meter.Item) }

// prompt has the model answer one request of the summary. The window of the
// chat's own model is the same as for a reply, or the server would load it anew.
func (r Runner) prompt(ctx context.Context, p compaction.Prompt, window int) iter.Seq2[compaction.Piece, error] {
	return func(yield func(compaction.Piece, error) bool) {
		req := providers.Request{
			Model: cmp.Or(p.Model, r.Model), Window: window, KeepAlive: r.KeepAlive,
			MaxTokens: p.MaxTokens, NoThink: p.NoThink,
			Messages: []session.Message{
				{Role: session.System, Text: p.System},
				{Role: session.User, Text: p.Text},
			},
		}
		w := r.watch(r.Summarizer, req)
		for chunk, err := range r.Summarizer.Stream(ctx, req) {
			if err == nil {
				w.see(chunk)
			}
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
		emit(Due{r.InUse().Measure(head)})
	} else if d.Notice != "" {
		emit(Notice{d.Notice})
	}
}

// due asks the gate about the context of head.
func (r Runner) due(head *session.Chain) compaction.Decision {
	look := r.Meter.Outlook(head)
	fixed, _ := r.InUse().fixed(head)
	return r.Gate.Due(r.Budget(), compaction.Size{Tokens: look.Measure().Tokens, Reported: len(look.readings) > 0, Fixed: fixed}, r.Shares())
}
