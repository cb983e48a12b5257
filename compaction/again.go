package compaction

import "strings"

// again asks once more where a changed request may help: without reasoning if
// nothing else came; without the values that were made up; and, if the limit was
// run into, with a larger one, or with half of the input at a time where the
// window has no room for that.
func (w *writer) again(refused *Refused, p Prompt, part string, request build, progress Progress) (string, error) {
	switch {
	case refused.Reason == Blank && refused.Detail == onlyReasoning:
		p.NoThink = true
		progress.Again = "the model only reasoned"
		return w.once(p, progress)
	case refused.Reason == Invented:
		progress.Again = "it named values that are not in the conversation"
		return w.once(p.without(refused.Invented), progress)
	case refused.Reason != Cut:
		return "", refused
	}
	progress.Again = "the summary ran into its limit"
	if larger, ok := w.larger(p); ok {
		return w.once(larger, progress)
	}
	first, second, ok := halve(part)
	if !ok {
		return "", refused
	}
	var summaries []string
	for i, half := range []string{first, second} {
		s, err := w.once(request(half, i+1, 2), progress)
		if err != nil {
			return "", err
		}
		summaries = append(summaries, s)
	}
	return strings.Join(summaries, "\n"), nil
}

// halve cuts a part between two items, near its middle.
func halve(part string) (first, second string, ok bool) {
	const between = "\n\n" // quoted lines are never empty
	middle := len(part) / 2
	at := strings.Index(part[middle:], between)
	if at >= 0 {
		at += middle
	} else {
		at = strings.LastIndex(part[:middle], between)
	}
	if at < 0 || at+len(between) >= len(part) {
		return "", "", false
	}
	return part[:at+len(between)], part[at+len(between):], true
}

// larger returns p with a limit that is worth another try, if the window has
// room for one.
func (w *writer) larger(p Prompt) (Prompt, bool) {
	limit := 2 * p.MaxTokens
	if w.room.Window > 0 {
		limit = min(limit, w.room.input(0)-w.room.tokens(p))
	}
	if limit < p.MaxTokens+p.MaxTokens/4 {
		return p, false
	}
	p.MaxTokens = limit
	return p, true
}
