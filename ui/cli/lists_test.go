package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pleat/compaction"
	"pleat/providers"
	"pleat/providers/tokens"
	"pleat/session"
	"pleat/session/messages"
	"pleat/session/turn"
)

// mailChat is a list with all that strategies tell apart.
const mailChat = `[
{"role":"system","content":"You set up mail servers."},
{"role":"user","content":"Set up the mail server on 10.0.0.7 until 2026-05-01."},
{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"read_file","arguments":"{\"path\":\"/etc/mail/main.cf\"}"}},{"id":"2","function":{"name":"ls","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"1","content":"relayhost = 10.0.0.9 and then many more lines of a file that nobody has to read again, since what matters was said"},
{"role":"tool","tool_call_id":"2","content":[{"type":"text","text":"a listing of a folder that is long enough to be worth a placeholder, with main.cf and master.cf"}]},
{"role":"assistant","content":"I decided to use port 2525, because the provider blocks port 25, and wrote that to /etc/mail/main.cf."},
{"role":"user","content":"Good. Keep the old server for now, please, and tell the others about the new one in time."},
{"role":"assistant","content":"The old server stays until 2026-05-01. I told ops@example.org, who answered that they agree."},
{"role":"user","content":"What about the certificate?"},
{"role":"assistant","content":"It is renewed by certbot every 60 days, the next time on 2026-03-12, and needs port 80 for that."},
{"role":"user","content":"What is left to do?"}
]
`

// listOf reads a list that counts the code points of text only.
func listOf(t testing.TB, text string) *list {
	t.Helper()
	parsed, err := messages.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return withCounter(t, parsed)
}

func withCounter(t testing.TB, parsed *messages.List) *list {
	counter, err := tokens.Named("chars", "")
	if err != nil {
		t.Fatal(err)
	}
	return &list{List: parsed, counter: counter, cache: tokens.NewCache(counter), bare: true}
}

// squeezed compacts a list without a model.
func squeezed(t testing.TB, l *list, strategy string, params compaction.Params, target int) (outcome, string) {
	t.Helper()
	s, err := compaction.New(strategy, params)
	if err != nil {
		t.Fatal(err)
	}
	b := l.budget(0, 0, 0)
	b.Target = target
	o, err := squeezer{strategy: s, budget: b, runner: quoting(l), progress: &progress{}, notice: func(string) {}}.run(t.Context(), l.Chain())
	if err != nil {
		t.Fatalf("%s: %v", strategy, err)
	}
	var out strings.Builder
	if err := l.Write(&out, o.chain.Context()); err != nil {
		t.Fatal(err)
	}
	return o, out.String()
}

// TestWithoutASummaryNobodyLooksForExactValues: they take longer to find than all
// else that is done to a long list.
func TestWithoutASummaryNobodyLooksForExactValues(t *testing.T) {
	for _, tt := range []struct {
		strategy string
		params   compaction.Params
		counted  bool
	}{
		{"oldest-first", nil, false},
		{"mask", compaction.Params{"keep": "0"}, false},
		{"summarize", nil, true},
	} {
		o, _ := squeezed(t, listOf(t, mailChat), tt.strategy, tt.params, 600)
		e, _ := o.chain.Event().(session.Compaction)
		if o.rounds == 0 || (e.Facts > 0) != tt.counted {
			t.Errorf("%s counts %d exact values in %d rounds", tt.strategy, e.Facts, o.rounds)
		}
	}
}

// settled fails unless what a strategy makes of a list is smaller, or the list,
// and is left alone when it comes back.
func settled(t testing.TB, l *list, strategy string, target int) {
	t.Helper()
	first, once := squeezed(t, l, strategy, nil, target)
	before, after := l.size(l.Chain()), l.size(first.chain)
	switch {
	case first.rounds == 0 && once != string(l.Bytes()):
		t.Fatalf("%s, target %d: %s, but the list is another:\n%s", strategy, target, first.status(), once)
	case first.rounds > 0 && after.tokens >= before.tokens:
		t.Fatalf("%s, target %d: %d → %d tokens", strategy, target, before.tokens, after.tokens)
	case after.tokens > target && first.status() == statusDone && aims(strategy):
		t.Fatalf("%s: %d tokens are more than the target, %d, and it is %s", strategy, after.tokens, target, first.status())
	}
	again := listOf(t, once)
	if got := again.size(again.Chain()); got != after {
		t.Fatalf("%s, target %d: %+v was reported, the result has %+v", strategy, target, after, got)
	}
	second, twice := squeezed(t, again, strategy, nil, target)
	if second.rounds > 0 || twice != once || second.missed() != first.missed() {
		t.Fatalf("%s, target %d: %s, and once more: %s\n%s\n%s", strategy, target, first.status(), second.status(), once, twice)
	}
}

func aims(strategy string) bool {
	return !slices.Contains([]string{"anchored", "summarize", "window", "mask", "none"}, strategy)
}

var everyStrategy = append(compaction.Names(), "mask,summarize", "anchored,oldest-first", "window,mask")

func TestCompactingAgainChangesNothing(t *testing.T) {
	lists, shares := map[string]string{"chat": mailChat}, map[string][]float64{"chat": {0, 0.05, 0.3, 0.5, 0.9, 1}}
	files, _ := filepath.Glob("../../compaction/testdata/transcripts/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lists[filepath.Base(file)], shares[filepath.Base(file)] = string(text), []float64{0.02, 0.5}
	}
	for name, text := range lists {
		t.Run(name, func(t *testing.T) {
			l := listOf(t, text)
			whole := l.size(l.Chain()).tokens
			for _, strategy := range everyStrategy {
				for _, share := range shares[name] {
					settled(t, l, strategy, max(1, int(share*float64(whole))))
				}
			}
		})
	}
}

// Whatever list comes in, its compaction is a list, no larger, and stays as it
// is when it is compacted again.
func FuzzCompact(f *testing.F) {
	f.Add([]byte(mailChat), uint8(0), uint16(300))
	f.Add([]byte(`[{"role":"user","content":"[CONTEXT SUMMARY]\nx"},{"role":"assistant","content":"y"},{"role":"user","content":"[CONTEXT SUMMARY]\nz"}]`), uint8(2), uint16(9))
	f.Add([]byte(`[{"role":"assistant","content":"a"},{"role":"system","content":"b"}]`), uint8(3), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, strategy uint8, target uint16) {
		parsed, err := messages.Parse(data)
		if err != nil {
			return
		}
		settled(t, withCounter(t, parsed), everyStrategy[int(strategy)%len(everyStrategy)], max(1, int(target)))
	})
}

func TestTightTargetsKeepAShorterSummary(t *testing.T) {
	l := listOf(t, mailChat)
	params := compaction.Params{"keep": "1"}
	o, text := squeezed(t, l, "staged", params, 300)
	if o.status() != statusDone || l.size(o.chain).tokens > 300 || !strings.Contains(text, session.SummaryHeading) {
		t.Errorf("%s, %+v:\n%s", o.status(), l.size(o.chain), text)
	}
}

func TestWhereNothingCanBeQuotedTheTargetDecides(t *testing.T) {
	text := `[{"role":"user","content":"hi"},{"role":"assistant","content":"` + strings.Repeat("… ", 200) + `"},{"role":"user","content":"ok"},{"role":"assistant","content":"."},{"role":"user","content":"!"}]`
	tests := []struct {
		strategy string
		target   int
		want     string
	}{
		{"summarize", 0, statusNoGain},
		{"staged", 40, statusDone},
		{"staged", 2, statusMissed},
	}
	for _, tt := range tests {
		l := listOf(t, text)
		o, out := squeezed(t, l, tt.strategy, compaction.Params{"keep": "1"}, tt.target)
		if o.status() != tt.want || o.rounds == 0 && out != text {
			t.Errorf("%s, target %d: %s, want %s\n%s", tt.strategy, tt.target, o.status(), tt.want, out)
		}
	}
}

// author is a model that writes the same summary whatever it is asked, or fails.
type author struct {
	providers.Provider
	text, finish string
	err          error
}

func (a author) Stream(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
	return func(yield func(providers.Chunk, error) bool) {
		if a.err != nil {
			yield(providers.Chunk{}, a.err)
			return
		}
		yield(providers.Chunk{Text: a.text, Done: true, Finish: a.finish}, nil)
	}
}

func TestModelsWriteSummaries(t *testing.T) {
	down := errors.New("the server is down")
	tests := []struct {
		name   string
		author author
		want   string // in the result
		by     string
		notice string
		err    error
	}{
		{"good", author{text: "Port 2525.", finish: "stop"}, `[CONTEXT SUMMARY]\nPort 2525.\n\nExact values, as written:\nnumber: port 25"}`, "tiny", "", nil},
		{"blank", author{text: " ", finish: "stop"}, `Excerpts`, quotes, "the model said nothing · quoted", nil},
		{"down", author{err: down}, "", "", "", down},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := listOf(t, mailChat)
			strategy, err := compaction.New("summarize", compaction.Params{"keep": "2"})
			if err != nil {
				t.Fatal(err)
			}
			r := quoting(l)
			r.Backend = turn.Backend{Provider: tt.author, Summarizer: tt.author, Model: "tiny", Meter: r.Meter}
			notice := ""
			s := squeezer{strategy: strategy, budget: l.budget(0, 0, 0), runner: r, progress: &progress{}, notice: func(s string) { notice += s }}
			o, err := s.run(t.Context(), l.Chain())
			if !errors.Is(err, tt.err) {
				t.Fatalf("run = %v, want %v", err, tt.err)
			}
			if err != nil {
				return
			}
			var out strings.Builder
			if err := l.Write(&out, o.chain.Context()); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), tt.want) || o.by != tt.by || !strings.Contains(notice, tt.notice) {
				t.Errorf("by %q, notice %q:\n%s", o.by, notice, &out)
			}
		})
	}
}

func TestWindowsLeaveRoomForToolsAndReply(t *testing.T) {
	parsed, err := messages.Parse([]byte(`{"tools":[{"a":1}],"messages":[{"role":"user","content":"hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	l := withCounter(t, parsed)
	b := l.budget(1000, 200, 0.5)
	if want := 1000 - 200 - len(`[{"a":1}]`); b.Limit() != want || b.Target != want/2 {
		t.Errorf("limit %d, target %d, want %d and its half", b.Limit(), b.Target, want)
	}
	if b := l.budget(100, 1024, 0.5); b.Reserve != 50 {
		t.Errorf("reserve = %d, want half of the window", b.Reserve)
	}
}

func TestProgressSpeaksOnlyToThoseWhoWait(t *testing.T) {
	tests := []struct {
		name string
		do   func(p *progress)
		want string
	}{
		{"done at once", func(p *progress) { p.say("reading") }, ""},
		{"done soon", func(p *progress) { p.say("reading"); time.Sleep(999 * time.Millisecond) }, ""},
		{"long", func(p *progress) { p.say("a\x1b[2Jb"); time.Sleep(2 * time.Second) }, "\r\x1b[Ka␛b\r\x1b[K"},
		{"many steps", func(p *progress) {
			time.Sleep(1050*time.Millisecond + 500*time.Microsecond)
			for i := range 200 {
				p.say("step %d", i)
				time.Sleep(time.Millisecond)
			}
		}, "\r\x1b[Kstep 49\r\x1b[Kstep 149\r\x1b[K"},
		{"something else in between", func(p *progress) {
			p.say("reading")
			time.Sleep(time.Second + time.Millisecond)
			p.clear()
			fmt.Fprintln(p.w, "note")
			time.Sleep(time.Second)
		}, "\r\x1b[Kreading\r\x1b[Knote\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out strings.Builder
				p := &progress{w: &out}
				p.start()
				tt.do(p)
				p.end()
				if got := out.String(); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}

func TestProgressSaysNothingToAPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := newProgress(&out)
		p.say("reading")
		time.Sleep(2 * time.Second)
		p.clear()
		p.end()
		if out.Len() > 0 {
			t.Errorf("a pipe got %q", &out)
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	text := []byte(strings.Replace(mailChat, "]\n", strings.Repeat(","+strings.Trim(mailChat, "[]\n"), 99)+"]\n", 1))
	parsed, err := messages.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l := withCounter(b, parsed)
		for _, name := range compaction.Names() {
			squeezed(b, l, name, nil, l.size(l.Chain()).tokens/2)
		}
	}
}
