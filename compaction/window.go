package compaction

import "pleat/session"

var windowSpec = Spec{
	Name: "window", Help: "keep the last messages, leave out the rest", leads: true,
	Params: []Param{
		{Name: "size", Help: "messages to keep after the pinned beginning; 0 keeps only that", Kind: Number, Default: "20"},
		pinParam("system"),
	},
	stage: func(s settings) stage { return window{size: s.number("size")} },
}

// window keeps the last messages. With size 0 even the newest message of the
// user goes.
type window struct{ size int }

func (window) Name() string     { return "window" }
func (window) NeedsModel() bool { return false }

func (w window) on(d *draft, _ Budget) *SummaryRequest {
	if w.size > 0 {
		d.v.keepNewest()
	}
	d.beforeLast(w.size, 0)
	return nil
}

// beforeLast lets all items go but the last keep ones. The beginning that the pin
// protects stays and is not counted, and so does what has one of the traits but.
// A message that the user pinned is counted.
func (d *draft) beforeLast(keep int, but session.Traits) {
	for i := len(d.gone) - 1; i >= 0; i-- {
		u := &d.v.units[i]
		switch {
		case d.gone[i] || u.marked(leading) || u.has(but):
		case keep > 0:
			keep--
		default:
			d.gone[i] = true
		}
	}
}
