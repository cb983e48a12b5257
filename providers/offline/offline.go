// Package offline answers without a language model: it looks for the passages
// of the conversation that fit the question and quotes them word for word. It
// writes nothing of its own but who said what, so it never claims anything that
// the conversation does not say.
//
// Passages are ranked by BM25; exact values of the question, such as paths and
// numbers, weigh more than its words. The same request always gets the same
// answer.
package offline

import (
	"context"
	"iter"
	"time"

	"pleat/providers"
	"pleat/session"
)

// Model is the name of the one model that the provider lists.
const Model = "quotes"

// DefaultWindow is the context window in tokens where the config has none: that
// of a typical small local model, so that conversations behave as they would there.
const DefaultWindow = 8192

// DefaultPace is the time between two words of an answer where the config has
// none: fast enough not to wait for, slow enough to see and stop it.
const DefaultPace = time.Second / 150

// Config says how a provider behaves. The zero value is good to use.
type Config struct {
	// Window is the context window in tokens that [Provider.Window] reports.
	// Nothing here needs one; it gives compaction something to aim at. 0 is
	// [DefaultWindow].
	Window int

	// Count says how many tokens a message takes. Without it replies carry no
	// usage, and MaxTokens is kept by an estimate.
	Count func(session.Message) int

	// Pace is the time between two words: 0 is [DefaultPace], less than 0 is none.
	Pace time.Duration
}

// Provider quotes from conversations. It is safe for concurrent use if its
// counter is.
type Provider struct {
	cfg Config
}

var _ providers.Provider = (*Provider)(nil)

// New returns a provider. It needs no server and never fails.
func New(cfg Config) *Provider {
	if cfg.Window <= 0 {
		cfg.Window = DefaultWindow
	}
	if cfg.Pace == 0 {
		cfg.Pace = DefaultPace
	}
	return &Provider{cfg: cfg}
}

// Name returns "offline".
func (p *Provider) Name() string { return "offline" }

// Stream answers the last message of the user word by word, whatever model is
// asked for. Its only error is that of ctx.
func (p *Provider) Stream(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
	return func(yield func(providers.Chunk, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(providers.Chunk{}, err)
			return
		}
		words, finish := p.limit(pieces(answer(req.Messages)), req.MaxTokens)
		for i, word := range words {
			if i > 0 {
				if err := wait(ctx, p.cfg.Pace); err != nil {
					yield(providers.Chunk{}, err)
					return
				}
			}
			if !yield(providers.Chunk{Text: word}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(providers.Chunk{}, err)
			return
		}
		yield(providers.Chunk{Usage: p.usage(req.Messages, words), Done: true, Finish: finish}, nil)
	}
}

// Models lists the one model there is.
func (p *Provider) Models(ctx context.Context) ([]providers.Model, error) {
	return []providers.Model{{Name: Model}}, ctx.Err()
}

// Window returns the configured size for every model.
func (p *Provider) Window(ctx context.Context, _ string) (providers.Window, error) {
	return providers.Window{Requested: p.cfg.Window}, ctx.Err()
}

// wait returns after d, or with the error of ctx as soon as there is one.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return ctx.Err() // both may have been ready
	}
}
