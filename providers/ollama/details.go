package ollama

import (
	"context"
	"iter"
	"slices"
	"sync"

	"pleat/providers"
)

var _ providers.Detailer = (*Provider)(nil)

// atOnce is how many models [Provider.Details] asks about at the same time.
const atOnce = 4

// detail is what was found out about one of several models.
type detail struct {
	i    int
	tell func(*providers.Model)
}

// Details implements [providers.Detailer]. It asks once which models are loaded, and
// about each model what it was trained for.
func (p *Provider) Details(ctx context.Context, models []providers.Model) iter.Seq[providers.Model] {
	return func(yield func(providers.Model) bool) {
		ctx, cancel := context.WithCancel(ctx)
		found := make(chan detail)
		var asking sync.WaitGroup
		defer asking.Wait()
		defer cancel()
		asking.Go(func() { p.findDetails(ctx, models, found) })
		models := slices.Clone(models)
		for d := range found {
			d.tell(&models[d.i])
			if ctx.Err() != nil || !yield(models[d.i]) {
				return
			}
		}
	}
}

// findDetails sends what there is to know of models, and closes found when that is all.
func (p *Provider) findDetails(ctx context.Context, models []providers.Model, found chan<- detail) {
	send := func(i int, tell func(*providers.Model)) {
		select {
		case found <- detail{i, tell}:
		case <-ctx.Done():
		}
	}
	jobs := make(chan int)
	var asking sync.WaitGroup
	asking.Go(func() {
		running, _ := p.running(ctx) // what cannot be found out is not told of
		for i, m := range models {
			if window, ok := loaded(running, m.Name); ok {
				send(i, func(m *providers.Model) { m.Loaded, m.Window.Loaded = true, window })
			}
		}
	})
	for range min(atOnce, len(models)) {
		asking.Go(func() {
			for i := range jobs {
				if show, err := p.show(ctx, models[i].Name); err == nil {
					send(i, func(m *providers.Model) {
						m.Window.Configured, m.Window.Trained = configured(show.Parameters), trained(show.ModelInfo)
					})
				}
			}
		})
	}
	for i := range models {
		select {
		case jobs <- i:
		case <-ctx.Done():
		}
	}
	close(jobs)
	asking.Wait()
	close(found)
}
