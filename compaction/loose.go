package compaction

import (
	"strings"

	"pleat/session"
)

// Loose returns which of the messages that a chat begins with may go with a
// strategy and its parameters, pinned by hand or not: those with the trait
// [session.IsLead], [session.IsGoal], both, or none, as long as nobody chooses
// another pin than that of chats. A pin that goes by what is said in the
// conversation may keep more of them.
func Loose(name string, p Params) session.Traits {
	s, err := New(name, InChat(name, p))
	if err != nil {
		return 0
	}
	if name == thresholdName {
		name = p["inner"]
	}
	pin, loose := PinOf(s), session.Traits(0)
	for one := range strings.SplitSeq(name, ",") {
		spec, _ := Lookup(one)
		switch {
		case !spec.Has("pin"): // it leaves nothing out
		case pin.free && spec.leads:
			loose |= session.IsLead | session.IsGoal
		case !pin.goal:
			loose |= session.IsGoal
		}
	}
	return loose
}
