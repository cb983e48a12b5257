package compaction

var noneSpec = Spec{
	Name: None, Help: "keep everything",
	build: func(settings) Strategy { return inline(single{stage: none{}}) },
}

// none leaves every conversation as it is.
type none struct{}

func (none) Name() string     { return None }
func (none) NeedsModel() bool { return false }

func (none) on(*draft, Budget) *SummaryRequest { return nil }
