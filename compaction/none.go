package compaction

import "pleat/session"

var noneSpec = Spec{
	Name: "none", Help: "keep everything", Inline: true,
	build: func(settings) Strategy { return none{} },
}

// none leaves every conversation as it is.
type none struct{}

func (none) Name() string     { return "none" }
func (none) NeedsModel() bool { return false }

func (none) Plan(session.Context, Budget) (Plan, error) { return Plan{}, ErrNothingToDo }
