package ui

import (
	"context"
	"fmt"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// runAll runs a command and all that follows from it, one after another, but
// for the counts of exact values and what waits for a time.
func runAll(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			runAll(m, c)
		}
	case comparedMsg, projectedMsg, countedMsg:
		_, next := m.Update(msg)
		if _, rows := msg.(comparedMsg); !rows {
			runAll(m, next)
		}
	}
}

// BenchmarkCompareOpen takes the time until all rows show, and until their marks
// do in the transcript.
func BenchmarkCompareOpen(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			for b.Loop() {
				_, cmd := m.Update(tea.KeyPressMsg{Code: tea.KeyF6})
				m.View()
				runAll(m, cmd)
				m.View()
				m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
			}
		})
	}
}

// compared returns a chat with the comparison open and computed.
func compared(b *testing.B, n int) *Model {
	m := opened(b, dialogue(n))
	cmd := m.compareStrategies()
	runAll(m, cmd)
	m.comparing().round.counting = true // nobody counts exact values here
	return m
}

// BenchmarkCompareKey moves through the strategies, with what each would do
// marked in the transcript.
func BenchmarkCompareKey(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := compared(b, n)
			down := tea.KeyPressMsg{Code: 'j', Text: "j"}
			up := tea.KeyPressMsg{Code: 'k', Text: "k"}
			for i := 0; b.Loop(); i++ {
				if i/7%2 == 0 {
					m.Update(down)
				} else {
					m.Update(up)
				}
				m.View()
			}
		})
	}
}

// BenchmarkCompareStep changes a parameter, until the row and the marks follow.
func BenchmarkCompareStep(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := compared(b, n)
			c := m.comparing()
			c.move(m, slices.IndexFunc(c.list, func(o *contender) bool { return o.Strategy == "window" })-c.at)
			m.Update(tea.KeyPressMsg{Code: tea.KeyRight})
			for i := 0; b.Loop(); i++ {
				key := tea.KeyPressMsg{Code: tea.KeyRight}
				if i%2 == 1 {
					key = tea.KeyPressMsg{Code: tea.KeyLeft}
				}
				_, cmd := m.Update(key)
				runAll(m, cmd)
				m.View()
			}
		})
	}
}

// BenchmarkCompareFacts counts the exact values of one strategy.
func BenchmarkCompareFacts(b *testing.B) {
	m := compared(b, 10_000)
	c := m.comparing()
	for b.Loop() {
		with := m.runner.Compare(m.head)
		if _, err := with.Facts(context.Background(), c.selected().row.Projection); err != nil {
			b.Fatal(err)
		}
	}
}
