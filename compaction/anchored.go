package compaction

import (
	"errors"
	"slices"
	"strings"

	"pleat/session"
)

// defaultSections are what a standing summary tells, after the anchored
// summaries of coding agents.
const defaultSections = "Session Intent,Files Modified,Decisions Made,Current State,Next Steps"

var anchoredSpec = Spec{
	Name: "anchored", Help: "keep one standing summary in sections and add to it",
	Params: []Param{
		{Name: "keep", Help: "messages that stay verbatim at the end", Kind: Number, Default: "5"},
		pinParam("system-user"),
		sectionsParam, focusParam, modelParam, maxSummaryParam, ledgerParam, inventedParam,
	},
	stage: func(s settings) stage { return s.anchored() },
}

var (
	sectionsParam   = Param{Name: "sections", Help: "sections of the summary, parted by commas", Kind: Text, Default: defaultSections, check: checkSections}
	focusParam      = Param{Name: "focus", Help: "what the summary should care about most", Kind: Text}
	modelParam      = Param{Name: "model", Help: "who writes the summary; without it, the model of the chat", Kind: Text}
	maxSummaryParam = Param{Name: "max-summary-tokens", Help: "limit of the summary; 0 chooses one by what is summed up", Kind: Number, Default: "0"}
)

func checkSections(list string) error {
	names := sectionNames(list)
	sorted := slices.Sorted(slices.Values(names))
	if len(names) == 0 || slices.Contains(names, "") || len(slices.Compact(sorted)) < len(names) {
		return errors.New("names parted by commas, none blank and each once")
	}
	return nil
}

func sectionNames(list string) []string {
	names := strings.Split(list, ",")
	for i, n := range names {
		names[i] = strings.Join(strings.Fields(n), " ")
	}
	return names
}

func (s settings) anchored() anchored {
	return anchored{keep: s.number("keep"), request: s.ledgered(SummaryRequest{
		Sections: sectionNames(s["sections"]), Focus: s["focus"], Model: s["model"], MaxTokens: s.number("max-summary-tokens"),
	})}
}

// anchored replaces all but the last messages by one summary in sections. What
// was summed up before becomes a part of it, so that there is never a pile.
// System messages stay, wherever they are.
type anchored struct {
	keep    int
	request SummaryRequest // without the conversation
}

func (anchored) Name() string     { return "anchored" }
func (anchored) NeedsModel() bool { return true }

func (a anchored) on(d *draft, _ Budget) *SummaryRequest {
	d.v.keepNewest()
	if a.request.LedgerTokens == whatIsLeft {
		a.keep, a.request.values = d.givingWay(a.keep)
	}
	d.beforeLast(a.keep, session.IsSystem)
	d.settle()
	d.keepLoneSummary()
	if slices.Contains(d.gone, true) {
		for i, u := range d.v.units {
			if u.has(session.IsCompaction) {
				d.gone[i] = true
			}
		}
	}
	return &a.request
}
