package cli

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	"pleat/providers/tokens"
	"pleat/session/turn"
)

// meter gives a backend what counts its tokens, corrected by what its server
// has counted, in earlier sessions too.
func (a *app) meter(ctx context.Context, b *turn.Backend) {
	counter := tokens.For(b.Model)
	a.warming.Go(counter.Warm)
	cache := tokens.NewCache(counter)
	learned := &learner{}
	learned.now.Store(&tokens.Calibration{Exact: counter.Exact()})
	if b.Summarizer != nil { // a server, which counts
		a.recall(ctx, learned, b.Provider.Name()+" "+b.Model)
		b.Learn = learned.learn
		a.recallSpeed(ctx, b.Provider.Name(), b.Model)
		b.Speed = &a.speed
	}
	b.Meter = turn.Meter{
		Count: cache.Item, Glance: cache.Glance, Known: cache.Known, Request: counter.Reply(),
		Exact: counter.Exact(), Model: b.Model, Estimate: learned.estimate,
	}
}

// recall loads what was learned about a model before, and has it saved.
func (a *app) recall(ctx context.Context, l *learner, model string) {
	store, err := a.open()
	if err != nil {
		return
	}
	if data, err := store.Calibration(ctx, model); err == nil && len(data) > 0 {
		l.load(data)
	}
	l.save = func(data []byte) {
		_ = store.SetCalibration(context.WithoutCancel(ctx), model, data) // it can be learned again
	}
}

// learner holds the calibration of a model while the program runs. It is safe
// for concurrent use.
type learner struct {
	mu   sync.Mutex // held while it learns
	now  atomic.Pointer[tokens.Calibration]
	save func(data []byte) // nil if nothing is stored
}

func (l *learner) estimate(raw int) int { return l.now.Load().Estimate(raw) }

func (l *learner) load(data []byte) {
	c := *l.now.Load()
	if exact := c.Exact; json.Unmarshal(data, &c) == nil && c.Exact == exact {
		l.now.Store(&c)
	}
}

func (l *learner) learn(raw, counted int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, believed := l.now.Load().Observe(raw, counted)
	l.now.Store(&c)
	if data, err := json.Marshal(c); err == nil && believed && l.save != nil {
		l.save(data)
	}
}
