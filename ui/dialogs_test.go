package ui

import (
	"strings"
	"testing"
	"time"
)

// keyBytes is what a terminal sends for a key.
func keyBytes(t testing.TB, name string) string {
	known := map[string]string{
		"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " ", "backspace": "\x7f",
		"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F",
		"f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~", "shift+f3": "\x1b[1;2R",
	}
	var b strings.Builder
	for name := range strings.FieldsSeq(name) {
		switch c, ctrl := strings.CutPrefix(name, "ctrl+"); {
		case known[name] != "":
			b.WriteString(known[name])
		case ctrl && len(c) == 1:
			b.WriteByte(c[0] & 0x1f)
		case len([]rune(name)) == 1:
			b.WriteString(name)
		default:
			t.Fatalf("no terminal key %s", name)
		}
	}
	return b.String()
}

// dialogKeys returns the first key of every command that opens a dialog.
func dialogKeys(t *testing.T) []string {
	var keys []string
	k := DefaultKeyMap()
	for _, c := range k.commands() {
		if len(c.keys) == 0 || len(c.keys[0].Keys()) == 0 || c.name == "quit" || c.name == "editor" {
			continue
		}
		opens := false
		drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
			d.settle()
			d.press(strings.Fields(c.keys[0].Keys()[0])...)
			d.settle()
			opens = d.m.dialog() != nil
		})
		if opens {
			keys = append(keys, c.keys[0].Keys()[0])
		}
	}
	if len(keys) < 5 {
		t.Fatalf("only %q open dialogs", keys)
	}
	return append(keys, "tab /")
}

// escapes presses esc until the composer has the keys again, and fails where
// that takes many.
func (t *terminal) escapes() {
	t.Helper()
	for range 5 {
		composing := false
		t.look(func(m *Model) { composing = m.dialog() == nil && !m.transcript.focused })
		if composing {
			return
		}
		t.types("\x1b")
	}
	t.Errorf("esc does not lead back to the composer:\n%s", t.screen())
}

// leaves escapes, and fails unless the draft is as it was.
func (t *terminal) leaves(draft string) {
	t.Helper()
	t.escapes()
	t.types("!")
	t.pass(100 * time.Millisecond)
	if got := t.m.composer.text(); strings.Replace(got, "!", "", 1) != draft || got == draft {
		t.Errorf("%q is typed on as %q", draft, got)
	}
}

func TestEveryDialogFitsEverySizeAndEscLeavesWithoutATrace(t *testing.T) {
	for _, key := range dialogKeys(t) {
		t.Run(key, func(t *testing.T) {
			inTerminal(t, options(says("ok"), long()), 110, 34, func(term *terminal) {
				head := term.m.head
				term.types("draft")
				term.types(keyBytes(t, key))
				term.pass(time.Second)
				for _, size := range [][2]int{{40, 10}, {20, 5}, {1, 1}, {60, 18}, {21, 6}, {300, 90}, {110, 34}} {
					term.resize(size[0], size[1])
					term.framed()
					for _, press := range []string{"down", "up", "right", "left", "pgdown", "pgup", "end", "home"} {
						term.types(keyBytes(t, press))
						term.framed()
					}
				}
				term.leaves("draft")
				if term.m.head != head {
					t.Error("the conversation has changed")
				}
			})
		})
	}
}

func TestEveryDialogTakesPastesAndKeysPressedTwice(t *testing.T) {
	for _, key := range dialogKeys(t) {
		t.Run(key, func(t *testing.T) {
			inTerminal(t, options(says("ok"), long()), 80, 24, func(term *terminal) {
				term.types(keyBytes(t, key) + keyBytes(t, key))
				term.pass(time.Second)
				term.types("\x1b[200~" + strings.Join(attacks, "\n") + strings.Repeat("漢字 ", 500) + "\x1b[201~")
				for _, press := range []string{"tab", "e", "d", "f", "o", "space", "a", "/", "v", "?"} {
					term.types(keyBytes(t, press) + keyBytes(t, press))
					term.framed()
				}
				if a := obeyed(term.out.bytes()); a != "" {
					t.Errorf("the terminal was sent %q", a)
				}
				term.escapes()
			})
		})
	}
}

func TestEveryDialogHoldsWhileAReplyStreamsAndTheHeadMoves(t *testing.T) {
	for _, key := range dialogKeys(t) {
		t.Run(key, func(t *testing.T) {
			o := options(says(strings.Repeat("word ", 100)), long())
			inTerminal(t, o, 110, 34, func(term *terminal) {
				term.types("go\r")
				term.types(keyBytes(t, key))
				for i := range 20 {
					term.pass(200 * time.Millisecond)
					term.framed()
					if i == 10 {
						term.types(keyBytes(t, "ctrl+x u"))
					}
				}
				term.escapes()
				term.pass(5 * time.Second)
				if term.m.reply != nil || term.m.dialog() != nil {
					t.Errorf("something is still going on:\n%s", term.screen())
				}
			})
		})
	}
}

// With a session that is still being opened, without a model, and with nothing
// said, every key does something sensible or says why not.
func TestEveryDialogOpensOverNothing(t *testing.T) {
	k := DefaultKeyMap()
	for _, c := range k.commands() {
		if len(c.keys) == 0 || len(c.keys[0].Keys()) == 0 || c.name == "quit" || c.name == "editor" {
			continue
		}
		keys := c.keys[0].Keys()[0]
		t.Run(keys, func(t *testing.T) {
			drive(t, options(says("ok"), nil), 60, 18, func(d *driver) {
				d.press(strings.Fields(keys)...)
				framed(d, d.m)
				d.settle()
				d.press(strings.Fields("enter down up right left enter space esc esc")...)
				d.settle()
				framed(d, d.m)
			})
			drive(t, options(says("ok"), nil), 60, 18, func(d *driver) {
				d.m.conversation, d.m.head, d.m.connected = nil, nil, false
				for _, name := range append(strings.Fields(keys), "down", "right", "enter", "esc") {
					d.update(keyPress(name))
					framed(d, d.m)
				}
			})
		})
	}
}
