package compaction

import "pleat/session"

var windowSpec = Spec{
	Name: "window", Help: "keep the last messages, leave out the rest", Inline: true,
	Params: []Param{
		{Name: "size", Help: "messages to keep after the pinned beginning; 0 keeps only that", Kind: Number, Default: "20"},
		pinParam("system"),
	},
	build: func(s settings) Strategy { return window{size: s.number("size"), pin: s.pin()} },
}

// window keeps the last messages. With size 0 even the newest message of the
// user goes.
type window struct {
	size int
	pin  Pin
}

func (window) Name() string     { return "window" }
func (window) NeedsModel() bool { return false }

func (w window) withPin(p Pin) Strategy { w.pin = p; return w }

func (w window) Plan(ctx session.Context, b Budget) (Plan, error) {
	v, err := look(ctx, b, w.pin)
	if err != nil {
		return Plan{}, err
	}
	if w.size > 0 {
		v.keepNewest()
	}
	d := v.draft(w.Name())
	w.on(d, b)
	return d.plan()
}

func (w window) on(d *draft, _ Budget) *SummaryRequest {
	d.beforeLast(w.size, leading)
	return nil
}

// beforeLast lets all items go but the last keep ones. Those with one of the
// flags stay and are not counted: with leading, what comes after the beginning
// that the pin protects. A message that the user pinned is counted.
func (d *draft) beforeLast(keep int, but unitFlags) {
	for i := len(d.gone) - 1; i >= 0; i-- {
		switch {
		case d.gone[i] || d.v.units[i].flags&but != 0:
		case keep > 0:
			keep--
		default:
			d.gone[i] = true
		}
	}
}
