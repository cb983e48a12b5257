package session

import (
	"bufio"
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLoadGivesBackEveryKindOfEvent(t *testing.T) {
	s := newStore(t)
	ask := (*Chain)(nil).Append(Message{Role: User, Text: "a <b> & \u2028 é\xff\x00", Injected: true})
	c := ask.Follow(Message{Role: Assistant, ToolCalls: []ToolCall{{"1", "read", `{"a":1}`}}, Usage: &Usage{Prompt: 3, Completion: 4}}).
		Follow(Message{Role: Tool, ToolCallID: "1", Text: "x", Failed: true}).
		Append(Mark{Flag: Pinned, Targets: []ID{ask.ID()}}).
		Append(Unknown{Kind: "hologram", Data: []byte("{ \"b\" : 1.50,\n\"a\":[] }")}).
		Append(Compaction{Strategy: "window", Covers: []Span{{ask.ID(), ask.ID()}}, Summary: "short"})
	c = c.Append(Revert{Target: c.ID()}).Append(Title{"things"})
	if err := s.Move(t.Context(), "a", nil, c, c); err != nil {
		t.Fatal(err)
	}
	head, tip, err := s.Load(t.Context(), "a")
	if err != nil || head != tip || head.ID() != c.ID() {
		t.Fatalf("head %s, %v, want %s", head.ID().Short(), err, c.ID().Short())
	}
	for got, want := head, c; want != nil; got, want = got.Parent(), want.Parent() {
		if got.ID() != want.ID() || got.Begins() != want.Begins() || !bytes.Equal(encode(got.Event()), encode(want.Event())) {
			t.Errorf("event %d is %#v, want %#v", want.Len(), got.Event(), want.Event())
		}
	}
}

func TestEventsOfANewerProgramStayAsTheyAre(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "hello")
	data := []byte(`{"role":"user","text":"in colour", "hue":7}`)
	odd := []byte(`{"role":["user"]}`) // not what this program takes for a message
	err := s.inTx(t.Context(), func(tx *sql.Tx) error {
		w := s.writer(t.Context(), tx)
		at, _ := w.session("a")
		below, err := w.find(at.head)
		for _, d := range [][]byte{data, odd} {
			if err == nil {
				below, err = w.insert(at.n, below.id, below, row{kind: "message", data: d})
			}
		}
		if err == nil {
			_, err = tx.Exec("UPDATE session SET head = ?1, tip = ?1", below.id[:])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	head, _, err := s.Load(t.Context(), "a")
	if err != nil || head.Len() != 3 || spoken(head) != "hello in colour" {
		t.Fatalf("head %q with %d events, %v", spoken(head), head.Len(), err)
	}
	next := saved(t, s, "a", head, "more")
	again, _, err := s.Load(t.Context(), "a")
	if err != nil || again.ID() != next.ID() || again.Parent().Parent().Parent().ID() != c.ID() {
		t.Fatalf("after one more: %s, %v", again.ID().Short(), err)
	}
	var n int
	if err := s.read.QueryRow("SELECT count(*) FROM node WHERE data IN (?, ?)", data, odd).Scan(&n); err != nil || n != 2 {
		t.Errorf("%d of them as they were, %v", n, err)
	}
}

// TestLoadOfADamagedSession spoils nodes of "root one two three four", of which
// "four" was undone.
func TestLoadOfADamagedSession(t *testing.T) {
	const at = "(SELECT seq FROM node WHERE depth = %d)"
	spoil := func(depth int) string {
		return fmt.Sprintf("UPDATE node SET data = CAST('{\"role\":\"user\",\"text\":\"x\"}' AS BLOB) WHERE seq = "+at, depth)
	}
	drop := func(depth int) string { return fmt.Sprintf("DELETE FROM node WHERE seq = "+at, depth) }
	tests := []struct {
		name       string
		do         []string
		head, tip  string
		lost, node int
	}{
		{"undone one garbled", []string{spoil(5)}, "root one two three", "root one two three", 1, 5},
		{"undone one missing", []string{drop(5)}, "root one two three", "root one two three", 0, 5},
		{"head garbled", []string{spoil(4)}, "root one two", "root one two", 1, 4},
		{"head and tip missing", []string{drop(5), drop(4)}, "root one two", "root one two", 0, 4},
		{"hole in the middle", []string{drop(3)}, "root one", "root one", 1, 4},
		{"garbled in the middle", []string{spoil(2)}, "root", "root", 3, 2},
		{"name garbled", []string{"UPDATE node SET id = x'00' WHERE depth = 3"}, "root one", "root one", 2, 0},
		{"kind garbled", []string{"UPDATE node SET kind = 'title' WHERE depth = 4"}, "root one two", "root one two", 1, 4},
		{"not even JSON", []string{"UPDATE node SET data = x'ff00' WHERE depth = 4"}, "root one two", "root one two", 1, 4},
		{"root garbled", []string{spoil(1)}, "", "", 4, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			c := saved(t, s, "a", nil, "root", "one", "two", "three", "four")
			if err := s.Move(t.Context(), "a", c, c.Undo(), c); err != nil {
				t.Fatal(err)
			}
			run(t, s, "PRAGMA foreign_keys = 0; DROP TRIGGER node_stays; DROP TRIGGER node_lasts")
			for _, query := range tt.do {
				run(t, s, query)
			}
			head, tip, err := s.Load(t.Context(), "a")
			damage, ok := errors.AsType[*Damaged](err)
			if !ok || spoken(head) != tt.head || spoken(tip) != tt.tip {
				t.Fatalf("head %q, tip %q, %v, want %q and %q", spoken(head), spoken(tip), err, tt.head, tt.tip)
			}
			for n := range c.Backward() {
				if n.Len() == tt.node && damage.Node != n.ID() {
					t.Errorf("the error names %s, want %s", damage.Node.Short(), n.ID().Short())
				}
			}
			if damage.Lost != tt.lost || !strings.Contains(err.Error(), damage.Node.Short()) {
				t.Errorf("%d lost, want %d: %v", damage.Lost, tt.lost, err)
			}

			conv, err := s.Resume(t.Context(), "a")
			if err != nil || !errors.As(conv.Notice(), &damage) || conv.Notice() != nil {
				t.Fatalf("resumed: %v", err)
			}
			if _, err := conv.Append(t.Context(), says("on")); err != nil {
				t.Fatal(err)
			}
			again, err := s.Resume(t.Context(), conv.ID())
			if want := strings.TrimSpace(tt.head + " on"); err != nil || again.Notice() != nil || spoken(again.Head()) != want {
				t.Errorf("gone on: %q, %v, want %q", spoken(again.Head()), err, want)
			}
		})
	}
}

func TestLoadOfADamagedSessionStaysOnItsLine(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "root", "one", "two")
	other := c.Parent().Parent().Append(says("long")).Append(says("longer")).Append(says("longest"))
	if err := s.Keep(t.Context(), "a", other); err != nil {
		t.Fatal(err)
	}
	next := c.Append(says("three"))
	if err := s.Move(t.Context(), "a", c, c, next); err != nil {
		t.Fatal(err)
	}
	run(t, s, "PRAGMA foreign_keys = 0; DROP TRIGGER node_stays; DROP TRIGGER node_lasts")
	run(t, s, "DELETE FROM node WHERE id = ?", next.id[:])
	run(t, s, "UPDATE node SET data = x'00' WHERE id = ?", c.id[:])
	head, tip, err := s.Load(t.Context(), "a")
	if spoken(head) != "root one" || head != tip {
		t.Errorf("head %q, tip %q, %v", spoken(head), spoken(tip), err)
	}
}

// TestPowerLossKeepsWhatWasAcknowledged cuts the log at every page border, and
// in the middle of every page, as a crash can.
func TestPowerLossKeepsWhatWasAcknowledged(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "m0")
	run(t, s, "PRAGMA wal_checkpoint(TRUNCATE)")
	acknowledged := map[int]int{} // size of the log: messages that were saved by then
	for i := range 6 {
		c = saved(t, s, "a", c, fmt.Sprint("m", i+1))
		size, err := os.Stat(s.Path() + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		acknowledged[int(size.Size())] = c.Len()
	}
	db, log := read(t, s.Path()), read(t, s.Path()+"-wal")

	const header, page = 32, 24 + 4096
	least := 1
	for cut := header; cut <= len(log); cut += page {
		least = max(least, acknowledged[cut])
		for _, torn := range []int{0, page / 2} {
			path := filepath.Join(t.TempDir(), "pleat.db")
			write(t, path, db)
			write(t, path+"-wal", log[:min(len(log), cut+torn)])
			after := reopened(t, path)
			conv, err := after.Resume(t.Context(), "a")
			if err != nil {
				t.Fatalf("log of %d bytes: %v", cut+torn, err)
			}
			if n := conv.Notice(); n != nil || conv.Head().Len() < least || !strings.HasPrefix(spoken(c), spoken(conv.Head())) {
				t.Errorf("log of %d bytes: %q, notice %v, want at least %d messages", cut+torn, spoken(conv.Head()), n, least)
			}
			if _, err := conv.Append(t.Context(), says("on")); err != nil {
				t.Errorf("log of %d bytes: append: %v", cut+torn, err)
			}
			var fine string
			if err := after.read.QueryRow("PRAGMA integrity_check").Scan(&fine); err != nil || fine != "ok" {
				t.Errorf("log of %d bytes: %s, %v", cut+torn, fine, err)
			}
		}
	}
	if least != 7 {
		t.Errorf("%d messages in the whole log, want 7", least)
	}
}

// TestKilledProgramLosesNothingItAcknowledged runs itself in a process of its
// own and kills that while it writes.
func TestKilledProgramLosesNothingItAcknowledged(t *testing.T) {
	const env, enough = "SESSION_TEST_KILL", 30
	if path := os.Getenv(env); path != "" {
		s := reopened(t, path)
		for c := (*Chain)(nil); ; {
			c = saved(t, s, "a", c, "message")
			fmt.Println("saved", c.Len(), c.ID())
		}
	}
	path := filepath.Join(t.TempDir(), "pleat.db")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProgramLosesNothingItAcknowledged$")
	cmd.Env = append(os.Environ(), env+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var last int
	var id string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if n, _ := fmt.Sscanf(lines.Text(), "saved %d %s", &last, &id); n == 2 && last == enough {
			cmd.Process.Kill() // and read what it still said
		}
	}
	cmd.Wait()
	head, tip, err := reopened(t, path).Load(t.Context(), "a")
	if err != nil || last < enough || head != tip || !slices.ContainsFunc(slices.Collect(head.Backward()),
		func(n *Chain) bool { return n.ID().String() == id }) {
		t.Errorf("%d messages on disk, %v, want %d", head.Len(), err, last)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestGarbledPageIsSaidToBeDamage(t *testing.T) {
	s := newStore(t)
	saved(t, s, "a", nil, strings.Fields(strings.Repeat("word ", 500))...)
	s.Close()
	b := read(t, s.Path())
	for i := 4096; i < len(b); i++ {
		b[i] = 0xa5
	}
	write(t, s.Path(), b)
	s, err := Open(t.Context(), s.Path())
	if err == nil {
		defer s.Close()
		_, _, err = s.Load(t.Context(), "a")
	}
	if !errors.Is(err, ErrCorrupt) {
		t.Errorf("error %v, want %v", err, ErrCorrupt)
	}
}

func TestNewestGivesTheLastMessagesOfTheHead(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "one", "two", "three", "four")
	next := c.Append(Title{"numbers"})
	if err := s.Move(t.Context(), "a", c, next.Undo().Undo(), next); err != nil {
		t.Fatal(err)
	}
	list, err := s.Newest(t.Context(), "a", 2)
	if err != nil || len(list) != 2 || list[0].Message.Text != "two" || list[1].Message.Text != "three" {
		t.Fatalf("newest %+v, %v", list, err)
	}
	if list[1].ID != c.Parent().ID() {
		t.Errorf("id %s, want %s", list[1].ID.Short(), c.Parent().ID().Short())
	}
	if list, err := s.Newest(t.Context(), "none", 2); err != nil || len(list) != 0 {
		t.Errorf("of no session: %v, %v", list, err)
	}
}

func TestLoadOfNoSession(t *testing.T) {
	s := newStore(t)
	for _, id := range []string{"", "none", "../../etc/passwd", "a\x00b"} {
		if _, _, err := s.Load(t.Context(), id); !errors.Is(err, ErrNoSession) {
			t.Errorf("Load(%q): %v, want %v", id, err, ErrNoSession)
		}
	}
}
