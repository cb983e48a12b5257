package compaction

import (
	"slices"
	"strings"

	"pleat/compaction/facts"
)

// listed returns a value on one line, in such a way that it is found again.
func (e *evidence) listed(v *facts.Entry) string {
	text := strings.Join(strings.Fields(v.Text), " ")
	switch v.Kind {
	case facts.Quote:
		if !strings.Contains(text, `"`) {
			return `"` + text + `"`
		}
	case facts.Command, facts.Error:
		return marked(text)
	}
	if tells(text, v) {
		return text
	}
	if named := e.named(v); tells(named, v) {
		return named // "25" says nothing, "port 25" does
	}
	if tells(marked(text), v) {
		return marked(text)
	}
	return text
}

// tells reports whether a value is found in a text that has nothing else.
func tells(text string, v *facts.Entry) bool {
	found := facts.Find(text)
	return len(found) == 1 && found[0].Key() == v.Key()
}

func marked(text string) string {
	if strings.Contains(text, "`") {
		return text
	}
	return "`" + text + "`"
}

// named returns a value with the word that stands before it in its message.
func (e *evidence) named(v *facts.Entry) string {
	it, _ := e.ctx.Get(v.Sources[0].ID)
	if it.Message == nil || v.End > len(it.Message.Text) || it.Message.Text[v.Start:v.End] != v.Text {
		return v.Text // it stands in the arguments of a call
	}
	words := strings.Fields(it.Message.Text[max(0, v.Start-longestLabel):v.Start])
	if len(words) == 0 {
		return v.Text
	}
	return strings.ToValidUTF8(words[len(words)-1], "") + " " + v.Text
}

// longestLabel is how far before a value its name is looked for, in bytes.
const longestLabel = 24

// ledgerValue is one value of a ledger.
type ledgerValue struct {
	key        string // of the fact
	text       string
	group      string // what the line begins with
	worth      float64
	day, clock string // text, where it can stand with others of its day
}

// ledgerList is a ledger in the making: its values, best first.
type ledgerList []ledgerValue

// without returns the ledger without the values that stand in longer ones of
// chosen, as a day does in a day with its time.
func (l ledgerList) without(chosen ledgerList) ledgerList {
	var b strings.Builder
	for _, v := range chosen {
		b.WriteString(ledgerBetween + v.text)
	}
	all := b.String() + ledgerBetween
	return slices.DeleteFunc(slices.Clone(l), func(v ledgerValue) bool { return partOf(all, v.text) })
}

// partOf reports whether a value stands somewhere as a part of another.
func partOf(values, v string) bool {
	for at := 0; ; at++ {
		i := strings.Index(values[at:], v)
		if i < 0 {
			return false
		}
		at += i
		before, after := values[at-1], values[min(at+len(v), len(values)-1)]
		if strings.IndexByte(" /`|", before) >= 0 && strings.IndexByte(" /`|", after) >= 0 && (before != '|' || after != '|') {
			return true
		}
	}
}

// into returns as much of the ledger as fits, the best values first, none that
// stands in another one.
func (l ledgerList) into(fits func(string) bool) ledgerList {
	return l.without(l.first(fits)).within(fits)
}

// within returns as much of the ledger as fits, the best values first. A few
// that are too long for the room left are passed over for shorter ones.
func (l ledgerList) within(fits func(string) bool) ledgerList {
	chosen, rest := ledgerList(nil), l
	for range mostPassedOver {
		n := chosen.fitting(rest, fits)
		chosen = append(chosen, rest[:n]...)
		if rest = rest[n:]; len(rest) == 0 {
			break
		}
		rest = rest[1:]
	}
	return chosen
}

// mostPassedOver is how many values that do not fit are passed over.
const mostPassedOver = 4

// first returns the beginning of the ledger that fits.
func (l ledgerList) first(fits func(string) bool) ledgerList {
	return l[:ledgerList(nil).fitting(l, fits)]
}

// fitting returns how many of the first values of more fit behind l.
func (l ledgerList) fitting(more ledgerList, fits func(string) bool) int {
	low, high := 0, len(more) // low values fit, more than high do not
	for low < high {
		middle := (low + high + 1) / 2
		if fits(slices.Concat(l, more[:middle]).String()) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// String returns the ledger, "" if it is empty.
func (l ledgerList) String() string {
	if len(l) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(ledgerHeading)
	for _, group := range ledgerGroups {
		begin := "\n" + group + ": "
		for _, text := range l.in(group) {
			b.WriteString(begin + text)
			begin = ledgerBetween
		}
	}
	return b.String()
}

// ledgerGroups are the groups of a ledger, in order.
var ledgerGroups = func() []string {
	groups := []string{ledgerUser}
	for _, k := range facts.Kinds {
		groups = append(groups, string(k))
	}
	return slices.Clip(groups)
}()
