package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
)

// level says how much a notice matters.
type level int

const (
	info level = iota
	warn
	fail
)

// notice is a line for the user, shown until the next key.
type notice struct {
	level level
	text  string
	back  string // what came back by itself: whatever else is said stands after it
}

// noticeMsg brings a notice from a command.
type noticeMsg struct {
	level level
	text  string
}

func (msg noticeMsg) arrive(m *Model) tea.Cmd {
	m.say(msg.level, "%s", msg.text)
	return nil
}

func (m *Model) say(l level, format string, args ...any) {
	text, back := fmt.Sprintf(format, args...), m.notice.back
	if back != "" {
		text = back + " · " + text
	}
	m.notice = notice{l, text, back}
}

// bring says what came back by itself, whatever else has been said since the last
// key or comes to be said before the next.
func (m *Model) bring(text string) {
	before := m.notice
	m.notice = notice{info, text, text}
	if before.text != "" && before.text != m.runner.Notice {
		m.say(before.level, "%s", before.text)
	}
}

// greet says what the backend tells of itself, unless there is more to say.
func (m *Model) greet(text string) {
	if m.notice.back == "" {
		m.say(info, "%s", text)
	}
}

// withKeys adds the keys to the acts that a text from below the screen names as
// ways out.
func (k KeyMap) withKeys(text string) string {
	return strings.NewReplacer(
		" · compact,", " · compact ("+keyOf(k.Compact)+"),",
		" · choose a model", " · choose a model ("+keyOf(k.Models)+")",
	).Replace(text)
}

// withoutAgain returns a text without the advice to ask again, for where the
// screen says how.
func withoutAgain(text string) string { return strings.TrimSuffix(text, " · "+turn.Again) }
