package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"pleat/compaction"
	"pleat/providers"
	"pleat/providers/ollama"
	"pleat/providers/tokens"
	"pleat/session"
)

// exchange is a chat as it went over the wire.
type exchange struct {
	bytes  int // of the request
	prompt int // tokens of it that the server counted
}

// recorder passes everything on to a server and takes notes of the chats.
type recorder struct {
	proxy *httputil.ReverseProxy
	mu    sync.Mutex
	chats []exchange
}

func (rec *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	rec.proxy.ServeHTTP(&noting{ResponseWriter: w, note: func(prompt int) {
		rec.mu.Lock()
		defer rec.mu.Unlock()
		rec.chats = append(rec.chats, exchange{len(body), prompt})
	}}, r)
}

// last returns the newest chat.
func (rec *recorder) last() exchange {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return rec.chats[len(rec.chats)-1]
}

// noting takes a note of the end of a chat before it passes it on.
type noting struct {
	http.ResponseWriter
	begun []byte // the line that is not whole yet
	note  func(prompt int)
}

func (n *noting) Write(p []byte) (int, error) {
	n.begun = append(n.begun, p...)
	for {
		line, rest, whole := bytes.Cut(n.begun, []byte("\n"))
		if !whole {
			return n.ResponseWriter.Write(p)
		}
		n.begun = rest
		var end struct {
			Done   bool
			Prompt int `json:"prompt_eval_count"`
		}
		if json.Unmarshal(line, &end) == nil && end.Done {
			n.note(end.Prompt)
		}
	}
}

func (n *noting) Flush() { n.ResponseWriter.(http.Flusher).Flush() }

// brief is a provider whose replies are short.
type brief struct{ providers.Provider }

func (b brief) Stream(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
	if req.MaxTokens == 0 {
		req.MaxTokens = 16
	}
	return b.Provider.Stream(ctx, req)
}

// liveRunner returns a runner for the server that the environment names, with a
// recorder before it and a store on disk.
func liveRunner(t *testing.T) (Runner, *recorder, string) {
	t.Helper()
	address, model := os.Getenv("PLEAT_TEST_OLLAMA"), os.Getenv("PLEAT_TEST_MODEL")
	if address == "" || model == "" {
		t.Skip("PLEAT_TEST_OLLAMA and PLEAT_TEST_MODEL name no server and model")
	}
	host, err := ollama.ParseHost(address)
	if err != nil {
		t.Fatal(err)
	}
	rec := &recorder{proxy: httputil.NewSingleHostReverseProxy(host)}
	transport := &http.Transport{DisableKeepAlives: true}
	rec.proxy.Transport, rec.proxy.FlushInterval = transport, -1
	server := httptest.NewServer(rec)
	t.Cleanup(server.Close)

	p := brief{ollama.New(ollama.Config{Host: parsed(t, server.URL)})}
	counter, calibration := tokens.For(model), tokens.Calibration{}
	return Runner{
		Backend: Backend{
			Provider: p, Summarizer: p, Model: model, Window: providers.Window{Requested: 2048},
			Meter: Meter{
				Count:    func(it session.Item) int { return counter.Message(it.Sent()) },
				Request:  counter.Reply(),
				Estimate: func(raw int) int { return calibration.Estimate(raw) },
			},
			Learn: func(raw, actual int) { calibration, _ = calibration.Observe(raw, actual) },
		},
		Settings: Settings{Reserve: 256, Strategy: "summarize", Params: compaction.Params{"keep": "2", "max-summary-tokens": "64"}, Auto: Off, Trigger: 0.8, Target: 0.5},
		Gate:     new(compaction.Gate),
		Now:      time.Now,
	}, rec, filepath.Join(t.TempDir(), "pleat.db")
}

// liveSend sends a message and returns what the server made of it.
func liveSend(t *testing.T, r Runner, rec *recorder, text string) exchange {
	t.Helper()
	l := listen(t, r.Send(t.Context(), text))
	if l.replied == nil || l.replied.Err != nil {
		t.Fatalf("failed %v, reply %+v", l.failed, l.replied)
	}
	x := rec.last()
	if u := l.replied.Message.Usage; u == nil || u.Prompt != x.prompt {
		t.Errorf("the reply says %+v, the server said %d", u, x.prompt)
	}
	return x
}

// agree fails if two sizes are more than 15 % apart.
func agree(t *testing.T, what string, measured, counted int) {
	t.Helper()
	t.Logf("%s: we say %d, the server %d (%+.1f %%)", what, measured, counted, 100*float64(measured-counted)/float64(counted))
	if abs(measured-counted)*100 > 15*counted {
		t.Errorf("%s: we say %d, the server %d", what, measured, counted)
	}
}

var liveMessages = []string{
	"I plan to move our login from cookies to OpenID Connect. There are about 40 services behind it, and none of them may be down for more than a minute during the change.",
	"The identity provider listens on port 8443 and its certificates expire on 2027-03-01. Access tokens live for 15 minutes, and refresh tokens must be rotated whenever they are used.",
	"Two of the services are written in an old version of PHP and cannot verify signatures. We put a small proxy in front of these, which does that and passes the name of the user on in a header.",
	"The first service to move is the billing page, on a Tuesday at 02:00, since nobody uses it then. If the error rate is over one per cent after ten minutes we switch back.",
	"What should I tell the people on call before that?",
}

func TestLiveCompactionShrinksWhatTheServerGets(t *testing.T) {
	r, rec, path := liveRunner(t)
	store, err := session.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { store.Close() }()
	r.Conversation = store.Begin()
	id := r.Conversation.ID()

	var before exchange
	for i, text := range liveMessages {
		asked := r.Conversation.Head().Append(session.Message{Role: session.User, Text: text})
		estimated, measured := r.Meter.corrected(r.Meter.raw(asked)), r.Meter.Measure(asked).Tokens
		before = liveSend(t, r, rec, text)
		if i >= 3 {
			agree(t, "estimated", estimated, before.prompt)
			agree(t, "measured", measured, before.prompt)
		}
	}

	head := r.Conversation.Head()
	plan, event := liveSummary(t, r, head)
	compacted, err := r.Apply(t.Context(), plan, event)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d → %d tokens: %q", event.Before, event.After, event.Summary)
	const next = "And whom do I tell first?"
	expected := r.Meter.Measure(compacted.Append(session.Message{Role: session.User, Text: next})).Tokens
	after := liveSend(t, r, rec, next)
	agree(t, "after compaction", expected, after.prompt)
	t.Logf("requests: %d bytes and %d tokens before, %d bytes and %d tokens after", before.bytes, before.prompt, after.bytes, after.prompt)
	if after.bytes >= before.bytes || after.prompt >= before.prompt {
		t.Errorf("the next request is not smaller: %+v after %+v", after, before)
	}

	step := func(what string, f func(context.Context) (*session.Chain, error), want *session.Chain) {
		t.Helper()
		got, err := f(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got.ID() != want.ID() || !reflect.DeepEqual(got.Context().Project(), want.Context().Project()) {
			t.Errorf("%s gives another history", what)
		}
	}
	step("undo of the message", r.Conversation.Undo, compacted)
	step("undo of the compaction", r.Conversation.Undo, head)
	step("redo of the compaction", r.Conversation.Redo, compacted)

	store.Close()
	if store, err = session.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	again, err := store.Resume(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for it := range again.Head().Context().All() {
		if it.Message != nil && it.Message.Role == session.User {
			said = append(said, it.Message.Text)
		}
	}
	if again.Head().ID() != compacted.ID() || !slices.Equal(said, liveMessages) {
		t.Errorf("reopened at %s with %d messages of the user, want %s with %d", again.Head().ID().Short(), len(said), compacted.ID().Short(), len(liveMessages))
	}
	step("undo after reopening", again.Undo, head)
	step("redo after reopening", again.Redo, compacted)
}

// liveSummary has the model sum up; what it writes may be refused, and then the
// conversation is quoted.
func liveSummary(t *testing.T, r Runner, head *session.Chain) (compaction.Plan, session.Compaction) {
	t.Helper()
	plan, err := r.Plan(head, "")
	if err != nil {
		t.Fatal(err)
	}
	for {
		var failed error
		for e := range r.Summarize(t.Context(), plan) {
			switch e := e.(type) {
			case Summarized:
				return plan, e.Event
			case Failed:
				failed = e.Err
			}
		}
		if r.Summarizer == nil {
			t.Fatal(failed)
		}
		t.Logf("the model's summary is not used: %v · quoting instead", failed)
		r.Summarizer = nil
	}
}
