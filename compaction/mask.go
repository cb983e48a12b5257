package compaction

import "pleat/session"

var maskSpec = Spec{
	Name: "mask", Help: "replace old tool results by a line each", Inline: true,
	Params: []Param{
		{Name: "keep", Help: "newest tool results that stay", Kind: Number, Default: "3"},
	},
	build: func(s settings) Strategy { return mask{keep: s.number("keep")} },
}

// mask hides the text of all but the newest tool results. Results of a turn
// that is still going on stay, unless the request would not fit the window.
type mask struct {
	keep int
	pin  Pin // only of a range
}

func (mask) Name() string     { return "mask" }
func (mask) NeedsModel() bool { return false }

func (m mask) Plan(ctx session.Context, b Budget) (Plan, error) {
	v, err := look(ctx, b, m.pin)
	if err != nil {
		return Plan{}, err
	}
	d := v.draft(m.Name())
	m.on(d, b)
	return d.plan()
}

func (m mask) on(d *draft, b Budget) *SummaryRequest {
	end := d.v.current()
	if limit := b.Limit(); limit > 0 && d.size() > limit {
		end = len(d.v.units)
	}
	results := d.results()
	for _, i := range results[:max(0, len(results)-m.keep)] {
		if i < end && !d.masks(i) && d.v.maskable(i) {
			d.mask(i)
		}
	}
	return nil
}

// results returns the places of all tool results that have not gone, masked
// ones too.
func (d *draft) results() []int {
	var places []int
	for i, u := range d.v.units {
		if u.is(session.Tool) && !d.gone[i] {
			places = append(places, i)
		}
	}
	return places
}
