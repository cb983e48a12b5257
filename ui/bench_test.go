package ui

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pleat/session"
	"pleat/session/turn"
)

// dialogue is a conversation of n messages of about a kilobyte.
func dialogue(n int) *session.Chain {
	text := strings.Repeat("What is said here is as long as what people say. ", 20)
	var c *session.Chain
	for i := range n {
		m := session.Message{Role: session.User, Text: fmt.Sprint(i, " ", text)}
		if i%2 == 1 {
			m.Role, m.Model = session.Assistant, "qwen3:8b"
		}
		c = c.Append(m)
	}
	return c
}

// opened returns a chat with a history, laid out, whose commands nobody runs.
func opened(tb testing.TB, chain *session.Chain) *Model {
	tb.Helper()
	o := options(says("ok"), chain)
	m := New(tb.Context(), o)
	m.Update(tea.WindowSizeMsg{Width: 110, Height: 34})
	conv, err := o.Open(tb.Context())
	m.Update(openedMsg{Opened: conv, err: err, first: true})
	backend, err := o.Connect(tb.Context(), "")
	m.Update(connectedMsg{backend: backend, err: err})
	m.Update(m.measure()())
	if m.err != nil || m.conversation == nil {
		tb.Fatal(m.err, err)
	}
	return m
}

func BenchmarkKeyToFrame(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			for b.Loop() {
				m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
				m.Update(flushMsg{})
				m.View()
				m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
				m.View()
			}
		})
	}
}

func BenchmarkScroll(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			for i := 0; b.Loop(); i++ {
				button := tea.MouseWheelUp
				if i/(n/3+1)%2 == 1 {
					button = tea.MouseWheelDown
				}
				m.Update(tea.MouseWheelMsg{Button: button})
				m.View()
			}
		})
	}
}

func BenchmarkFrame(b *testing.B) {
	m := opened(b, dialogue(10_000))
	for b.Loop() {
		m.Update(tea.WindowSizeMsg{Width: 110, Height: 34})
		m.View()
	}
}

func BenchmarkHeadChange(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("messages=%d/show", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			x := m.head.Append(session.Message{Role: session.User, Text: "one more"}).Context()
			for b.Loop() {
				m.transcript.show(x)
			}
		})
		b.Run(fmt.Sprintf("messages=%d/measure", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			for b.Loop() {
				m.measure()()
			}
		})
	}
}

func BenchmarkHugeToolResult(b *testing.B) {
	c := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "run it"})
	c = c.Follow(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "a", Name: "run", Arguments: "{}"}}})
	c = c.Follow(session.Message{Role: session.Tool, ToolCallID: "a", ToolName: "run", Text: strings.Repeat("a line of output\n", 100_000)})
	m := opened(b, c)
	m.Update(tea.KeyPressMsg{Code: tea.KeyTab})
	m.Update(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
	clear(m.transcript.paint.asked)
	if cmd := m.renderRich(); cmd != nil {
		m.Update(cmd())
	}
	for b.Loop() {
		m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		m.View()
	}
}

// streamed has a reply of 20 kB stream in, in 5,000 pieces.
func streamed(m *Model, lineless bool) {
	m.reply = newReply(newFeed(func() {}), "qwen3:8b")
	for i := range 5000 {
		piece := "word"
		if i%4 == 3 {
			piece = ",\n  "
			if lineless {
				piece = ", ok"
			}
		}
		m.Update(eventsMsg{from: m.reply.feed, events: []turn.Event{turn.Delta{Text: piece}}})
		m.View()
	}
}

func BenchmarkStream(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		for _, lineless := range []bool{false, true} {
			b.Run(fmt.Sprintf("messages=%d/lineless=%v", n, lineless), func(b *testing.B) {
				m := opened(b, dialogue(n))
				for b.Loop() {
					streamed(m, lineless)
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/5000, "µs/piece")
			})
		}
	}
}

// counter counts the bytes that are written to it.
type counter struct{ n atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// BenchmarkStreamThroughProgram reports how many bytes a terminal gets for a
// reply of 20 kB in 5,000 pieces.
func BenchmarkStreamThroughProgram(b *testing.B) {
	for b.Loop() {
		p := says(strings.TrimSpace(strings.Repeat("abc ", 5000)))
		p.reply = inPieces(5000, "abc ", 400*time.Microsecond)
		ctx, cancel := context.WithCancel(b.Context())
		m := New(ctx, options(p, dialogue(10)))
		var out counter
		program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(&out), tea.WithWindowSize(110, 34),
			tea.WithColorProfile(colorprofile.TrueColor), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignalHandler())
		ended := make(chan error)
		go func() {
			_, err := program.Run()
			ended <- err
		}()
		for _, key := range []tea.Msg{tea.KeyPressMsg{Code: 'g', Text: "g"}, tea.KeyPressMsg{Code: tea.KeyEnter}} {
			program.Send(key)
		}
		for ; ; time.Sleep(20 * time.Millisecond) {
			if c := m.runner.Conversation; c != nil && c.Head().Len() == 12 {
				break
			}
		}
		program.Quit()
		<-ended
		cancel()
		m.Wait()
		b.ReportMetric(float64(out.n.Load()), "bytes")
	}
}

// lookAt pages up, n pages or to the top, and has everything that shows laid
// out; it returns how many bytes the heap takes then.
func lookAt(m *Model, pages int) uint64 {
	for ; pages > 0 && m.transcript.top > 0; pages-- {
		m.transcript.page(-1)
		if cmd := m.layOut(); cmd != nil {
			m.Update(cmd())
		}
	}
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	runtime.KeepAlive(m)
	return stats.HeapInuse
}

// BenchmarkMemory reports the heap of a chat of 10,000 messages of a kilobyte,
// all of which have been looked at.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		b.ReportMetric(float64(lookAt(opened(b, dialogue(10_000)), 1<<30))/1e6, "MB")
	}
}

func TestLongSessionTakesLittleMemory(t *testing.T) {
	if heap := lookAt(opened(t, dialogue(10_000)), 100); heap > 80e6 {
		t.Errorf("the heap takes %d MB, want at most 80", heap/1e6)
	}
}

// selectingAll returns a chat of n messages in which all of them are selected.
func selectingAll(b *testing.B, n int) *Model {
	m := opened(b, dialogue(n))
	m.transcript.focused, m.transcript.selecting = true, true
	m.transcript.jump(m.transcript.len() - 1)
	m.transcript.anchor = 0
	return m
}

func BenchmarkSelection(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := selectingAll(b, n)
			up, down := tea.KeyPressMsg{Code: 'k', Text: "k"}, tea.KeyPressMsg{Code: 'j', Text: "j"}
			for b.Loop() {
				m.Update(up)
				m.Update(down)
			}
		})
	}
}
