package facts

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

func of(texts ...string) *Set {
	s := NewSet()
	for i, text := range texts {
		s.Add(text, Source{Index: i, Role: session.Assistant})
	}
	return s
}

func items(messages ...session.Message) iter.Seq[session.Item] {
	var c *session.Chain
	for _, m := range messages {
		c = c.Append(m)
	}
	return c.Context().All()
}

func textsOf(entries []*Entry) (texts []string) {
	for _, e := range entries {
		texts = append(texts, e.Text)
	}
	return texts
}

func TestKeyIsOneForOneValue(t *testing.T) {
	for _, same := range [][]string{
		{"takes 5 GB", "takes 5GB", "takes 5 gb", "takes 5 GB"},
		{"for 10-12 min", "for 10–12 minutes", "for 10 to 12 minutes"},
		{"pay $1,200.50", "pay 1,200.50 USD", "pay $1200.50"},
		{"pay 1.200,50 €", "pay EUR 1200,50"},
		{"at -5.5 °C", "at −5.5°C"},
		{"on 2026-12-03", "on 3 December 2026", "on Dec 3, 2026", "on 3. Dezember 2026", "on 03.12.2026", "2026年12月3日", "on Thursday, 3 Dec 2026"},
		{"at 14:00", "at 2 pm", "at 2:00 p.m.", "at 14h00", "um 14 Uhr"},
		{"02:00-04:00 UTC", "02:00–04:00 UTC", "02:00 to 04:00 UTC"},
		{"2026-12-03T02:14:07Z", "2026-12-03 02:14:07 UTC", "2026-12-03T02:14:07+00:00"},
		{`C:\Users\Mia\a.txt`, `c:\users\mia\a.txt`},
		{"HTTPS://Example.com/a/", "https://example.com/a"},
		{"v1.2.3", "1.2.3"},
		{"call rows.Close()", "call rows.Close"},
		{"9F3C2AB1", "9f3c2ab1"},
		{"“No such user, sorry”", `"No such user, sorry."`},
		{"in src/a.go.", "in ./src/a.go,"},
	} {
		want := Find(same[0])
		for _, text := range same {
			got := Find(text)
			if len(got) != 1 || got[0].Key() != want[0].Key() {
				t.Errorf("%q has %v, want the key %q", text, got, want[0].Key())
				for _, f := range got {
					t.Logf("key %q", f.Key())
				}
			}
		}
	}
}

func TestKeyKeepsDifferentValuesApart(t *testing.T) {
	for _, text := range []string{
		"5 GB and 5 MB", "5 GB and 15 GB", "1.5 kg and 15 kg", "-5 °C and 5 °C", "10–12 min and 1012 min", "userID and userId", "/etc/Hosts and /etc/hosts",
		"2026-12-03 and 2026-12-30", "01/02/2026 and 02/01/2026", "02:00 and 20:00", "2 am and 2 pm", "10:00 UTC and 10:00 CET", "v1.2.3 and v1.23.0", "$500 and €500",
	} {
		fs := Find(text)
		if len(fs) != 2 || fs[0].Key() == fs[1].Key() {
			t.Errorf("%q has %v with keys %q and %q, want two", text, fs, fs[0].Key(), fs[len(fs)-1].Key())
		}
	}
}

func TestInvented(t *testing.T) {
	for _, tt := range []struct {
		name, source, summary string
		want                  []string
	}{
		{"the window that moved", "Do it 02:00-04:00 UTC on 2026-12-03.", "1 day on 2026-12-31", []string{"1 day", "2026-12-31"}},
		{"the same", "Do it 02:00-04:00 UTC on 2026-12-03.", "Maintenance 02:00–04:00 UTC on 3 December 2026", nil},
		{"a part of a moment", "at 2026-12-03T02:14:07Z", "on 2026-12-03 at 02:14:07", nil},
		{"unit apart", "needs 5GB of memory", "needs 5 GB", nil},
		{"another unit", "needs 5GB of memory", "needs 5 TB", []string{"5 TB"}},
		{"more digits", "needs 5 GB", "needs 15 GB", []string{"15 GB"}},
		{"fewer digits", "needs 1.5 GB, took 15 min", "5 GB, 5 min", []string{"5 GB", "5 min"}},
		{"a unit that was left open", "timeout: 30", "the timeout is 30 s", nil},
		{"no unit from a date", "on 2026-12-31 from 10.0.31.7", "lasts 31 days", []string{"31 days"}},
		{"words for numbers", "it takes three days", "takes 3 days", nil},
		{"counts and lists", "we changed a.go", "1. 2 files\n2. three tests\n## 3. Next Steps\nthe 2nd of 12 points", nil},
		{"quoted words", "keep the tone friendly and short", `tone: "friendly and short"`, nil},
		{"emphasis", "make it nicer", `a "fancy design" in 'quotes'`, nil},
		{"false quotation", "make it nicer", `the user said "never touch the database"`, []string{"never touch the database"}},
		{"left out within a quotation", "never ever touch the big old database", `"never ever touch … database"`, nil},
		{"file of a path", "edit /srv/app/src/main.go now", "main.go and src/main.go", nil},
		{"folder of a path", "edit /srv/app/src/main.go now", "in /srv/app", nil},
		{"folder and file apart", "in /srv/app there is src/main.go", "/srv/app/src/main.go", nil},
		{"line apart", "main.go, line 42", "main.go:42", nil},
		{"other line", "main.go:420", "main.go:42", []string{"main.go:42"}},
		{"other file", "edit src/main.go", "src/mail.go", []string{"src/mail.go"}},
		{"beginning of a version", "Go 1.26.8", "Go 1.26", nil},
		{"other version", "Go 1.26.8", "Go 1.25", []string{"1.25"}},
		{"short hash", "commit 9f3c2ab18e01d55", "commit 9f3c2ab", nil},
		{"name in words", "the user id and the OAuth token", "userID, OAuthToken", nil},
		{"other name", "the field user_id", "the field user_ids", []string{"user_ids"}},
		{"part of a command", "$ git push --force origin main", "ran `git push --force`", nil},
		{"other command", "$ git push origin main", "ran `git push --force origin main`", []string{"git push --force origin main"}},
		{"status in words", "it returned status 503", "HTTP 503", nil},
		{"other status", "it returned status 503", "HTTP 500", []string{"HTTP 500"}},
		{"money turned round", "it costs €49", "costs 49 EUR", nil},
		{"host of a URL", "https://db.example.org:8443/x", "db.example.org:8443", nil},
		{"scheme left out", "see https://example.org/a/b", "see www.example.org/a/b", nil},
		{"other port", "db.example.org:5432", "db.example.org:5433", []string{"db.example.org:5433"}},
		{"end of a range", "wait 10–12 min", "up to 12 min", nil},
		{"year added", "on 3 December", "on 2026-12-03", nil},
		{"year changed", "on 3 December 2025", "on 2026-12-03", []string{"2026-12-03"}},
		{"half of the day", "at 2 pm", "at 14:00", nil},
		{"half of the day for both", "2:00–3:45 p.m.", "at 14:00", nil},
		{"other half of the day", "at 7:30", "at 19:30", []string{"19:30"}},
		{"zone left out", "at 10:00 CET", "at 10:00", nil},
		{"what summaries say by themselves", "", "TL;DR: n/a. U.S. and e.g. Q&A, CI/CD, 24/7, A/B test, step 1/3, 50/50, top 5, option #2, phase 2, C++17, HTTP/2, x86_64, S3.\n**Next Steps**\n- [x] 5 messages, 12 files, 40 lines\n1) in May, Mon to Fri", nil},
		{"brands", "a repo", "on GitHub with JavaScript", nil},
		{"once each", "nothing", "42 GB, 42 GB and 42GB", []string{"42 GB"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range Invented(tt.summary, of(tt.source), nil) {
				got = append(got, f.Text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q of %q invented %q, want %q", tt.summary, tt.source, got, tt.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	covered := Collect(items(
		session.Message{Role: session.User, Text: "Deploy v2.4.1 to db1.example.org:5432 on 2026-12-03, 02:00-04:00 UTC."},
		session.Message{Role: session.Assistant, Text: "I read it.", ToolCalls: []session.ToolCall{{ID: "1", Name: "read_file", Arguments: `{"path":"/etc/app/conf.yaml"}`}}},
		session.Message{Role: session.Tool, ToolCallID: "1", Text: "pool_size = 20\nttl = 45s\n"},
	))
	kept := of("The pool_size stays.")
	r := Compare(covered, kept, "Deploy 2.4.1 to db1.example.org:5432 for 1 day on 2026-12-31, see /etc/app/conf.yaml.")
	if got, want := textsOf(r.Missing), []string{"2026-12-03", "02:00-04:00 UTC", "45s"}; !slices.Equal(got, want) {
		t.Errorf("missing %q, want %q", got, want)
	}
	if len(r.Invented) != 2 || r.Invented[0].Text != "1 day" || r.Invented[1].Text != "2026-12-31" {
		t.Errorf("invented %v", r.Invented)
	}
	if got, want := len(r.Kept), 4; got != want {
		t.Errorf("kept %q, want %d", textsOf(r.Kept), want)
	}
	if got := r.Share(); got != 4.0/7 {
		t.Errorf("share %v, want 4/7", got)
	}
	if e := r.Missing[2]; e.Sources[0].Index != 2 || e.Sources[0].Role != session.Tool || e.Typed() || !r.Missing[0].Typed() {
		t.Errorf("%q is said to be from %+v", e.Text, e.Sources)
	}
}

func TestInventedIsNeverKept(t *testing.T) {
	covered := of("first 1.26 on host-1, then /a/b.go and 1.5 kg")
	r := Compare(covered, nil, "Go 1.26.9 on host-1-b with /zz/a/b.go and 11.5 kg")
	if len(r.Kept) != 0 {
		t.Errorf("kept %q, invented %v", textsOf(r.Kept), r.Invented)
	}
}

func TestNothingToKeepIsAllKept(t *testing.T) {
	if r := Compare(nil, nil, "well"); r.Share() != 1 || len(r.Missing)+len(r.Invented)+len(r.Kept) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestRanked(t *testing.T) {
	covered := Collect(items(
		session.Message{Role: session.Tool, Text: "old: 111 ms"},
		session.Message{Role: session.User, Text: "typed: 222 ms"},
		session.Message{Role: session.User, Injected: true, Text: "put in: 333 ms"},
		session.Message{Role: session.Tool, Text: "often: 444 ms, 444 ms, 444 ms"},
		session.Message{Role: session.Tool, Text: "used again: 555 ms"},
		session.Message{Role: session.Tool, Text: "new: 666 ms"},
	))
	want := []string{"222 ms", "555 ms", "444 ms", "666 ms", "333 ms", "111 ms"}
	if got := textsOf(covered.Ranked(of("what about 555ms?"))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCollectTakesWhatWasSaid(t *testing.T) {
	var c *session.Chain
	c = c.Append(session.Message{Role: session.User, Text: "see a.go"})
	c = c.Follow(session.Message{Role: session.Assistant, Reasoning: "b.go", ToolCalls: []session.ToolCall{{ID: "1", Name: "read", Arguments: `{"files":["c\\d.go",{"n":1234.5}],"lines":7}`}}})
	result := c.Follow(session.Message{Role: session.Tool, ToolCallID: "1", Text: "found e.go " + strings.Repeat("and more ", 30)})
	c = result.Append(session.Mark{Flag: session.Masked, Targets: []session.ID{result.ID()}})
	c = c.Append(session.Compaction{Covers: []session.Span{{From: c.Context().At(0).ID, To: c.Context().At(0).ID}}, Summary: "read f.go", Ledger: "g.go"})
	keys := func(s *Set) (texts []string) {
		for e := range s.All() {
			texts = append(texts, e.Text)
		}
		return texts
	}
	if got, want := keys(Collect(c.Context().All())), []string{"a.go", `c\d.go`, "1234.5", "e.go", "f.go", "g.go"}; !slices.Equal(got, want) {
		t.Errorf("collected %q, want %q", got, want)
	}
	if got := keys(CollectSent(c.Context().Live())); slices.Contains(got, "e.go") {
		t.Errorf("what is masked was collected: %q", got)
	}
}

func TestASummaryThatRepeatsEverythingKeepsEverything(t *testing.T) {
	all := readMarked(t, "marked")
	for _, m := range all {
		r := Compare(of(m.text), nil, m.text)
		if r.Share() != 1 || len(r.Invented) > 0 {
			t.Errorf("%s: share %v, missing %q, invented %v", m.name, r.Share(), textsOf(r.Missing), r.Invented)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // in any order, one value a line
		m := all[rapid.IntRange(0, len(all)-1).Draw(t, "text")]
		var lines []string
		for _, f := range Find(m.text) {
			lines = append(lines, f.Text)
		}
		s := of(m.text)
		if inv := Invented(strings.Join(rapid.Permutation(lines).Draw(t, "lines"), "\n"), s); len(inv) > 0 {
			t.Errorf("%s: invented %v", m.name, inv)
		}
	})
}

func TestAnotherTextIsNotKept(t *testing.T) {
	all := readMarked(t, "marked")
	for i, m := range all {
		r := Compare(of(m.text), nil, all[(i+1)%len(all)].text)
		if r.Share() > 0.1 {
			t.Errorf("%s: %v of it is kept in another text: %q", m.name, r.Share(), textsOf(r.Kept))
		}
		if n := len(Find(all[(i+1)%len(all)].text)); float64(len(r.Invented)) < 0.8*float64(n) {
			t.Errorf("%s: only %d of %d values of another text are invented", m.name, len(r.Invented), n)
		}
	}
}

func TestATextInventsNothingOfItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := row(t, "text")
		s := of(text)
		if inv := Invented(text, s); len(inv) > 0 {
			t.Fatalf("%q invented %v", text, inv)
		}
		r := Compare(s, nil, text+"\n"+row(t, "more"))
		if len(r.Kept)+len(r.Missing) != s.Len() {
			t.Fatalf("%q: %d kept and %d missing of %d", text, len(r.Kept), len(r.Missing), s.Len())
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("02:00-04:00 UTC on 2026-12-03", "1 day on 2026-12-31", "keep /etc/hosts")
	f.Add("1.2 日9月 $", "«1», 1,000,00 \xff", "::")
	f.Fuzz(func(t *testing.T, covered, summary, kept string) {
		c := of(covered)
		r := Compare(c, of(kept), summary)
		if len(r.Kept)+len(r.Missing) != c.Len() {
			t.Fatalf("%d kept and %d missing of %d", len(r.Kept), len(r.Missing), c.Len())
		}
		if got := Invented(covered, c); len(got) > 0 {
			t.Fatalf("%q: a text invented %v of its own", covered, got)
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	s := NewSet()
	for i := range 20 {
		for _, m := range readMarked(b, "marked") {
			s.Add(m.text, Source{Index: i})
		}
	}
	summary := readMarked(b, "marked")[0].text
	b.Run("values="+itoa(s.Len()), func(b *testing.B) {
		for b.Loop() {
			Compare(s, nil, summary)
		}
	})
}

func BenchmarkSetAdd(b *testing.B) {
	text := ""
	for _, m := range readMarked(b, "marked") {
		text += m.text
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		of(text)
	}
}
