package ui

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"pleat/session"
)

// terminal is a whole program in an emulated terminal: real key bytes go in and
// a real screen comes out.
type terminal struct {
	*testing.T
	em      *vt.SafeEmulator
	m       *Model
	program *tea.Program
	ended   chan error
	out     *tap
}

// tap keeps the bytes that a program writes.
type tap struct {
	mu   sync.Mutex
	to   io.Writer
	seen strings.Builder
}

func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.seen.Write(p)
	t.mu.Unlock()
	return t.to.Write(p)
}

func (t *tap) bytes() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen.String()
}

// inTerminal runs f with a chat in a terminal of a size in cells.
func inTerminal(t *testing.T, o Options, width, height int, f func(*terminal)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		em := vt.NewSafeEmulator(width, height)
		em.Write([]byte("\x1b[20h")) // the renderer sends bare newlines where the input is no terminal
		term := &terminal{T: t, em: em, m: New(ctx, o), ended: make(chan error, 1), out: &tap{to: em}}
		term.program = tea.NewProgram(term.m, tea.WithContext(ctx), tea.WithInput(em), tea.WithOutput(term.out),
			tea.WithWindowSize(width, height), tea.WithColorProfile(colorprofile.TrueColor),
			tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignalHandler())
		go func() {
			_, err := term.program.Run()
			term.ended <- err
		}()
		term.pass(time.Second)
		f(term)
		term.program.Quit()
		<-term.ended
		cancel()
		term.m.Wait()
		em.InputPipe().(io.Closer).Close()
		time.Sleep(2 * time.Second) // commands that wait outlive the program
		synctest.Wait()
	})
}

// inside is a look at the model from the goroutine that it belongs to.
type inside func(m *Model)

func (f inside) arrive(m *Model) tea.Cmd {
	f(m)
	return nil
}

// look runs f where the model may be read while time goes on afterwards.
func (t *terminal) look(f func(m *Model)) {
	done := make(chan struct{})
	t.program.Send(inside(func(m *Model) {
		defer close(done)
		f(m)
	}))
	<-done
}

// framed fails unless the frame fits the screen.
func (t *terminal) framed() {
	t.Helper()
	t.look(func(m *Model) { framed(lenient{t}, m) })
}

// lenient goes on after a failure, as it must outside the test's own goroutine.
type lenient struct{ *terminal }

func (l lenient) Fatalf(format string, args ...any) { l.Errorf(format, args...) }

func (t *terminal) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// types sends bytes as a keyboard would, and lets them be worked off.
func (t *terminal) types(s string) {
	io.WriteString(t.em.InputPipe(), s)
	t.pass(200 * time.Millisecond)
}

// ask sends a message and waits for the reply.
func (t *terminal) ask(s string) {
	t.types(s + "\r")
	t.pass(5 * time.Second)
}

func (t *terminal) screen() string {
	lines := strings.Split(ansi.Strip(t.em.Render()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func (t *terminal) sees(texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(t.screen(), text) {
			t.Errorf("the terminal does not show %q:\n%s", text, t.screen())
		}
	}
}

func (t *terminal) resize(width, height int) {
	t.em.Resize(width, height)
	t.program.Send(tea.WindowSizeMsg{Width: width, Height: height})
	t.pass(100 * time.Millisecond)
}

// draft fails unless the composer holds a text.
func (t *terminal) draft(want string) {
	t.Helper()
	t.pass(100 * time.Millisecond)
	if got := t.m.composer.text(); got != want {
		t.Errorf("the draft is %q, want %q", ansi.Truncate(got, 200, "…"), ansi.Truncate(want, 200, "…"))
	}
}

func TestTerminalAsksCompactsUndoesAndRedoes(t *testing.T) {
	inTerminal(t, options(says("Use rotation."), long()), 110, 34, func(term *terminal) {
		term.ask("What about refresh tokens?")
		term.sees("What about refresh tokens?", "Use rotation.")
		term.types("\x1bOQ") // F2
		term.pass(time.Second)
		term.sees("compact: tool-results-first", "enter apply")
		term.types("\r")
		term.sees("compacted", "ctrl+x u undoes it")
		term.types("\x18u")
		term.sees("undone")
		term.types("\x18r")
		term.sees("redone")
		term.draft("")
	})
}

func TestTerminalKeepsADraftOfWideCharactersUnderTheCursor(t *testing.T) {
	inTerminal(t, options(says(strings.Repeat("word ", 400)), nil), 80, 24, func(term *terminal) {
		caret := func(want int) {
			t.Helper()
			if at := term.em.CursorPosition(); at.X != want || !strings.HasPrefix(strings.Split(term.screen(), "\n")[at.Y], " > ") {
				t.Errorf("the cursor stands at %v, want column %d of the composer:\n%s", at, want, term.screen())
			}
		}
		term.types("王小明")
		caret(3 + 6)
		term.types("é👩‍🚀x")
		caret(3 + 6 + 4)
		term.types("\r")
		for i := range 20 { // while the reply streams
			term.types("王")
			caret(3 + 2*(i+1))
		}
		term.types("\x1b[D\x1b[D")
		caret(3 + 2*18)
	})
}

func TestTerminalTakesPastesWithAndWithoutMarkers(t *testing.T) {
	text := strings.Repeat("漢字かな交じり文 and words. ", 600)
	inTerminal(t, options(says("ok"), nil), 80, 24, func(term *terminal) {
		term.types("\x1b[200~" + text + "\x1b[201~")
		term.draft(text)
		term.sees("[paste 1: 1 line")
		term.types("\x03")
		term.draft("")
		term.types(text)
		term.draft(text)
		term.types("x")
		term.draft(text + "x")
	})
}

func TestTerminalNeverTypesWheelReports(t *testing.T) {
	o := options(says("ok"), long())
	o.Mouse = true
	inTerminal(t, o, 80, 24, func(term *terminal) {
		reports := strings.Repeat("\x1b[<64;10;10M\x1b[<65;12;11M", 40)
		for cut := 1; len(reports) > 0; cut = cut%13 + 1 { // read in pieces of every length
			cut = min(cut, len(reports))
			io.WriteString(term.em.InputPipe(), reports[:cut])
			synctest.Wait()
			reports = reports[cut:]
		}
		term.pass(time.Second)
		term.draft("")
		term.types("hello")
		term.draft("hello")
	})
}

func TestTerminalTakesLateAnswersForNoKeys(t *testing.T) {
	inTerminal(t, options(says("ok"), nil), 80, 24, func(term *terminal) {
		term.pass(10 * time.Second)
		term.types("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
		term.types("\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;22c\x1b[?2026;2$y\x1b[?1u\x1bP>|xterm(390)\x1b\\")
		term.draft("")
		if term.m.dark {
			t.Error("a light background does not change the colours")
		}
		term.types("a")
		term.draft("a")
	})
}

func TestTerminalIsRestoredByQuitting(t *testing.T) {
	inTerminal(t, options(says("ok"), nil), 80, 24, func(term *terminal) {
		term.types("\x04")
		term.pass(time.Second)
		if term.em.IsAltScreen() {
			t.Error("the alternate screen is still on")
		}
		term.program.Wait()
		if out := term.out.bytes(); !strings.Contains(out[len(out)/2:], "\x1b[?1049l") || !strings.Contains(out, "\x1b[?2004l") {
			t.Error("quitting does not switch off the alternate screen and bracketed paste")
		}
	})
}

func TestQuittingAtOnceStillKeepsTheMessage(t *testing.T) {
	conv := session.Detached()
	o := options(says("a long reply that nobody waits for"), nil)
	o.Open = func(context.Context) (Opened, error) { return Opened{Conversation: conv}, nil }
	inTerminal(t, o, 80, 24, func(term *terminal) {
		io.WriteString(term.em.InputPipe(), "hi\r\x18q")
		term.pass(time.Second)
		term.program.Wait()
		term.m.Wait()
	})
	if n := conv.Head().Len(); n == 0 {
		t.Error("the message is lost")
	}
}

func TestTerminalSurvivesResizesWhileAReplyStreams(t *testing.T) {
	sizes := []struct{ w, h int }{{1, 1}, {2, 1}, {19, 4}, {20, 5}, {3, 40}, {80, 24}, {300, 100}, {40, 10}, {21, 6}, {100, 3}}
	random := rand.New(rand.NewPCG(1, 2))
	inTerminal(t, options(says(strings.Repeat("word 漢字 ", 400)), long()), 80, 24, func(term *terminal) {
		term.types("go\r")
		for range 30 {
			size := sizes[random.IntN(len(sizes))]
			term.resize(size.w, size.h)
		}
		term.resize(110, 34)
		term.pass(20 * time.Second)
		shown := term.screen()
		again := &transcript{paint: newPainter(term.m.st), open: map[session.ID]bool{}, follow: true}
		again.paint.tokens, again.paint.rich = term.m.transcript.paint.tokens, term.m.transcript.paint.rich
		again.show(term.m.head.Context())
		again.resize(110, term.m.transcript.height)
		for _, line := range again.view() {
			if line = strings.TrimRight(ansi.Strip(line), " "); !strings.Contains(shown, line) {
				t.Errorf("after resizing, the line %q is missing:\n%s", line, shown)
			}
		}
	})
}

func TestManyMessagesAtOnceBlockNothing(t *testing.T) {
	inTerminal(t, options(says("ok"), nil), 80, 24, func(term *terminal) {
		var cmds tea.BatchMsg
		for range 10_000 {
			cmds = append(cmds, func() tea.Msg { return noticeMsg{info, "one of many"} })
		}
		term.program.Send(cmds)
		term.types("hello")
		term.draft("hello")
	})
}

// attacks are texts that a terminal would obey.
var attacks = []string{
	"\x1b]52;c;aGFjaw==\x07", "\x1b]52;c;aGFjaw==\x1b\\", "\x1b[2J\x1b[H", "\x1b]0;owned\x07", "\u009b2J", "\u009d52;c;eA==\u009c",
	"\x1bPq#0\x1b\\", "\x1b_Gf=100;AAAA\x1b\\", "\x1b[6n", "\x1b[>c", "\u202eevil\u202c", "\u2066x\u2069", "\x1b]8;;http://evil\x07here\x1b]8;;\x07",
	"\r\x1b[Aover", "\x9b2J", "\x00\x08\x7f", "\x1b]1337;File=:AAAA\x07", "\x1b[?1049l", "\x0e\x0f", "\x1bc",
}

// obeyed returns the first of the attacks that is in what was written, raw.
func obeyed(out string) string {
	for _, a := range []string{"\x1b]52;", "\x1b]0;owned", "\u009b", "\u009d", "\x1bPq", "\x1b_G", "\x1b[6n", "\x1b[>c\x1b", "\u202e", "\u2066", "http://evil\x07", "\x1b[Aover", "1337;File=:AAAA\x07", "\x0e", "\x1bc"} {
		if strings.Contains(out, a) {
			return a
		}
	}
	return ""
}

func TestHostileTextIsNeverObeyed(t *testing.T) {
	evil := strings.Join(attacks, " ")
	c := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "u " + evil})
	c = c.Follow(session.Title{Text: "t " + evil})
	c = c.Follow(session.Message{Role: session.Assistant, Model: "m" + evil, Text: "r `" + evil + "`\n\n```\n" + evil + "\n```\n", Reasoning: evil,
		ToolCalls: []session.ToolCall{{ID: "a", Name: "n" + evil, Arguments: evil}}})
	c = c.Follow(session.Message{Role: session.Tool, ToolCallID: "a", ToolName: "n" + evil, Text: evil + "\n" + evil})
	c = c.Follow(session.Message{Role: session.Assistant, Text: "half", Cut: "because " + evil})
	p := says("s " + evil)
	o := options(p, c)
	o.Sessions = func(context.Context) ([]session.Info, error) {
		return []session.Info{{ID: "x" + evil, Title: evil}}, nil
	}
	inTerminal(t, o, 110, 34, func(term *terminal) {
		term.ask("go")
		for _, keys := range []string{"\x18l", "\x1b", "\x1b\x1b", "\x1b", "\t", "g ", "j ", "j ", "j ", "\t", "\x12", "\x1b", "\x1b[200~" + evil + "\x1b[201~", "\x1bOQ", "\x1b"} {
			term.types(keys)
			term.pass(time.Second)
		}
		term.program.Send(noticeMsg{fail, "error " + evil})
		term.program.Send(connectedMsg{model: "", err: &evilError{evil}})
		term.pass(time.Second)
		if a := obeyed(term.out.bytes()); a != "" {
			t.Errorf("the terminal was sent %q", a)
		}
		term.sees("pleat")
	})
}

type evilError struct{ text string }

func (e *evilError) Error() string { return e.text }
