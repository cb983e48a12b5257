package ui

import (
	"testing"
	"time"

	"pleat/session"
	"pleat/session/turn"
)

// summaries counts the summaries that the model gets.
func (t *terminal) summaries() (n int) {
	t.look(func(m *Model) {
		for it := range m.head.Context().Live() {
			if it.Compaction != nil {
				n++
			}
		}
	})
	return n
}

func TestTerminalSendsWhileASummaryIsWritten(t *testing.T) {
	inTerminal(t, withStrategy(options(slowly("Cookies are read in one place."), long()), "summarize"), 110, 34, func(term *terminal) {
		term.types(keyBytes(t, "f2"))
		term.pass(300 * time.Millisecond)
		term.types("\r")
		term.sees("applies when it is ready")
		term.types("and the rollback?\r")
		term.sees("and the rollback?")
		if n := term.summaries(); n != 0 {
			t.Errorf("%d summaries are there already", n)
		}
		term.pass(5 * time.Second)
		term.sees("and the rollback?", "write a message")
		if n := term.summaries(); n != 1 {
			t.Errorf("%d summaries:\n%s", n, term.screen())
		}
		term.types(keyBytes(t, "ctrl+x U"))
		term.pass(time.Second)
		if n := term.summaries(); n != 0 {
			t.Errorf("%d summaries are left:\n%s", n, term.screen())
		}
		term.sees("and the rollback?")
	})
}

func TestTerminalUndoesWhileASummaryIsWritten(t *testing.T) {
	inTerminal(t, withStrategy(options(slowly("Cookies are read in one place."), long()), "summarize"), 110, 34, func(term *terminal) {
		term.types(keyBytes(t, "f2"))
		term.pass(300 * time.Millisecond)
		term.types("\t")
		for range 12 {
			term.types(keyBytes(t, "ctrl+x u"))
		}
		term.pass(5 * time.Second)
		if n := term.summaries(); n != 0 {
			t.Errorf("%d summaries of what is undone:\n%s", n, term.screen())
		}
		for range 12 {
			term.types(keyBytes(t, "ctrl+x r"))
		}
		said := 0
		term.look(func(m *Model) {
			for it := range m.head.Context().Live() {
				if it.Message != nil && it.Message.Role == session.User {
					said++
				}
			}
		})
		if said < 30 {
			t.Errorf("%d messages of the user are back", said)
		}
	})
}

func TestTerminalOffersToCompactForASmallerModel(t *testing.T) {
	inTerminal(t, twoModels(turn.Ask, long()), 110, 34, func(term *terminal) {
		term.types("/model small\r")
		term.pass(5 * time.Second)
		term.sees("does not fit", "over by")
		term.types(keyBytes(t, "f2"))
		term.pass(time.Second)
		term.types("\r")
		term.pass(time.Second)
		term.sees("compacted")
	})
}
