package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"pleat/providers"
)

// named returns models with names.
func named(n int) (models []providers.Model) {
	for i := range n {
		models = append(models, providers.Model{Name: fmt.Sprintf("m%d:latest", i), Size: int64(i), Family: "llama"})
	}
	return models
}

// modelOf returns the model that a request asks about.
func modelOf(r *http.Request) (name string) {
	var body struct{ Model string }
	json.NewDecoder(r.Body).Decode(&body)
	return body.Model
}

func TestDetailsTellWhatIsLoadedAndTrained(t *testing.T) {
	p := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/ps":
			io.WriteString(w, `{"models":[{"name":"m1","context_length":4096},{"name":"m2:latest"},{"name":"other","context_length":1}]}`)
		case "/api/show":
			switch modelOf(r) {
			case "m2:latest":
				w.WriteHeader(http.StatusInternalServerError)
			case "m3:latest":
				io.WriteString(w, `{"parameters":"num_ctx 16384","model_info":{"general.architecture":"a","a.context_length":32768}}`)
			default:
				io.WriteString(w, `{"model_info":{"general.architecture":"a","a.context_length":32768}}`)
			}
		default:
			http.NotFound(w, r)
		}
	})
	got := map[string]providers.Model{}
	for m := range p.Details(t.Context(), named(4)) {
		got[m.Name] = m
	}
	for name, want := range map[string]providers.Model{
		"m0:latest": {Window: providers.Window{Trained: 32768}},
		"m1:latest": {Loaded: true, Size: 1, Window: providers.Window{Loaded: 4096, Trained: 32768}},
		"m2:latest": {Loaded: true, Size: 2}, // the server fails for it, and an old one does not tell what is allocated
		"m3:latest": {Size: 3, Window: providers.Window{Configured: 16384, Trained: 32768}},
	} {
		if want.Name, want.Family = name, "llama"; got[name] != want {
			t.Errorf("%s is %+v, want %+v", name, got[name], want)
		}
	}
	if len(got) != 4 {
		t.Errorf("%d models are told of, want 4", len(got))
	}
}

func TestDetailsOfAServerThatTellsNothing(t *testing.T) {
	p := serve(t, Config{}, http.NotFound)
	for m := range p.Details(t.Context(), named(3)) {
		t.Errorf("%+v is told of", m)
	}
	for m := range p.Details(t.Context(), nil) {
		t.Errorf("%+v is told of", m)
	}
}

// TestDetailsAskAFewAtOnce holds that a hundred models are not a hundred requests at
// the same time, and that all are asked about once.
func TestDetailsAskAFewAtOnce(t *testing.T) {
	var now, most, all, lists atomic.Int32
	meet := make(chan struct{}) // so many are answered together as there may be
	p := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/ps" {
			lists.Add(1)
			io.WriteString(w, `{}`)
			return
		}
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if all.Add(1)%atOnce == 0 {
			for range atOnce - 1 {
				meet <- struct{}{}
			}
		} else {
			select {
			case <-meet:
			case <-r.Context().Done(): // the others never came
			}
		}
		now.Add(-1)
		io.WriteString(w, `{"model_info":{"a.context_length":2048}}`)
	})
	told := 0
	for m := range p.Details(t.Context(), named(100)) {
		told++
		if m.Window.Trained != 2048 {
			t.Errorf("%s has a window of %d", m.Name, m.Window.Trained)
		}
	}
	if most.Load() != atOnce || all.Load() != 100 || lists.Load() != 1 || told != 100 {
		t.Errorf("%d at once, %d in all, %d lists, %d told of", most.Load(), all.Load(), lists.Load(), told)
	}
}

// TestDetailsEndWhenNobodyWantsThem holds that nothing is left behind, which goleak
// would tell.
func TestDetailsEndWhenNobodyWantsThem(t *testing.T) {
	p := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/ps" || modelOf(r) != "m0:latest" {
			<-r.Context().Done()
			return
		}
		io.WriteString(w, `{"model_info":{"a.context_length":2048}}`)
	})
	for range p.Details(t.Context(), named(100)) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range p.Details(ctx, named(100)) {
		cancel()
	}
}
