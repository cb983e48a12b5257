package ui

import (
	"context"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
	"pleat/themes"
)

// driver runs a chat without a terminal, inside a synctest bubble: commands run
// on goroutines as in the program, and settle returns when nothing happens any
// more.
type driver struct {
	*testing.T
	m    *Model
	msgs chan tea.Msg
}

// scripted is a provider whose replies the test writes.
type scripted struct {
	reply  func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool)
	models []providers.Model
	window int
	tools  bool // the model can call tools
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) Stream(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
	return func(yield func(providers.Chunk, error) bool) { s.reply(ctx, req, yield) }
}

func (s *scripted) Models(context.Context) ([]providers.Model, error) { return s.models, nil }

func (s *scripted) Window(context.Context, string) (providers.Window, error) {
	return providers.Window{Requested: s.window, Tools: s.tools}, nil
}

// says is a provider that answers with a text, word by word.
func says(text string) *scripted {
	return &scripted{window: 8192, reply: func(ctx context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		for word := range strings.SplitAfterSeq(text, " ") {
			select {
			case <-ctx.Done():
				yield(providers.Chunk{}, ctx.Err())
				return
			case <-time.After(10 * time.Millisecond):
			}
			if !yield(providers.Chunk{Text: word}, nil) {
				return
			}
		}
		yield(providers.Chunk{Done: true, Finish: providers.FinishStop}, nil)
	}}
}

// count charges a token for every four bytes.
func count(it session.Item) int { return len(it.Sent().Text)/4 + 4 }

func known(it session.Item) (int, bool) { return count(it), true }

// options returns a chat with a provider and a history.
func options(p *scripted, history *session.Chain) Options {
	conv := session.Detached()
	return Options{
		Open: func(ctx context.Context) (Opened, error) {
			_, err := conv.Update(ctx, func(*session.Chain) (*session.Chain, error) { return history, nil })
			return Opened{Conversation: conv}, err
		},
		Connect: func(ctx context.Context, model string) (turn.Backend, error) {
			if model == "" {
				model = "tester:1b"
			}
			w, _ := p.Window(ctx, model)
			return turn.Backend{
				Provider: p, Summarizer: p, Model: model, Window: w,
				Meter: turn.Meter{Count: count, Known: known, Exact: true},
			}, nil
		},
		Fresh: func(context.Context) (*session.Conversation, error) { return session.Detached(), nil },
		Settings: turn.Settings{
			Reserve: 1024, Strategy: "tool-results-first", Auto: turn.Ask,
			Trigger: compaction.DefaultTrigger, Target: compaction.DefaultTarget,
		},
		Themes: func(string) (themes.Theme, error) { return themes.Dark(), nil },
		Now:    func() time.Time { return time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC) },
	}
}

// drive runs f with a chat of a size in cells, in a bubble of its own.
func drive(t *testing.T, o Options, width, height int, f func(d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		d := &driver{T: t, m: New(ctx, o), msgs: make(chan tea.Msg, 4096)}
		d.run(d.m.Init())
		d.send(tea.WindowSizeMsg{Width: width, Height: height})
		defer func() { // also if f gives up
			cancel()
			d.settle()
			d.m.Wait()
		}()
		f(d)
	})
}

// run runs a command on a goroutine of its own.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				d.run(c)
			}
		default:
			d.msgs <- msg
		}
	}()
}

// update hands the model one message.
func (d *driver) update(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	d.m.View()
	d.run(cmd)
}

// step handles what has come in without letting time pass, and reports whether
// anything had.
func (d *driver) step() bool {
	synctest.Wait()
	any := false
	for {
		select {
		case msg := <-d.msgs:
			d.update(msg)
			if _, clock := msg.(secondMsg); !clock {
				any = true // the clock of a wait never stops by itself
			}
			synctest.Wait()
		default:
			return any
		}
	}
}

// settle lets time pass until nothing more happens.
func (d *driver) settle() {
	for quiet := 0; quiet < 40; quiet++ {
		if d.step() {
			quiet = 0
		}
		time.Sleep(frameTime)
	}
}

// pass lets a time pass.
func (d *driver) pass(t time.Duration) {
	for end := time.Now().Add(t); time.Now().Before(end); time.Sleep(frameTime) {
		d.step()
	}
	d.step()
}

// send hands the model a message and settles.
func (d *driver) send(msg tea.Msg) {
	d.update(msg)
	d.settle()
}

var keyCodes = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"right": {Code: tea.KeyRight}, "left": {Code: tea.KeyLeft}, "f4": {Code: tea.KeyF4}, "f6": {Code: tea.KeyF6},
	"f1": {Code: tea.KeyF1}, "f2": {Code: tea.KeyF2}, "f3": {Code: tea.KeyF3}, "f5": {Code: tea.KeyF5},
	"shift+f3": {Code: tea.KeyF3, Mod: tea.ModShift}, "space": {Code: tea.KeySpace, Text: " "},
	"shift+enter": {Code: tea.KeyEnter, Mod: tea.ModShift}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
	"backspace": {Code: tea.KeyBackspace}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
}

func keyPress(name string) tea.KeyPressMsg {
	if k, ok := keyCodes[name]; ok {
		return k
	}
	if c, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(c)[0], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// press presses keys by name, such as "f2", "ctrl+x", "u".
func (d *driver) press(names ...string) {
	for _, name := range names {
		d.update(keyPress(name))
		d.step()
	}
}

// write types a text key by key.
func (d *driver) write(text string) {
	for _, r := range text {
		d.update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.step()
}

// ask writes a message, sends it and waits for all that follows.
func (d *driver) ask(text string) {
	d.write(text)
	d.press("enter")
	d.settle()
}

// screen returns what is shown as plain text, without trailing blanks.
func (d *driver) screen() string {
	lines := strings.Split(ansi.Strip(d.m.View().Content), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// sees fails unless the screen shows each text.
func (d *driver) sees(texts ...string) {
	d.Helper()
	for _, text := range texts {
		if !strings.Contains(d.screen(), text) {
			d.Errorf("the screen does not show %q:\n%s", text, d.screen())
		}
	}
}

// lacks fails if the screen shows one of the texts.
func (d *driver) lacks(texts ...string) {
	d.Helper()
	for _, text := range texts {
		if strings.Contains(d.screen(), text) {
			d.Errorf("the screen shows %q:\n%s", text, d.screen())
		}
	}
}

// inPieces is a reply of n pieces that come one after another in some time.
func inPieces(n int, piece string, every time.Duration) func(context.Context, providers.Request, func(providers.Chunk, error) bool) {
	return func(_ context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		for range n {
			time.Sleep(every)
			if !yield(providers.Chunk{Text: piece}, nil) {
				return
			}
		}
		yield(providers.Chunk{Done: true, Finish: providers.FinishStop}, nil)
	}
}
