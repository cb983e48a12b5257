package compaction

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"pleat/compaction/facts"
	"pleat/session"
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

// Reason is why a summary was refused.
type Reason string

// The reasons to refuse a summary.
const (
	Blank     Reason = "blank"     // it says nothing
	Cut       Reason = "cut"       // it ran into the length limit
	Broken    Reason = "broken"    // it ended without the server saying so
	Unusual   Reason = "unusual"   // it ended for another reason than that it was complete
	Calls     Reason = "calls"     // it wants to call tools
	NotLess   Reason = "not less"  // with it, the context is not smaller
	TooSmall  Reason = "too small" // the model's window is
	Shapeless Reason = "shapeless" // it does not have the sections asked for
	Invented  Reason = "invented"  // it has exact values that the conversation does not have
)

// Refused is the error of a summary that may not replace what it sums up.
type Refused struct {
	Reason   Reason
	Detail   string   // for the user
	Invented []string // with that reason: the values
}

func tooSmall() error {
	return &Refused{Reason: TooSmall, Detail: "the window of the model that sums up is too small for it · choose another model or a larger window"}
}

// Error says why, in words for the user.
func (e *Refused) Error() string { return "the summary was refused: " + e.Detail }

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
		w := &writer{ctx: ctx, request: p.Request.within(room), room: room, ask: ask, yield: yield, invented: p.invented}
		summary, err := w.write()
		if w.left {
			return
		}
		if err == nil {
			if after := p.AfterWith(summary); after >= p.Before {
				err = &Refused{Reason: NotLess, Detail: fmt.Sprintf("it would not make the context smaller, %d → %d tokens", p.Before, after)}
			}
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
	request SummaryRequest
	room    Room
	ask     Ask
	yield   func(Progress, error) bool
	left    bool // nobody reads any more

	invented func(string) []facts.Fact
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

func quotedSummaries(summaries []string) []string {
	pieces := make([]string, len(summaries))
	for i, s := range summaries {
		pieces[i] = fmt.Sprintf("summary of part %d:\n%s\n", i+1, quote(s))
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

// again asks once more where a changed request may help: without reasoning if
// nothing else came; without the values that were made up; with a larger limit, or with half of the input at a time
// if the window has no room for one, if the limit was run into.
func (w *writer) again(refused *Refused, p Prompt, part string, request build, progress Progress) (string, error) {
	switch {
	case refused.Reason == Blank && refused.Detail == onlyReasoning:
		p.NoThink = true
		progress.Again = "the model only reasoned"
		return w.once(p, progress)
	case refused.Reason == Invented:
		progress.Again = "it named values that are not in the conversation"
		return w.once(p.without(refused.Invented), progress)
	case refused.Reason != Cut:
		return "", refused
	}
	progress.Again = "the summary ran into its limit"
	if larger, ok := w.larger(p); ok {
		return w.once(larger, progress)
	}
	first, second, ok := halve(part)
	if !ok {
		return "", refused
	}
	var summaries []string
	for i, half := range []string{first, second} {
		s, err := w.once(request(half, i+1, 2), progress)
		if err != nil {
			return "", err
		}
		summaries = append(summaries, s)
	}
	return strings.Join(summaries, "\n"), nil
}

// halve cuts a part between two items, near its middle.
func halve(part string) (first, second string, ok bool) {
	const between = "\n\n" // quoted lines are never empty
	middle := len(part) / 2
	at := strings.Index(part[middle:], between)
	if at >= 0 {
		at += middle
	} else {
		at = strings.LastIndex(part[:middle], between)
	}
	if at < 0 || at+len(between) >= len(part) {
		return "", "", false
	}
	return part[:at+len(between)], part[at+len(between):], true
}

// larger returns p with a limit that is worth another try, if the window has
// room for one.
func (w *writer) larger(p Prompt) (Prompt, bool) {
	limit := 2 * p.MaxTokens
	if w.room.Window > 0 {
		limit = min(limit, w.room.input(0)-w.room.tokens(p))
	}
	if limit < p.MaxTokens+p.MaxTokens/4 {
		return p, false
	}
	p.MaxTokens = limit
	return p, true
}

const (
	onlyReasoning = "the model reasoned and said nothing"
	saidNothing   = "the model said nothing"
)

// once sends one request and judges the answer.
func (w *writer) once(p Prompt, progress Progress) (string, error) {
	if !w.room.fits(p) {
		return "", tooSmall()
	}
	if err := w.show(progress); err != nil {
		return "", err
	}
	var raw strings.Builder
	reasoned, calls := false, 0
	var last Piece
	for piece, err := range w.ask(w.ctx, p) {
		if err != nil {
			if stopped := w.ctx.Err(); stopped != nil {
				return "", stopped
			}
			return "", fmt.Errorf("cannot have the conversation summed up: %w", err)
		}
		raw.WriteString(piece.Text)
		reasoned = reasoned || piece.Reasoning != ""
		calls += piece.ToolCalls
		last = piece
		progress.Text = StripReasoning(raw.String())
		progress.Thinking = progress.Text == "" && (reasoned || raw.Len() > 0)
		if piece.Text != "" || piece.Reasoning != "" {
			if err := w.show(progress); err != nil {
				return "", err
			}
		}
		if piece.Done {
			break
		}
	}
	if err := w.ctx.Err(); err != nil {
		return "", err
	}
	text := bare(raw.String())
	reasoned = reasoned || text != bareAs(raw.String())
	if err := judge(text, reasoned, calls, last); err != nil {
		return text, err
	}
	return text, w.verify(text)
}

// bare returns the summary itself: without reasoning, and without the heading
// that it will get anyway.
func bare(raw string) string { return bareAs(StripReasoning(raw)) }

func bareAs(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(strings.TrimPrefix(text, session.SummaryHeading))
}

// judge returns why an answer cannot stand for what it sums up, or nil.
func judge(text string, reasoned bool, calls int, last Piece) error {
	refuse := func(r Reason, detail string) error { return &Refused{Reason: r, Detail: detail} }
	switch {
	case calls > 0:
		return refuse(Calls, "the model wanted to call a tool instead")
	case !last.Done:
		return refuse(Broken, "the answer stopped before it was complete")
	case text == "" && reasoned:
		return refuse(Blank, onlyReasoning)
	case last.Finish == FinishLength:
		return refuse(Cut, "it ran into the length limit and breaks off")
	case text == "":
		return refuse(Blank, saidNothing)
	case last.Finish != FinishStop:
		return refuse(Unusual, fmt.Sprintf("the answer ended for the reason %q", last.Finish))
	}
	return nil
}
