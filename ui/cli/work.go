package cli

import (
	"context"
	"encoding/json"
	"time"

	"pleat/session"
	"pleat/ui"
)

// keepWork stores what is under way in a session, beside that of other programs.
func (a *app) keepWork(ctx context.Context, id string, w ui.Work) error {
	s, err := a.open()
	if err != nil {
		return err
	}
	me, err := a.program.name()
	if err != nil {
		return err
	}
	if w.Empty() {
		return s.SetWork(ctx, id, me, nil)
	}
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return s.SetWork(ctx, id, me, data)
}

// lookAgain is the time between two looks at whether a program still runs that
// may be about to end.
const lookAgain = time.Second / 4

// work takes up what was under way in a session when the program ended that was
// at it. What another one is at still is left to that: its process id is
// returned, once it has had some time to end. Of what several left behind, each
// that comes takes one.
func (a *app) work(ctx context.Context, id string) (w ui.Work, elsewhere int, err error) {
	for left := a.patience; ; left -= lookAgain {
		w, elsewhere, err = a.takeWork(ctx, id)
		switch {
		case id == "":
			return w, 0, err // each of them is at a session of its own
		case err != nil || elsewhere == 0 || left <= 0 || !w.Empty():
			return w, elsewhere, err
		}
		select {
		case <-ctx.Done():
			return ui.Work{}, 0, ctx.Err()
		case <-time.After(lookAgain):
		}
	}
}

// takeWork looks once.
func (a *app) takeWork(ctx context.Context, id string) (w ui.Work, elsewhere int, err error) {
	s, err := a.open()
	if err != nil {
		return ui.Work{}, 0, err
	}
	works, err := s.Works(ctx, id)
	if err != nil || len(works) == 0 {
		return ui.Work{}, 0, err
	}
	me, err := a.program.name()
	if err != nil {
		return ui.Work{}, 0, err
	}
	var found, left *session.Work
	for i := range works {
		one := &works[i]
		if one.By == me {
			found = one
		} else if process, ok := a.program.runs(one.By); ok {
			elsewhere = process
		} else {
			left = one
		}
	}
	if found == nil && left != nil {
		taken, err := s.TakeWork(context.WithoutCancel(ctx), id, left.By, me)
		if err != nil {
			return ui.Work{}, 0, err
		}
		if !taken { // another program was quicker
			return a.takeWork(ctx, id)
		}
		found = left
	}
	if found == nil {
		return ui.Work{}, elsewhere, nil
	}
	if json.Unmarshal(found.Data, &w) != nil { // what cannot be understood is nothing
		return ui.Work{}, elsewhere, s.SetWork(ctx, id, me, nil)
	}
	return w, elsewhere, nil
}
