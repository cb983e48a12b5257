package compaction

import (
	"fmt"
	"strings"

	"pleat/session"
)

// answer is what has come of a model's answer to one request.
type answer struct {
	said    unreasoned
	thought int // bytes of reasoning, other than what stands in the text
	calls   int // number of tools that it wants to call
	last    Piece
}

func (a *answer) add(p Piece) {
	a.said.add(p.Text)
	a.thought += len(p.Reasoning)
	a.calls += p.ToolCalls
	a.last = p
}

// once sends one request and judges the answer.
func (w *writer) once(p Prompt, progress Progress) (string, error) {
	if !w.room.fits(p) {
		return "", tooSmall()
	}
	if err := w.show(progress); err != nil {
		return "", err
	}
	a, err := w.listen(p, progress)
	if err != nil {
		return "", err
	}
	text := bare(a.said.all())
	if err := a.judge(text); err != nil {
		return text, err
	}
	return text, w.verify(text)
}

// listen takes in the answer to a request until it is complete or can no longer be
// accepted, and shows how far it has come.
func (w *writer) listen(p Prompt, progress Progress) (*answer, error) {
	var a answer
	most := w.bound(p)
	for piece, err := range w.ask(w.ctx, p) {
		if err != nil {
			if stopped := w.ctx.Err(); stopped != nil {
				return nil, stopped
			}
			return nil, fmt.Errorf("cannot have the conversation summed up: %w", err)
		}
		a.add(piece)
		progress.Text = a.said.text()
		progress.Thinking = progress.Text == "" && (a.thought > 0 || a.said.all() != "")
		if piece.Text != "" || piece.Reasoning != "" {
			if err := w.show(progress); err != nil {
				return nil, err
			}
		}
		if piece.Done {
			break
		}
		if err := most.exceeded(&a); err != nil {
			return nil, err
		}
	}
	return &a, w.ctx.Err()
}

// reasoned reports whether there is more to the answer than what it says.
func (a *answer) reasoned() bool {
	raw := a.said.all()
	return a.thought > 0 || bare(raw) != bareAs(raw)
}

// bare returns the summary itself: without reasoning, and without the heading
// that it will get anyway.
func bare(raw string) string { return bareAs(StripReasoning(raw)) }

func bareAs(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(strings.TrimPrefix(text, session.SummaryHeading))
}

const (
	onlyReasoning = "the model reasoned and said nothing"
	saidNothing   = "the model said nothing"
)

// judge returns why an answer with this summary cannot stand for what it sums up,
// or nil.
func (a *answer) judge(text string) error {
	refuse := func(r Reason, detail string) error { return &Refused{Reason: r, Detail: detail} }
	switch {
	case a.calls > 0:
		return refuse(Calls, "the model wanted to call a tool instead")
	case !a.last.Done:
		return refuse(Broken, "the answer stopped before it was complete")
	case text == "" && a.reasoned():
		return refuse(Blank, onlyReasoning)
	case a.last.Finish == FinishLength:
		return refuse(Cut, "it ran into the length limit and breaks off")
	case text == "":
		return refuse(Blank, saidNothing)
	case a.last.Finish != FinishStop:
		return refuse(Unusual, fmt.Sprintf("the answer ended for the reason %q", a.last.Finish))
	}
	return nil
}
