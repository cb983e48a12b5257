package ui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// numbers are the messages from one number to another, both included, as lists
// and the last line show them.
type numbers struct{ from, to int }

// String writes them as they can be typed: #7, #3-9.
func (n numbers) String() string {
	if n.from == n.to {
		return numbered(n.from)
	}
	return numbered(n.from) + "-" + strconv.Itoa(n.to)
}

// numbered writes the number of a message, nothing for what has none.
func numbered(n int) string {
	if n == 0 {
		return ""
	}
	return "#" + strconv.Itoa(n)
}

// readNumbers reads the number of a message, or two with a dash between them: 7,
// #7, 3-9.
func readNumbers(text string) (n numbers, ok bool) {
	from, to, two := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-")
	n.from, ok = readNumber(from)
	if n.to = n.from; ok && two {
		n.to, ok = readNumber(to)
	}
	return n, ok
}

func readNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 31)
	return int(n), err == nil
}

// messagesAt returns the messages with the numbers that a command was given, or
// refuses it and says which there are.
func (m *Model) messagesAt(command, text string) (numbers, []session.Item, bool) {
	x := m.head.Context()
	n, ok := readNumbers(text)
	from, _ := x.Numbered(n.from)
	to, known := x.Numbered(n.to)
	last := lastNumber(x)
	switch {
	case m.conversation == nil:
		m.refuse("%s", notOpen)
	case !ok:
		m.refuse("/%s takes the number of a message, or two as in 3-9, not %q · %s shows the numbers", command, head(text, 40), keyOf(m.keys.Context))
	case last == 0:
		m.refuse("there is no message yet")
	case n.from > n.to:
		m.refuse("%s runs backwards · write %s", n, numbers{n.to, n.from})
	case n.from == 0:
		m.refuse("there is no message #0 · the first is #1")
	case !known:
		m.refuse("there is no message %s · the last is %s", numbered(max(n.from, n.to)), numbered(last))
	default:
		return n, between(x, from, to), true
	}
	return n, nil, false
}

// messageAt is messagesAt for a command that is for one message.
func (m *Model) messageAt(command, text string) (session.Item, bool) {
	n, items, ok := m.messagesAt(command, text)
	switch {
	case !ok:
		return session.Item{}, false
	case n.from != n.to:
		m.refuse("/%s is for one message, not for %s", command, n)
		return session.Item{}, false
	}
	return items[0], true
}

// between returns the messages from one to another that have numbers.
func between(x session.Context, from, to session.Item) []session.Item {
	var items []session.Item
	for i := from.Index; i <= to.Index; i++ {
		if it := x.At(i); it.Number() > 0 {
			items = append(items, it)
		}
	}
	return items
}

// lastNumber returns the number of the newest message, 0 if there is none.
func lastNumber(x session.Context) int {
	for it := range x.Backward() {
		if n := it.Number(); n > 0 {
			return n
		}
	}
	return 0
}

// numbersOf returns the numbers from one row to another, which may be the same: of a
// message its own, of a compaction those of what it covers; zero at an end that has
// none. The last row need not have the last number: what is inside of a summary
// stands below it.
func numbersOf(x session.Context, from, to session.Item) numbers {
	n := numbers{endNumber(x, from, false), endNumber(x, to, true)}
	if first, last := endNumber(x, to, false), endNumber(x, from, true); n.from > 0 && n.to > 0 {
		if first > 0 {
			n.from = min(n.from, first)
		}
		n.to = max(n.to, last)
	}
	return n
}

// endNumber returns the last number of a row, or the first. What a compaction covers
// need not be in order: summaries come after messages there.
func endNumber(x session.Context, it session.Item, last bool) int {
	if it.Compaction == nil || len(it.Compaction.Covers) == 0 {
		return it.Number()
	}
	return endOfSpans(x, it.Compaction.Covers, last)
}

// endOfSpans returns the last number of some spans, of which there is at least one, or
// the first; zero where an end is not known.
func endOfSpans(x session.Context, spans []session.Span, last bool) int {
	var ends []int
	for _, span := range spans {
		end := span.From
		if last {
			end = span.To
		}
		inner, ok := x.Get(end)
		if !ok {
			return 0
		}
		ends = append(ends, endNumber(x, inner, last))
	}
	if last {
		return slices.Max(ends)
	}
	return slices.Min(ends)
}

// onNumbered makes the action of a command that does something with a message: with
// the one that has a number, else what without does.
func onNumbered(name string, act func(*Model, session.Item) tea.Cmd, without func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, number string) tea.Cmd {
		if number == "" {
			return without(m)
		}
		if it, ok := m.messageAt(name, number); ok {
			return act(m, it)
		}
		return nil
	}
}

// onMessage is onNumbered for a command that without a number is for the selected
// message, if there is one.
func onMessage(name string, act func(*Model, session.Item) tea.Cmd, without func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return onNumbered(name, act, func(m *Model) tea.Cmd {
		if it, ok := m.transcript.selected(); ok && m.transcript.focused {
			return act(m, it)
		}
		return without(m)
	})
}
