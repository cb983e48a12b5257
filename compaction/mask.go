package compaction

import "pleat/session"

var maskSpec = Spec{
	Name: "mask", Help: "replace old tool results by a line each",
	Params: []Param{
		{Name: "keep", Help: "newest tool results that stay", Kind: Number, Default: "3"},
	},
	stage: func(s settings) stage { return mask{keep: s.number("keep")} },
}

// mask hides the text of all but the newest tool results. Results of a turn
// that is still going on stay, unless the request would not fit the window.
type mask struct{ keep int }

func (mask) Name() string     { return "mask" }
func (mask) NeedsModel() bool { return false }

func (m mask) on(d *draft, b Budget) *SummaryRequest {
	end := d.v.current()
	if limit := b.Limit(); limit > 0 && d.size() > limit {
		end = len(d.v.units)
	}
	for i := range min(end, d.newestResults(m.keep)) {
		if d.readable(i) {
			d.mask(i)
		}
	}
	return nil
}

// newestResults returns the place where the newest keep tool results that have
// not gone begin, masked ones too; 0 if there are not so many.
func (d *draft) newestResults(keep int) int {
	i := len(d.gone)
	for ; i > 0 && keep > 0; i-- {
		if d.v.units[i-1].has(session.IsResult) && !d.gone[i-1] {
			keep--
		}
	}
	return i
}
