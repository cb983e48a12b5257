package ui

import (
	"fmt"
	"strings"

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
}

// noticeMsg brings a notice from a command.
type noticeMsg notice

func (m *Model) say(l level, format string, args ...any) {
	m.notice = notice{l, fmt.Sprintf(format, args...)}
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
