package ui

import (
	"strconv"
	"strings"

	"pleat/session"
	"pleat/ui/sanitize"
)

// suits says for each command that takes the number of a message which of them it
// is offered for.
var suits = map[string]func(*Model, session.Item) bool{
	"pin":     func(m *Model, it session.Item) bool { return m.unmarkable(it, session.Pinned) == "" },
	"mask":    func(m *Model, it session.Item) bool { return m.unmarkable(it, session.Masked) == "" },
	"exclude": anyMessage,
	"select":  anyMessage,
	"goto":    anyMessage,
	"branch":  anyMessage,
	"copy":    func(_ *Model, it session.Item) bool { return it.Message.Text != "" },
	"edit":    func(_ *Model, it session.Item) bool { return it.Message.Typed() },
	"retry":   func(_ *Model, it session.Item) bool { return it.Message.Role == session.Assistant },
	"open":    func(_ *Model, it session.Item) bool { return !it.By.IsZero() || it.Message.Role == session.Tool },
	"revert":  folded,
	"sources": folded,
}

func anyMessage(*Model, session.Item) bool { return true }

func folded(_ *Model, it session.Item) bool { return !it.By.IsZero() }

// How many messages are offered for a command, and how many are looked at for that.
const (
	mostOffered = 30
	mostTried   = 2000
)

// messagesFor returns the newest messages that a command can be for, whose numbers
// begin with a text.
func (m *Model) messagesFor(command, text string) []explained {
	suit, ok := suits[command]
	if !ok {
		return nil
	}
	var list []explained
	tried := 0
	for it := range m.head.Context().Backward() {
		if tried++; tried > mostTried || len(list) == mostOffered {
			break
		}
		n := strconv.Itoa(it.Number())
		if it.Number() > 0 && strings.HasPrefix(n, text) && suit(m, it) {
			list = append(list, explained{n, m.firstWords(it)})
		}
	}
	return list
}

// firstWords returns who said a message and how it begins.
func (m *Model) firstWords(it session.Item) string {
	who, _ := m.transcript.paint.speaker(it)
	text := it.Message.Text
	if text == "" && len(it.Message.ToolCalls) > 0 {
		text = "→ " + it.Message.ToolCalls[0].Name
	}
	return who + "  " + strings.TrimSpace(sanitize.Line(head(strings.TrimSpace(text), 200)))
}
