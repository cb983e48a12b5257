package ui

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session/turn"
)

// detailed is a provider that tells more of its models than the list.
type detailed struct {
	*scripted
	asked  []string        // the models that it was asked about
	calls  int             // how often
	ended  int             // how often that was cancelled
	each   time.Duration   // what one model takes
	unable map[string]bool // those that it cannot tell of
}

func (d *detailed) Details(ctx context.Context, models []providers.Model) iter.Seq[providers.Model] {
	d.calls++
	return func(yield func(providers.Model) bool) {
		for i, m := range models {
			d.asked = append(d.asked, m.Name)
			select {
			case <-ctx.Done():
				d.ended++
				return
			case <-time.After(d.each):
			}
			m.Window.Trained = 40960
			if i == 0 {
				m.Loaded, m.Window.Loaded = true, 8192
			}
			if !d.unable[m.Name] && !yield(m) {
				return
			}
		}
	}
}

// offering is a chat with a provider of models.
func offering(d *detailed) Options {
	o := options(d.scripted, story())
	connect := o.Connect
	o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
		b, err := connect(ctx, model)
		b.Provider = d
		return b, err
	}
	return o
}

// shop is a provider with some models.
func shop(models ...providers.Model) *detailed {
	d := &detailed{scripted: says("ok"), each: 100 * time.Millisecond}
	d.models = models
	return d
}

func someModels() *detailed {
	return shop(
		providers.Model{Name: "qwen3:8b", Family: "qwen3", Size: 5_225_388_164}, providers.Model{Name: "tester:1b", Family: "llama", Size: 1_321_098_329},
		providers.Model{Name: "王小明/very-long-name-of-a-model:70b-instruct-q4", Family: "llama", Size: 42_520_413_916}, providers.Model{Name: "mystery"},
	)
}

// TestALongNoteLeavesRoomForTheName checks that nothing that a server says of a model
// takes the place of its name.
func TestALongNoteLeavesRoomForTheName(t *testing.T) {
	p := says("ok")
	p.models = []providers.Model{{Name: "a-model-with-a-name", Family: strings.Repeat("x", 100_000)}}
	for _, width := range []int{40, 60, 110} {
		drive(t, options(p, long()), width, 18, func(d *driver) {
			d.settle()
			d.press("ctrl+x", "o")
			d.settle()
			d.sees("a-model-with-a-name")
			framed(d, d.m)
		})
	}
}

func TestNamesOfModelsComeFirstAndDetailsAsTheyAreKnown(t *testing.T) {
	p := someModels()
	p.unable = map[string]bool{"mystery": true}
	drive(t, offering(p), 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "o")
		d.sees("› tester:1b", "this one  llama  1.3 GB\n", "qwen3  5.2 GB\n", "mystery")
		d.lacks("context")
		d.pass(150 * time.Millisecond)
		d.sees("qwen3  5.2 GB  8.2k of 41.0k context  loaded")
		d.lacks("1.3 GB  41.0k context")
		d.press("up") // what is selected stays so
		d.settle()
		d.sees("› qwen3:8b", "this one  llama  1.3 GB  41.0k context", "42.5 GB  41.0k context", "   mystery\n")
		if p.calls != 1 || len(p.asked) != 4 {
			t.Errorf("it was asked %d times, about %v", p.calls, p.asked)
		}
		d.write("tester")
		d.settle()
		d.press("enter")
		d.settle()
		d.sees("now talking to tester:1b")
	})
}

// TestOnlyModelsThatShowAreAskedAbout holds that a long list is not a long wait, that
// each model is asked about once, and that nobody goes on asking when the list is gone.
func TestOnlyModelsThatShowAreAskedAbout(t *testing.T) {
	var models []providers.Model
	for i := range 100 {
		models = append(models, providers.Model{Name: fmt.Sprintf("model-%d", i)})
	}
	for _, size := range sizesShown {
		p := shop(models...)
		drive(t, offering(p), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("ctrl+x", "o")
			d.settle()
			first := len(p.asked)
			if most := size.height / 2; first == 0 || first > most || p.calls != 1 {
				t.Errorf("%d×%d: asked about %d models in %d calls", size.width, size.height, first, p.calls)
			}
			d.press("end")
			d.settle()
			d.press("home", "end")
			d.settle()
			if len(p.asked) != 2*first || !strings.Contains(d.screen(), "model-99") {
				t.Errorf("%d×%d: asked about %d models, then about %d", size.width, size.height, first, len(p.asked)-first)
			}
			d.write("model-50")
			d.pass(10 * time.Millisecond)
			d.press("esc")
			asked := len(p.asked)
			d.settle()
			if len(p.asked) != asked || p.ended != 1 {
				t.Errorf("%d×%d: it is still asked", size.width, size.height)
			}
			d.lacks("context")
		})
	}
}

func BenchmarkModelListKey(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("models=%d", n), func(b *testing.B) {
			m := opened(b, story())
			m.listModels()
			p := m.dialog().(*picker)
			models := make([]providers.Model, n)
			for i := range models {
				models[i].Name = fmt.Sprintf("model-%d", i)
			}
			list := &modelList{picker: p, provider: m.runner.Provider}
			p.missing = list.missing
			m.Update(modelListMsg{to: list, models: models})
			for b.Loop() {
				m.Update(keyPress("down"))
				m.View()
			}
		})
	}
}
