package turn

import (
	"encoding/json"
	"sync"
	"time"

	"pleat/providers"
	"pleat/session"
)

// Speed remembers how fast models read and write, by what was last seen of
// each. The zero Speed knows nothing; nil remembers nothing. It is safe for
// concurrent use.
type Speed struct {
	// Save keeps what is known of a model of a provider for [Speed.Load]. It
	// may be nil, and is set before anything is learned.
	Save func(provider, model string, data []byte)

	mu sync.Mutex
	of map[whose]pace
}

type whose struct{ provider, model string }

// pace is how fast a model is, in tokens per second; 0 if that is unknown.
type pace struct {
	Read  float64 `json:"read"`
	Write float64 `json:"write"`
	last  string  // the text that it read last
}

// Load takes in what was saved of a model, unless more is known of it already.
// It ignores what makes no sense.
func (s *Speed) Load(provider, model string, data []byte) {
	var saved pace
	if json.Unmarshal(data, &saved) != nil || saved.Read < 0 || saved.Write < 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.of[whose{provider, model}]; !known {
		s.put(whose{provider, model}, saved)
	}
}

func (s *Speed) put(key whose, p pace) {
	if s.of == nil {
		s.of = map[whose]pace{}
	}
	s.of[key] = p
}

// Estimate returns how long a model of a provider takes to read and write so
// many tokens, and whether that is known.
func (s *Speed) Estimate(provider, model string, read, write int) (time.Duration, bool) {
	if s == nil {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.of[whose{provider, model}]
	if of.Read <= 0 || of.Write <= 0 {
		return 0, false
	}
	seconds := float64(read)/of.Read + float64(write)/of.Write
	return time.Duration(seconds * float64(time.Second)), true
}

// What a pace is taken from: below that, what a request takes besides reading
// and writing would count for more than those.
const (
	leastRead  = 256 // tokens
	leastWrote = 16  // tokens
	leastTime  = 20 * time.Millisecond
)

// learn takes in how long a model took. A text whose beginning it had just read
// says nothing of how fast it reads: servers keep what they have read.
func (s *Speed) learn(key whose, text string, read, wrote took) {
	now, changed := s.learned(key, text, read, wrote)
	if data, err := json.Marshal(now); err == nil && changed && s.Save != nil {
		s.Save(key.provider, key.model, data)
	}
}

func (s *Speed) learned(key whose, text string, read, wrote took) (now pace, changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.of[key]
	now = before
	if text != "" {
		if 4*alike(text, before.last) <= len(text) && read.tokens >= leastRead && read.time >= leastTime {
			now.Read = read.rate()
		}
		now.last = text
	}
	if wrote.tokens >= leastWrote && wrote.time >= leastTime {
		now.Write = wrote.rate()
	}
	s.put(key, now)
	return now, now.Read != before.Read || now.Write != before.Write
}

// alike returns how many bytes two texts begin with alike.
func alike(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// took is how long so many tokens took.
type took struct {
	tokens int
	time   time.Duration
}

func (t took) rate() float64 { return float64(t.tokens) / t.time.Seconds() }

// watch takes the time of one request. The nil watch takes none.
type watch struct {
	speed *Speed
	now   func() time.Time
	key   whose
	text  string // what the server reads anew; "" if it may know most of the request
	began time.Time
	first time.Time // when something came
	bytes int       // of all that came
}

// watch begins to take the time of a request.
func (r Runner) watch(p providers.Provider, req providers.Request) *watch {
	if r.Speed == nil {
		return nil
	}
	return &watch{speed: r.Speed, now: r.Now, key: whose{p.Name(), req.Model}, text: unread(req), began: r.Now()}
}

// unread returns the newest text of a request that begins a conversation, "" of
// one that goes on with one.
func unread(req providers.Request) (newest string) {
	for _, m := range req.Messages {
		if m.Role == session.Assistant {
			return ""
		}
		newest = m.Text
	}
	return newest
}

// see takes in what came.
func (w *watch) see(c providers.Chunk) {
	if w == nil {
		return
	}
	n := len(c.Text) + len(c.Reasoning)
	for _, call := range c.ToolCalls {
		n += len(call.Name) + len(call.Arguments)
	}
	if w.bytes += n; n > 0 && w.first.IsZero() {
		w.first = w.now()
	}
	if u := c.Usage; c.Done && u != nil && max(u.Prompt, u.Completion) < absurd && !w.first.IsZero() {
		w.end(c)
	}
}

// end learns from the last chunk. Where the server does not say how long it
// took, the first token came when it had read, unless it does not show its
// reasoning.
func (w *watch) end(c providers.Chunk) {
	read, wrote := took{c.Usage.Prompt, c.Read}, took{c.Usage.Completion, c.Wrote}
	if read.time <= 0 || wrote.time <= 0 {
		if hidden(c.Usage.Completion, w.bytes) {
			return
		}
		read.time = w.first.Sub(w.began)
		wrote = took{wrote.tokens - 1, w.now().Sub(w.first)}
	}
	w.speed.learn(w.key, w.text, read, wrote)
}

// hidden reports whether a server counts more tokens than it can have shown in
// so many bytes.
func hidden(tokens, bytes int) bool {
	const short = 64 // tokens that a reply takes besides its text
	return 2*(tokens-short) > bytes
}
