package session

// Traits say what a message or a compaction is, and what has become of it, in a
// few bits, so that a walk over a long context need not look into every event.
type Traits uint16

// What a [Glance] tells without a look at the item itself.
const (
	IsPinned Traits = 1 << iota // as in [Item], as are lead, goal and masked
	IsLead
	IsGoal
	IsCompaction
	IsSystem
	IsTyped    // a message of the user that a human typed
	HasCalls   // of tools
	IsResult   // of a tool call
	Answers    // a result in the batch of a message with tool calls, be that live or not
	IsMaskable // a result whose placeholder is shorter, see [Maskable]
	IsMasked

	excluded // by the user
	hidden   // the user masked it
	reverted

	isLive
	isCovered
)

// Has reports whether t has one of the traits of some.
func (t Traits) Has(some Traits) bool { return t&some != 0 }

func (t Traits) with(some Traits, on bool) Traits {
	if on {
		return t | some
	}
	return t &^ some
}
