package ui

import (
	"fmt"
	"testing"
)

// BenchmarkDialogs takes the time from a key to the frame in every dialog that
// is open over a conversation.
func BenchmarkDialogs(b *testing.B) {
	keys := func(names ...string) func(b *testing.B, n int) *Model {
		return func(b *testing.B, n int) *Model {
			m := opened(b, dialogue(n))
			for _, name := range names {
				m.Update(keyPress(name))
			}
			return m
		}
	}
	within := func(names ...string) func(b *testing.B, n int) *Model {
		return func(b *testing.B, n int) *Model {
			m := previewed(b, n)
			for _, name := range names {
				m.Update(keyPress(name))
			}
			return m
		}
	}
	for _, tt := range []struct {
		name string
		open func(b *testing.B, n int) *Model
	}{
		{"composer", keys()},
		{"compare", compared},
		{"preview", within()},
		{"values", within("v")},
		{"editor", within("e")},
		{"context", func(b *testing.B, n int) *Model { return openPanel(b, n) }},
		{"timeline", func(b *testing.B, n int) *Model {
			m := opened(b, dialogue(n))
			lookUp(m, m.showTimeline())
			return m
		}},
		{"browser", func(b *testing.B, n int) *Model { return manySessions(b, n) }},
		{"palette", keys("ctrl+p")},
		{"help", keys("f1")},
	} {
		for _, n := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/messages=%d", tt.name, n), func(b *testing.B) {
				m := tt.open(b, n)
				for b.Loop() {
					m.Update(keyPress("down"))
					m.View()
					m.Update(keyPress("up"))
					m.View()
				}
			})
		}
	}
}
