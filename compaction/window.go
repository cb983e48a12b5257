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
	d.beforeLast(w.size)
	return nil
}

// beforeLast lets all of the body go but its last keep items.
func (d *draft) beforeLast(keep int) {
	body := d.body()
	for _, i := range body[:max(0, len(body)-keep)] {
		d.gone[i] = true
	}
}

// body returns the places of what comes after the beginning that the pin
// protects and has not gone yet. A message that the user pinned is a part of it.
func (d *draft) body() []int {
	body := make([]int, 0, len(d.v.units))
	for i, u := range d.v.units {
		if !u.has(leading) && !d.gone[i] {
			body = append(body, i)
		}
	}
	return body
}
