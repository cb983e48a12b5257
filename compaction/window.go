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
	return v.beforeLast(w.Name(), w.size).plan()
}

// beforeLast drafts a plan in which all of the body goes but its last keep
// items.
func (v view) beforeLast(strategy string, keep int) *draft {
	d := v.draft(strategy)
	body := v.body()
	for _, i := range body[:max(0, len(body)-keep)] {
		d.gone[i] = true
	}
	return d
}
