package compaction

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Piece is a part of what the model answers. Any of its fields may be empty.
type Piece struct {
	Text      string
	Reasoning string
	ToolCalls int    // number of tools that it wants to call
	Done      bool   // the answer is complete; the last piece
	Finish    string // with Done: why it ended, [FinishStop] or [FinishLength] or anything else
}

// Why an answer ended.
const (
	FinishStop   = "stop"   // the model was done
	FinishLength = "length" // it ran into a limit
)

// Ask sends one request. It yields pieces until one with Done, or one error;
// cancelling ctx ends it at once.
type Ask func(ctx context.Context, p Prompt) iter.Seq2[Piece, error]

// Progress is how far a summary has come.
type Progress struct {
	Part, Parts int    // which part of the conversation is read, from 1; 0 of 0 while parts are merged
	Text        string // the answer to this part so far, without reasoning
	Thinking    bool   // the model reasons
	Again       string // why this part was asked for once more, "" if it was not
	Done        bool   // Summary is complete and was accepted; the last one
	Summary     string
}

// Summarize has a model write the summary that p wants, and judges it. It
// yields progress while text comes in, at last one with Done. Or it ends with
// an error: a [*Refused], that of ask, or that of ctx. Nothing is changed in
// any case; a request that failed is not sent again.
//
// An answer with exact values that are not in the conversation is asked for once
// more, with those named, then refused; see [Plan.Watched] for when it is not.
func Summarize(ctx context.Context, p Plan, room Room, ask Ask) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		if p.Request == nil {
			yield(Progress{}, errors.New("this plan wants no summary"))
			return
		}
		w := &writer{ctx: ctx, plan: p, request: p.Request.within(room), room: room, ask: ask, yield: yield}
		summary, err := w.write()
		if w.left {
			return
		}
		if err == nil {
			err = w.notLess(summary)
		}
		if err != nil {
			yield(Progress{}, err)
			return
		}
		yield(Progress{Summary: summary, Done: true}, nil)
	}
}

// writer has one summary written.
type writer struct {
	ctx     context.Context
	plan    Plan
	request SummaryRequest // of the plan, within the room
	room    Room
	ask     Ask
	yield   func(Progress, error) bool
	left    bool // nobody reads any more
}

var errLeft = errors.New("nobody waits for the summary any more")

func (w *writer) show(p Progress) error {
	if !w.left && !w.yield(p, nil) {
		w.left = true
	}
	if w.left {
		return errLeft
	}
	return nil
}

// write sums up part by part, then makes one of the summaries.
func (w *writer) write() (string, error) {
	parts, err := w.request.parts(w.room)
	if err != nil {
		return "", err
	}
	summaries, err := w.each(parts, w.request.prompt)
	for err == nil && len(summaries) > 1 {
		before := len(summaries)
		merging := w.room.pack(quotedSummaries(summaries), func(s string) Prompt { return w.request.merge(s, 9999, 9999) })
		if len(merging) >= before {
			return "", tooSmall()
		}
		summaries, err = w.each(merging, w.request.merge)
	}
	if err != nil {
		return "", err
	}
	return w.request.finish(summaries[0])
}

// notLess refuses a summary with which the context would not be smaller.
func (w *writer) notLess(summary string) error {
	before, after := w.plan.Before, w.plan.AfterWith(summary)
	if after < before {
		return nil
	}
	return &Refused{Reason: NotLess, Detail: fmt.Sprintf("it would not make the context smaller, %d → %d tokens", before, after)}
}

func quotedSummaries(summaries []string) []string {
	pieces := make([]string, len(summaries))
	for i, s := range summaries {
		pieces[i] = fmt.Sprintf("summary of part %d:\n%s\n", i+1, Quote(s))
	}
	return pieces
}

// build makes the request for one of several parts.
type build func(s string, part, parts int) Prompt

// each asks for a summary of each part.
func (w *writer) each(parts []string, request build) ([]string, error) {
	summaries := make([]string, len(parts))
	for i, part := range parts {
		p := request(part, i+1, len(parts))
		progress := Progress{Part: i + 1, Parts: len(parts)}
		text, err := w.once(p, progress)
		if refused, ok := errors.AsType[*Refused](err); ok {
			text, err = w.again(refused, p, part, request, progress)
		}
		if err != nil {
			return nil, err
		}
		summaries[i] = text
	}
	return summaries, nil
}
