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

// notice is what the user is told until the next key.
type notice struct {
	level  level
	text   string
	stands string // what it begins with, whatever else is said until then
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
	text, stands := fmt.Sprintf(format, args...), m.notice.stands
	if stands != "" {
		text = stands + " · " + text
	}
	m.notice = notice{l, text, stands}
}

// tell says what stands whatever else comes to be said before the next key.
func (m *Model) tell(text string) { m.notice = notice{info, text, text} }

// bring is tell for what came back by itself. What has been said stands after it.
func (m *Model) bring(text string) {
	before := m.notice
	m.tell(text)
	if before.text != "" && before.text != m.runner.Notice {
		m.say(before.level, "%s", before.text)
	}
}

// greet says what the backend tells of itself, unless there is more to say.
func (m *Model) greet(text string) {
	if m.notice.stands == "" {
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
