package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

func TestTheBrowserFitsEverySizeAndEscLeavesWithoutATrace(t *testing.T) {
	o, _ := stocked(options(says("ok"), long()))
	inTerminal(t, o, 110, 34, func(term *terminal) {
		head := term.m.head
		term.types("draft")
		term.types(keyBytes(t, "ctrl+x l"))
		term.types("o")
		term.pass(time.Second)
		for _, size := range [][2]int{{40, 10}, {20, 5}, {1, 1}, {60, 18}, {21, 6}, {300, 90}, {110, 34}} {
			term.resize(size[0], size[1])
			framed(t, term.m)
			for _, press := range []string{"down", "up", "end", "home", "pgdown", "pgup", "ctrl+r", "x", "left", "esc", "end"} {
				term.types(keyBytes(t, press))
				framed(t, term.m)
			}
		}
		term.leaves("draft")
		if term.m.head != head {
			t.Error("the conversation has changed")
		}
	})
}

func TestTheBrowserShowsNothingThatATerminalObeys(t *testing.T) {
	o, s := stocked(options(says("ok"), long()))
	for _, a := range attacks {
		s.add(time.Hour, (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "cookie " + a + " cookie"}))
	}
	inTerminal(t, o, 80, 24, func(term *terminal) {
		term.types(keyBytes(t, "ctrl+x l"))
		term.types("\x1b[200~" + strings.Join(attacks, "\n") + "\x1b[201~")
		term.types(keyBytes(t, "ctrl+u") + "cook")
		term.pass(time.Second)
		for range 20 {
			term.types(keyBytes(t, "down"))
			framed(t, term.m)
		}
		term.types(keyBytes(t, "home ctrl+r"))
		term.types("\x1b[200~" + strings.Join(attacks, "\n") + strings.Repeat("漢字 ", 500) + "\x1b[201~")
		framed(t, term.m)
		if a := obeyed(term.out.bytes()); a != "" {
			t.Errorf("the terminal was sent %q", a)
		}
		term.escapes()
	})
}

func TestAges(t *testing.T) {
	now := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	tests := map[time.Duration]string{
		-time.Hour: "just now", 0: "just now", 59 * time.Minute: "59 min ago", 47 * time.Hour: "47 h ago",
		72 * time.Hour: "3 d ago", 40 * 24 * time.Hour: "2026-01-29",
	}
	for ago, want := range tests {
		if got := age(now.Add(-ago), now); got != want {
			t.Errorf("%v ago is %q, want %q", ago, got, want)
		}
	}
}

// manySessions returns a browser that lists n sessions.
func manySessions(tb testing.TB, n int) *Model {
	m := opened(tb, dialogue(100))
	var all []session.Info
	for i := range n {
		all = append(all, session.Info{ID: session.NewID(m.opts.Now()), Title: fmt.Sprintf("%d: how the cookies of the shop were moved to another store", i), Messages: i})
	}
	m.opts.Sessions = func(context.Context) ([]session.Info, error) { return all, nil }
	m.browse("")
	b := m.browsing()
	m.Update(listedMsg{b, b.listing, shelve(all, m.opts.Now()), nil})
	return m
}

func BenchmarkBrowserKeyToFrame(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("sessions=%d", n), func(b *testing.B) {
			m := manySessions(b, n)
			for b.Loop() {
				m.Update(tea.KeyPressMsg{Code: 's', Text: "s"})
				m.View()
				m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
				m.View()
			}
		})
	}
}

func BenchmarkBrowserOpens(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("sessions=%d", n), func(b *testing.B) {
			m := manySessions(b, n)
			all, _ := m.opts.Sessions(b.Context())
			for b.Loop() {
				m.browse("")
				one := m.browsing()
				m.Update(listedMsg{one, one.listing, shelve(all, m.opts.Now()), nil})
				m.View()
			}
		})
	}
}
