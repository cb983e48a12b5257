package turn

import (
	"strings"
	"testing"
	"time"

	"pleat/session"
)

func TestReadingIsTimedOnlyOfWhatIsNew(t *testing.T) {
	p := timed(10*time.Second, 10*time.Second, session.Usage{Prompt: 1000, Completion: 100})
	r := runner(p, 32_768, Off)
	r.Speed = &Speed{}
	send := func(text string) pace {
		t.Helper()
		if got := listen(t, r.Send(t.Context(), text)); got.failed != nil {
			t.Fatal(got.failed)
		}
		return r.Speed.of[whose{"scripted", "m"}]
	}
	if got := send(strings.Repeat("a long question. ", 60)); got.Read != 100 || got.Write != 10 {
		t.Errorf("the first question: %v and %v tokens in a second, want 100 and 10", got.Read, got.Write)
	}
	p.reply = timed(time.Second, time.Second, session.Usage{Prompt: 1100, Completion: 100}).reply
	if got := send("and now?"); got.Read != 100 || got.Write != 100 {
		t.Errorf("the next question: %v and %v tokens in a second, want 100, as before, and 100", got.Read, got.Write)
	}
}

func TestSpeedLearns(t *testing.T) {
	long := strings.Repeat("x", 1000)
	tests := []struct {
		name        string
		texts       []string
		times       []time.Duration
		read, write float64
	}{
		{"once", []string{long}, []time.Duration{10 * time.Second}, 100, 20},
		{"the same again is in the cache", []string{long, long + "y"}, []time.Duration{10 * time.Second, time.Second}, 100, 20},
		{"another one is not", []string{long, "z" + long}, []time.Duration{10 * time.Second, time.Second}, 1000, 20},
		{"a conversation goes on", []string{long, ""}, []time.Duration{10 * time.Second, time.Second}, 100, 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s Speed
			k := whose{"ollama", "m"}
			for i, text := range tt.texts {
				s.learn(k, text, took{1000, tt.times[i]}, took{100, 5 * time.Second})
			}
			if got := s.of[k]; got.Read != tt.read || got.Write != tt.write {
				t.Errorf("reads %v and writes %v tokens in a second, want %v and %v", got.Read, got.Write, tt.read, tt.write)
			}
		})
	}
}

func TestSpeedIsSavedAndLoaded(t *testing.T) {
	var s Speed
	saved := map[string]string{}
	s.Save = func(provider, model string, data []byte) { saved[provider+"/"+model] = string(data) }
	s.learn(whose{"ollama", "m"}, "x", took{1000, 10 * time.Second}, took{1000, 20 * time.Second})
	s.learn(whose{"ollama", "n"}, "x", took{10, 10 * time.Second}, took{10, 20 * time.Second})
	if len(saved) != 1 || saved["ollama/m"] == "" {
		t.Fatalf("saved %v, want what was learned of m", saved)
	}
	var next Speed
	next.Load("ollama", "m", []byte(saved["ollama/m"]))
	next.Load("ollama", "m", []byte(`{"read":1,"write":1}`))
	if d, ok := next.Estimate("ollama", "m", 500, 100); !ok || d != 7*time.Second {
		t.Errorf("loaded: %v, %v; want 7s", d, ok)
	}
	for _, data := range []string{"", "x", `{"read":-1,"write":5}`, `{"read":5}`, `{"read":1e999,"write":5}`} {
		var odd Speed
		if odd.Load("ollama", "m", []byte(data)); odd.of == nil {
			continue
		}
		if d, ok := odd.Estimate("ollama", "m", 500, 100); ok {
			t.Errorf("%s: %v", data, d)
		}
	}
	if _, ok := (*Speed)(nil).Estimate("ollama", "m", 1, 1); ok {
		t.Error("nobody remembers, and yet it is known")
	}
}

func TestHiddenReasoningIsNotTimed(t *testing.T) {
	if !hidden(2000, 400) || hidden(100, 400) || hidden(20, 10) || hidden(1000, 2500) {
		t.Error("wrong about what a server hides")
	}
}
