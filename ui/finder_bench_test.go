package ui

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// finding returns a chat of n messages in which words were typed in the find line,
// and found.
func finding(tb testing.TB, chain *session.Chain, words string) (*Model, *finder) {
	m := opened(tb, chain)
	m.Update(keyPress("tab"))
	m.Update(keyPress("/"))
	for _, r := range words {
		m.Update(keyPress(string(r)))
	}
	f := dialogOf[*finder](m)
	m.Update(f.find.scan(m)())
	if f.find.total == 0 {
		tb.Fatalf("%q is not found", words)
	}
	return m, f
}

// BenchmarkFind takes the time from a key in the find line to its frame, and from
// what it finds to the frame with that.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("folded/messages=%d", n), func(b *testing.B) {
			c := dialogue(n + 2)
			from, _ := c.Context().Numbered(1)
			to, _ := c.Context().Numbered(n)
			c = c.Append(session.Compaction{Strategy: "summarize", Covers: []session.Span{{From: from.ID, To: to.ID}}, Summary: "all so far"})
			m, f := finding(b, c, "people")
			msg := f.find.scan(m)().(placesMsg)
			for i := 0; b.Loop(); i++ {
				f.start = standpoint{row: m.transcript.at(1 + i*7%n)}
				f.find.of = nil
				m.Update(msg)
				m.View()
			}
		})
		b.Run(fmt.Sprintf("key/messages=%d", n), func(b *testing.B) {
			m, _ := finding(b, dialogue(n), "peopl")
			for b.Loop() {
				m.Update(keyPress("e"))
				m.View()
				m.Update(keyPress("backspace"))
				m.View()
			}
		})
		b.Run(fmt.Sprintf("found/messages=%d", n), func(b *testing.B) {
			m, f := finding(b, dialogue(n), "people")
			msg := f.find.scan(m)().(placesMsg)
			for i := 0; b.Loop(); i++ {
				f.start = standpoint{row: m.transcript.at(i * 7 % n)}
				f.find.of = nil
				m.Update(msg)
				m.View()
			}
		})
		b.Run(fmt.Sprintf("next/messages=%d", n), func(b *testing.B) {
			m, _ := finding(b, dialogue(n), "people")
			m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
			for b.Loop() {
				m.Update(keyPress("N"))
				m.View()
			}
		})
		b.Run(fmt.Sprintf("scan/messages=%d", n), func(b *testing.B) {
			m, f := finding(b, dialogue(n), "people")
			for b.Loop() {
				f.find.scan(m)()
			}
		})
	}
}
