package compaction

// Reason is why a summary was refused.
type Reason string

// The reasons to refuse a summary.
const (
	Blank     Reason = "blank"     // it says nothing
	Cut       Reason = "cut"       // it ran into the length limit
	Broken    Reason = "broken"    // it ended without the server saying so
	Unusual   Reason = "unusual"   // it ended for another reason than that it was complete
	Calls     Reason = "calls"     // it wants to call tools
	Endless   Reason = "endless"   // it went on far past its limit and was stopped
	NotLess   Reason = "not less"  // with it, the context is not smaller
	TooSmall  Reason = "too small" // the model's window is
	Shapeless Reason = "shapeless" // it does not have the sections asked for
	Invented  Reason = "invented"  // it has exact values that the conversation does not have
)

// Refused is the error of a summary that may not replace what it sums up.
type Refused struct {
	Reason   Reason
	Detail   string   // for the user
	Invented []string // with that reason: the values
}

func tooSmall() error {
	return &Refused{Reason: TooSmall, Detail: "the window of the model that sums up is too small for it · choose another model or a larger window"}
}

// Error says why, in words for the user.
func (e *Refused) Error() string { return "the summary was refused: " + e.Detail }
