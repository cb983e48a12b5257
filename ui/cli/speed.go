package cli

import (
	"cmp"
	"context"
	"time"

	"pleat/compaction"
)

func speedPref(provider, model string) string { return "speed " + provider + " " + model }

// recallSpeed loads how fast a model was when it was last talked to.
func (a *app) recallSpeed(ctx context.Context, provider, model string) {
	s, err := a.open()
	if err != nil {
		return
	}
	if data, err := s.Pref(ctx, speedPref(provider, model)); err == nil {
		a.speed.Load(provider, model, []byte(data))
	}
}

// saveSpeed keeps how fast a model is. It can be learned again, so it may fail.
func (a *app) saveSpeed(ctx context.Context) func(provider, model string, data []byte) {
	ctx = context.WithoutCancel(ctx)
	return func(provider, model string, data []byte) {
		if s, err := a.open(); err == nil {
			_ = s.SetPref(ctx, speedPref(provider, model), string(data))
		}
	}
}

// summaryTime says how long a model takes for the summary that a projection
// wants, and whether that is known. Without a name it is the model that was
// talked to last. It asks no server.
type summaryTime func(c *compaction.Comparison, p compaction.Projection) (time.Duration, bool)

// summaryTime returns what knows that of a model.
func (a *app) summaryTime(ctx context.Context, model string) summaryTime {
	unknown := func(*compaction.Comparison, compaction.Projection) (time.Duration, bool) { return 0, false }
	if !exists(a.paths.data) {
		return unknown // and no reason to make it
	}
	s, err := a.open()
	if err != nil {
		return unknown
	}
	for _, provider := range []string{"ollama", "openai"} {
		last, _ := s.Pref(ctx, modelPref(provider))
		name := cmp.Or(model, last)
		a.recallSpeed(ctx, provider, name)
		if _, known := a.speed.Estimate(provider, name, 1, 1); known {
			return func(c *compaction.Comparison, p compaction.Projection) (time.Duration, bool) {
				read, write := c.Work(p)
				t, _ := a.speed.Estimate(provider, name, read, write)
				return t, read > 0
			}
		}
	}
	return unknown
}
