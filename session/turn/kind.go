package turn

import "pleat/session"

// Kind is what a part of a request is in, as [Parts] tells them apart.
type Kind int

// The kinds, in the order in which a bar shows them.
const (
	KindSystem    Kind = iota // system messages
	KindRequest               // no message: the server's template
	KindSchemas               // no message: the schemas of the tools that are offered
	KindPinned                // pinned by the user, and the first request unless the strategy in use may let it go
	KindSummaries             // summaries of what was compacted
	KindTools                 // results of tools
	KindChat                  // everything else
)

// Of returns the tokens of a kind.
func (p Parts) Of(k Kind) int { return *p.of(k) }

func (p *Parts) of(k Kind) *int {
	switch k {
	case KindSystem:
		return &p.System
	case KindRequest:
		return &p.Request
	case KindSchemas:
		return &p.Schemas
	case KindPinned:
		return &p.Pinned
	case KindSummaries:
		return &p.Summaries
	case KindTools:
		return &p.Tools
	}
	return &p.Chat
}

// kindOf returns the kind of an item that the model gets.
func (t Meter) kindOf(g session.Glance) Kind {
	switch {
	case g.Has(session.IsCompaction):
		return KindSummaries
	case g.Has(session.IsSystem):
		return KindSystem
	case g.Has(session.IsPinned | session.IsGoal&^t.Loose):
		return KindPinned
	case g.Has(session.IsResult):
		return KindTools
	}
	return KindChat
}
