package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func exported(t testing.TB, s *Store, id string) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b, id); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func imported(t testing.TB, s *Store, file string) string {
	t.Helper()
	done, err := s.Import(t.Context(), []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return done.ID
}

// contents returns all rows that tell of sessions.
func contents(t testing.TB, s *Store) string {
	t.Helper()
	var b strings.Builder
	for _, query := range []string{
		"SELECT quote(id), coalesce(parent, 0), kind, depth, messages, session, at, quote(data) FROM node ORDER BY seq",
		"SELECT id, family, quote(head), quote(tip), title, created, updated, coalesce(hidden, 0) FROM session ORDER BY n",
		"SELECT session, node, '', '', '', '', '', '' FROM tip ORDER BY session, node",
		"SELECT rowid, '', '', '', '', '', '', '' FROM said_index ORDER BY rowid",
	} {
		rows, err := s.read.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var f [8]string
			if err := rows.Scan(&f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6], &f[7]); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, f)
		}
		rows.Close()
	}
	return b.String()
}

// TestWhatIsImportedIsTheSessionThatWasExported holds for histories in which
// anything happened, on several lines, also what this program does not know.
func TestWhatIsImportedIsTheSessionThatWasExported(t *testing.T) {
	from, to := newStore(t), newStore(t)
	size := func(s *Store) (n [3]int) {
		row := s.read.QueryRow("SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM session), (SELECT count(*) FROM tip)")
		if err := row.Scan(&n[0], &n[1], &n[2]); err != nil {
			t.Fatal(err)
		}
		return n
	}
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		id := fmt.Sprint("s", n)
		c := history(rt).Append(says(fmt.Sprint("the only one ", n))) // or else it may be empty
		data := rapid.SampledFrom([]string{`{"a":1}`, `{ "a" : 1 }`, "", "\xff\x00", `"\u2028 <b>"`, "\u2028", "null"}).Draw(rt, "data")
		tip := c.Follow(Unknown{Kind: "poll", Data: []byte(data)}).Append(says("more"))
		head := tip
		for range rapid.IntRange(0, 3).Draw(rt, "undo") {
			head = head.Undo()
		}
		if err := from.Move(t.Context(), id, nil, head, tip); err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(0, 3).Draw(rt, "lines") {
			if err := from.Keep(t.Context(), id, c.Undo().Append(says("another line"))); err != nil {
				rt.Fatal(err)
			}
		}
		file := exported(t, from, id)
		if !IsExport([]byte(file)) {
			rt.Error("it is not known as an export")
		}
		if got := imported(t, to, file); got != id {
			rt.Errorf("imported as %q, want %q", got, id)
		}
		if got := exported(t, to, id); got != file {
			rt.Errorf("exported again it is\n%s\nwant\n%s", got, file)
		}
		h, tp, err := to.Load(t.Context(), id)
		if err != nil || h.ID() != head.ID() || tp.ID() != tip.ID() {
			rt.Errorf("it stands at %v of %v, %v, want %v of %v", h.ID(), tp.ID(), err, head.ID(), tip.ID())
		}
		a, err := from.Branches(t.Context(), id)
		b, err2 := to.Branches(t.Context(), id)
		if err := errors.Join(err, err2); err != nil || len(a) != len(b) {
			rt.Errorf("branches %v, %v, want %v", b, err, a)
		}
		before := size(to)
		if imported(t, to, file); size(to) != before || exported(t, to, id) != file {
			rt.Error("importing it again changes something")
		}
	})
}

func TestAnExportCanBeLaidOutAnew(t *testing.T) {
	from, to := newStore(t), newStore(t)
	saved(t, from, "a", nil, "hello <b>", "two \u2028 lines")
	file := exported(t, from, "a")
	loose := strings.NewReplacer(`","`, "\" ,\n\t\"", `":"`, `" : "`, `{"`, "{ \n\"").Replace(file)
	if imported(t, to, loose); exported(t, to, "a") != file {
		t.Errorf("it is now\n%s", exported(t, to, "a"))
	}
}

func TestImportGoesOnWhereTheSessionStands(t *testing.T) {
	from, to := newStore(t), newStore(t)
	a := saved(t, from, "a", nil, "one", "two")
	early := exported(t, from, "a")
	ahead := saved(t, from, "a", a, "three")
	late := exported(t, from, "a")

	stands := func(doing string, want *Chain) {
		t.Helper()
		head, _, err := to.Load(t.Context(), "a")
		if err != nil || head.ID() != want.ID() {
			t.Errorf("%s: it says %q, %v, want %q", doing, spoken(head), err, spoken(want))
		}
	}
	imported(t, to, early)
	stands("first", a)
	before := contents(t, to)
	if imported(t, to, early); contents(t, to) != before {
		t.Errorf("the same file again makes of\n%s\nthis\n%s", before, contents(t, to))
	}
	imported(t, to, late)
	stands("went on", ahead)
	imported(t, to, early)
	stands("an older file", ahead)

	own := saved(t, to, "a", ahead, "typed here")
	imported(t, to, late)
	stands("more was said here", own)

	apart := a.Append(says("apart"))
	if err := from.Move(t.Context(), "a", ahead, apart, apart); err != nil {
		t.Fatal(err)
	}
	if err := to.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	imported(t, to, exported(t, from, "a"))
	stands("both went on", own)
	if b, err := to.Branches(t.Context(), "a"); err != nil || len(b) != 2 {
		t.Errorf("branches %+v, %v, want two", b, err)
	}
	if list, err := to.Sessions(t.Context()); err != nil || listed(list) != "a" {
		t.Errorf("sessions %q, %v, want the deleted one back", listed(list), err)
	}
	if found, err := to.Search(t.Context(), "apart", 9); err != nil || len(found) != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestImportTellsWhatItDid(t *testing.T) {
	from, to := newStore(t), newStore(t)
	a := saved(t, from, "a", nil, "one", "two")
	early := exported(t, from, "a")
	ahead := saved(t, from, "a", a, "three")
	late := exported(t, from, "a")
	apart := a.Append(says("apart"))
	if err := from.Move(t.Context(), "a", ahead, apart, apart); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, file string
		want       Imported
	}{
		{"new", early, Imported{Grown: true}},
		{"the same", early, Imported{Known: true}},
		{"ahead", late, Imported{Known: true, Grown: true, Moved: true}},
		{"behind", early, Imported{Known: true}},
		{"deleted", "", Imported{Known: true, Deleted: true}},
		{"elsewhere", exported(t, from, "a"), Imported{Known: true, Grown: true}},
	} {
		if tt.file == "" {
			tt.file = early
			if err := to.Delete(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
		}
		tt.want.ID = "a"
		if got, err := to.Import(t.Context(), []byte(tt.file)); err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
}

func TestImportKeepsTimesAndLeavesTheFutureAlone(t *testing.T) {
	from, to := newStore(t), newStore(t)
	at := time.Date(2020, 3, 4, 5, 6, 7, 0, time.UTC)
	from.now = func() time.Time { return at }
	saved(t, from, "a", nil, "old")
	from.now = func() time.Time { return at.AddDate(900, 0, 0) }
	saved(t, from, "b", nil, "from a wrong clock")
	imported(t, to, exported(t, from, "b"))
	imported(t, to, exported(t, from, "a"))
	list, err := to.Sessions(t.Context())
	if err != nil || listed(list) != "b a" {
		t.Fatalf("sessions %q, %v", listed(list), err)
	}
	if i := list[1]; !i.Created.Equal(at) || !i.Updated.Equal(at) {
		t.Errorf("times %v and %v, want %v", i.Created, i.Updated, at)
	}
	if i := list[0]; i.Updated.After(time.Now()) {
		t.Errorf("last moved in the future, %v", i.Updated)
	}
}

func TestImportRefusesAnotherSessionOfThisID(t *testing.T) {
	from, to := newStore(t), newStore(t)
	saved(t, from, "a", nil, "one")
	saved(t, to, "a", nil, "two")
	before := contents(t, to)
	if _, err := to.Import(t.Context(), []byte(exported(t, from, "a"))); !errors.Is(err, ErrTaken) {
		t.Errorf("error %v, want %v", err, ErrTaken)
	}
	if contents(t, to) != before {
		t.Error("something changed")
	}
}

func TestMalformedFilesChangeNothing(t *testing.T) {
	from, to := newStore(t), newStore(t)
	a := saved(t, from, "a", nil, "one")
	b := saved(t, from, "a", a, "two")
	file := exported(t, from, "a")
	before := contents(t, to)
	tests := []struct{ name, old, new, want string }{
		{"another format", `"pleat session"`, `"x"`, `line 1, column 11: "format" is "x"`},
		{"a newer format", `"version":1`, `"version":2`, `line 1, column 37: a newer version of this program`},
		{"no version", `"version":1,`, ``, `"version" is 0`},
		{"no id", `"session":"a"`, `"session":""`, `line 1, column 49: "session" is ""`},
		{"an id that is a path", `"session":"a"`, `"session":"../x"`, `"session" is "../x"`},
		{"a field twice", `"version":1,`, `"version":1,"version":1,`, `line 1, column 49: the field "version" is there twice`},
		{"a field of another kind", `"version":1`, `"version":"1"`, `line 1, column 37: the field "version" is a string`},
		{"no time", `"created":"2`, `"created":"z`, `line 1, column 63: parsing time`},
		{"half a node id", a.ID().String(), a.ID().Short(), `line 2, column 1: "` + a.ID().Short() + `" is not a node id`},
		{"changed text", `"one"`, `"One"`, `line 2, column 1: node ` + a.ID().Short() + ` does not match`},
		{"another step", `"begins":true,`, ``, `line 2, column 1: node ` + a.ID().Short() + ` does not match`},
		{"a node without its parent", "\n{\"id\":\"" + a.ID().String(), "\n{\"id\":\"" + strings.Repeat("0", 64), "line 2, column 1: node 000000000000 does not match"},
		{"no nodes", file[strings.Index(file, `,"nodes"`):], "}", "there are no nodes in it"},
		{"nodes of another kind", file[strings.Index(file, `"nodes":`)+8:], "1}", `"nodes" is no array`},
		{"no tip", `"tip":"` + b.ID().String() + `",`, "", "the tip is node 000000000000"},
		{"a head elsewhere", `"head":"` + b.ID().String(), `"head":"` + strings.Repeat("1", 64), "the head is node 111111111111"},
		{"no JSON", `"begins":true`, `"begins":yes`, "line 2, column "},
		{"an array", file, "[]", "line 1, column 1: it is no exported session"},
		{"nothing", file, "", "line 1, column 1: the file ends in the middle"},
		{"more after it", "]}\n", "]}\n{}", "line 5, column 1: invalid character"},
		{"bad UTF-8", `"one"`, "\"\xff\"", "line 2, column "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := strings.Replace(file, tt.old, tt.new, 1)
			if bad == file {
				t.Fatalf("%q is not in\n%s", tt.old, file)
			}
			_, err := to.Import(t.Context(), []byte(bad))
			if _, ok := errors.AsType[*Malformed](err); !ok || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if newer := strings.Contains(tt.want, "newer"); errors.Is(err, ErrNewer) != newer {
				t.Errorf("that a newer program wrote it: %v, want %v", !newer, newer)
			}
		})
	}
	for n := range len(file) - 1 {
		_, err := to.Import(t.Context(), []byte(file[:n]))
		if m, ok := errors.AsType[*Malformed](err); !ok || m.Line != 1+strings.Count(file[:n], "\n") {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	if contents(t, to) != before {
		t.Error("something changed")
	}
}

func TestNodesInTheWrongOrderOrTwiceAreRefused(t *testing.T) {
	s := newStore(t)
	saved(t, s, "a", nil, "one", "two")
	lines := strings.Split(exported(t, s, "a"), "\n")
	swapped := []string{lines[0], lines[2] + ",", strings.TrimSuffix(lines[1], ","), lines[3]}
	twice := []string{lines[0], lines[1], lines[1], lines[2], lines[3]}
	for want, file := range map[string][]string{"which does not stand before it": swapped, "line 3, column 1: node ": twice} {
		if _, err := readArchive([]byte(strings.Join(file, "\n"))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestExportOfADamagedSessionIsTheRestOfIt(t *testing.T) {
	s, to := newStore(t), newStore(t)
	saved(t, s, "a", nil, "one", "two", "three")
	run(t, s, "DROP TRIGGER node_stays")
	run(t, s, "UPDATE node SET data = '{}' WHERE depth = 2")
	var b bytes.Buffer
	err := s.Export(t.Context(), &b, "a")
	if d, ok := errors.AsType[*Damaged](err); !ok || d.Lost != 2 {
		t.Fatalf("error %v, want two events lost", err)
	}
	imported(t, to, b.String())
	if head, _, err := to.Load(t.Context(), "a"); err != nil || spoken(head) != "one" {
		t.Errorf("it has %q, %v", spoken(head), err)
	}
	run(t, s, "UPDATE node SET data = '{}'")
	b.Reset()
	if err := s.Export(t.Context(), &b, "a"); err == nil || b.Len() > 0 {
		t.Errorf("nothing can be read: error %v, written %q", err, b.String())
	}
	if err := s.Export(t.Context(), &b, "none"); !errors.Is(err, ErrNoSession) {
		t.Errorf("error %v, want %v", err, ErrNoSession)
	}
}

func TestWhatIsAddedTwiceIsOneSession(t *testing.T) {
	s := newStore(t)
	c := (*Chain)(nil).Append(says("apple")).Follow(Message{Role: Assistant, Text: "pear"})
	done, err := s.Add(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	id := done.ID
	own := saved(t, s, id, c, "plum")
	longer, err := s.Add(t.Context(), c.Append(says("fig")))
	if err != nil || longer.ID == id {
		t.Fatalf("a longer one is %+v, %v", longer, err)
	}
	if again, err := s.Add(t.Context(), c); err != nil || again != (Imported{ID: id, Known: true}) {
		t.Errorf("again it is %+v, %v, want %q", again, err, id)
	}
	list, err := s.Sessions(t.Context())
	if err != nil || len(list) != 2 || !slices.ContainsFunc(list, func(i Info) bool { return i.ID == id && i.Head == own.ID() && i.Title == "apple" }) {
		t.Errorf("sessions %+v, %v", list, err)
	}
	if err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Search(t.Context(), "pear", 9); err != nil || len(found) != 1 || found[0].Session != longer.ID {
		t.Errorf("found %+v, %v, want it in what has the beginning in common", found, err)
	}
	if _, err := s.Add(t.Context(), nil); err == nil {
		t.Error("nothing is added")
	}
}

// FuzzImport takes any text for a file. What it accepts is what it would write.
func FuzzImport(f *testing.F) {
	s := newStore(f)
	c := saved(f, s, "a", nil, "one", "two")
	if err := s.Keep(f.Context(), "a", c.Undo().Append(Unknown{Kind: "poll", Data: []byte("\xff")})); err != nil {
		f.Fatal(err)
	}
	file := exported(f, s, "a")
	for _, seed := range []string{file, "", "{}", "[]", file[:len(file)/2], `{"format":"pleat session","nodes":[{}]}`, "\ufeff{}", `{"nodes":[`, strings.ToUpper(file)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		IsExport(data)
		a, err := readArchive(data)
		if _, ok := errors.AsType[*Malformed](err); err != nil && !ok {
			t.Fatalf("error %v of type %T", err, err)
		}
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := a.write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := readArchive(b.Bytes())
		if err != nil || len(again.nodes) != len(a.nodes) || again.line(again.Tip).ID() != a.Tip {
			t.Fatalf("written and read again: %v\n%s", err, b.String())
		}
	})
}
