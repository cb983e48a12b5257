package compaction

import (
	"slices"
	"strings"

	"pleat/compaction/facts"
	"pleat/session"
)

// dayOf parts a value that is a date with a clock time; "" if it is none, or one
// that could not be told from others on a line.
func dayOf(value string) (day, clock string) {
	day, clock, ok := facts.Fact{Kind: facts.Time, Text: value}.Moment()
	if !ok || strings.ContainsAny(clock, " +") {
		return "", ""
	}
	return day, clock
}

// in returns the values of a group, best first. Those of one day are one text,
// in which the day stands once.
func (l ledgerList) in(group string) []string {
	var texts []string
	place := map[string]int{} // of a day
	for _, v := range l {
		if v.group != group {
			continue
		}
		if at, ok := place[v.day]; ok && v.day != "" {
			texts[at] += " " + v.clock
			continue
		}
		place[v.day] = len(texts)
		texts = append(texts, v.text)
	}
	return texts
}

// perRoom makes the worth of each value that for the room which it takes. The
// times of a day are worth the same, so that a day which is there has them all.
func (l ledgerList) perRoom(room func(string) float64) {
	type line struct{ group, day string }
	days := map[line][]int{}
	for i, v := range l {
		if v.day == "" {
			l[i].worth /= room(ledgerBetween + v.text)
			continue
		}
		key := line{v.group, v.day}
		days[key] = append(days[key], i)
	}
	for key, times := range days {
		worth, taken := 0.0, room(key.day)
		for _, i := range times {
			worth += l[i].worth
			taken += room(" " + l[i].clock)
		}
		for _, i := range times {
			l[i].worth = worth / taken
		}
	}
}

// spelled returns the values of a line of a ledger with its day before each time.
func spelled(values string) string {
	var texts []string
	for text := range strings.SplitSeq(values, ledgerBetween) {
		found := facts.Find(text)
		if len(found) < 2 || found[0].Start > 0 {
			texts = append(texts, text)
			continue
		}
		day, _, ok := found[0].Moment()
		if !ok {
			texts = append(texts, text)
			continue
		}
		texts = append(texts, found[0].Text)
		for clock := range strings.FieldsSeq(text[found[0].End:]) {
			texts = append(texts, day+clock)
		}
	}
	return strings.Join(texts, ledgerBetween)
}

// spelledOut returns a summary with the day before each time of its ledger,
// wherever that stands, as it was said.
func spelledOut(it session.Item) session.Item {
	c := *it.Compaction
	for _, text := range []*string{&c.Summary, &c.Ledger} {
		summary, ledger := cutLedger(*text)
		if ledger == "" {
			continue
		}
		lines := strings.Split(ledger, "\n")
		for i, line := range lines {
			if group, values, ok := strings.Cut(line, ": "); ok && slices.Contains(ledgerGroups, group) {
				lines[i] = group + ": " + spelled(values)
			}
		}
		*text = summary + "\n" + strings.Join(lines, "\n")
	}
	it.Compaction = &c
	return it
}
