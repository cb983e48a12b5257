package ui

import (
	"context"
	"testing"
	"time"

	"pleat/session"
)

// TestResultsHaveTheNameOfTheirToolOnceTheSessionIsOpen checks that what is laid out
// of a message before its session is known does not stay.
func TestResultsHaveTheNameOfTheirToolOnceTheSessionIsOpen(t *testing.T) {
	history := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "run it"})
	history = history.Follow(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "a", Name: "look", Arguments: "{}"}, {ID: "b", Name: "run", Arguments: "{}"}}})
	history = history.Follow(session.Message{Role: session.Tool, ToolCallID: "a", Text: "nothing"})
	history = history.Follow(session.Message{Role: session.Tool, ToolCallID: "b", ToolName: "run", Text: "done"})
	o := options(says("ok"), history)
	open := o.Open
	o.Open = func(ctx context.Context) (Opened, error) {
		time.Sleep(time.Minute)
		return open(ctx)
	}
	o.Newest = func(context.Context) ([]session.Said, error) {
		a, b := history.Parent(), history
		return []session.Said{{ID: a.ID(), Message: a.Event().(session.Message)}, {ID: b.ID(), Message: b.Event().(session.Message)}}, nil
	}
	drive(t, o, 60, 18, func(d *driver) {
		d.settle()
		d.sees("▸ tool, 1 line · nothing", "▸ run, 1 line · done")
		d.pass(time.Minute)
		d.settle()
		d.sees("▸ look, 1 line · nothing", "▸ run, 1 line · done")
	})
}
