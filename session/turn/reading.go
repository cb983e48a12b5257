package turn

import (
	"pleat/providers"
	"pleat/session"
)

// Reading is what the server counted for a request, beside what was expected.
type Reading struct {
	Prompt   int // tokens of the request, as the server counted them
	Expected int // tokens, as we measured the same request
}

// Dropped reports whether the server seems to have left out a part of it.
func (r Reading) Dropped() bool { return providers.Dropped(r.Expected, r.Prompt) }

// Reading returns the newest one in the history of c, and whether there is one.
func (t Meter) Reading(c *session.Chain) (r Reading, ok bool) {
	for n := range c.Backward() {
		m, _ := n.Event().(session.Message)
		if u := m.Usage; m.Role == session.Assistant && u != nil && u.Prompt > 0 && t.knows(m) {
			t.Schemas = u.Schemas
			return Reading{Prompt: u.Prompt, Expected: t.Measure(n.Parent()).Tokens}, true
		}
	}
	return Reading{}, false
}

// knows reports whether a reply is by the model that is measured for.
func (t Meter) knows(m session.Message) bool {
	return t.Model == "" || m.Model == "" || m.Model == t.Model
}

// believes reports whether the server's count for the reply m, to a request
// whose messages we count as raw, can be used.
func (t Meter) believes(m session.Message, raw int) bool {
	u := m.Usage
	return m.Role == session.Assistant && u != nil && u.Prompt > 0 &&
		t.knows(m) &&
		!providers.Dropped(t.corrected(raw+t.Request+u.Schemas), u.Prompt)
}

// added returns what the reply m, which we count as own, adds to the next
// request: as many tokens as the server counted, unless those include reasoning,
// which is not sent again and of which some servers show nothing.
func added(m session.Message, own int) (tokens int, counted bool) {
	said := m.Usage.Completion
	if said <= 0 || m.Reasoning != "" || providers.Dropped(said, own) {
		return own, false
	}
	return said, true
}
