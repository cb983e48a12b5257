package chat

import "strings"

// Windows is a table of models and their windows in tokens, for programs that
// have no server to ask. A server that can be asked knows better: it may have
// given a model less than that was trained for.
type Windows map[string]int

// Of returns the window of a model and whether it is known. A name that is not
// in the table is looked up without what stands before its first slash, such as
// the name of a router. Upper and lower case differ, as they do for servers.
func (w Windows) Of(model string) (tokens int, known bool) {
	if tokens, known = w[model]; known {
		return tokens, true
	}
	if _, name, prefixed := strings.Cut(model, "/"); prefixed {
		tokens, known = w[name]
	}
	return tokens, known
}
