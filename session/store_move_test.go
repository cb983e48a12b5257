package session

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestNodesNeverChange(t *testing.T) {
	s := newStore(t)
	saved(t, s, "a", nil, "hello")
	for _, query := range []string{"UPDATE node SET kind = 'title'", "DELETE FROM node"} {
		if _, err := s.write.Exec(query); err == nil || !strings.Contains(err.Error(), "node") {
			t.Errorf("%s: %v", query, err)
		}
	}
	if head, _, err := s.Load(t.Context(), "a"); err != nil || spoken(head) != "hello" {
		t.Errorf("head %q, %v", spoken(head), err)
	}
}

func TestMoveKeepsWhatTheLoserWrote(t *testing.T) {
	s := newStore(t)
	from := saved(t, s, "a", nil, "root")
	won, lost := from.Append(says("won")), from.Append(says("lost"))
	if err := s.Move(t.Context(), "a", from, won, won); err != nil {
		t.Fatal(err)
	}
	if err := s.Move(t.Context(), "a", from, lost, lost); !errors.Is(err, ErrMoved) {
		t.Fatalf("error %v, want %v", err, ErrMoved)
	}
	head, tip, err := s.Load(t.Context(), "a")
	if err != nil || spoken(head) != "root won" || head != tip {
		t.Errorf("head %q, tip %q, %v", spoken(head), spoken(tip), err)
	}
	branches, err := s.Branches(t.Context(), "a")
	if err != nil || len(branches) != 2 || branches[0].Tip != lost.ID() || branches[1].Tip != won.ID() || branches[0].Messages != 2 {
		t.Errorf("branches %+v, %v", branches, err)
	}
	other, err := s.Chain(t.Context(), head, lost.ID())
	if err != nil || spoken(other) != "root lost" || other.Parent() != head.Parent() {
		t.Errorf("the other branch: %q, %v", spoken(other), err)
	}
}

func TestMoveRaceHasOneWinner(t *testing.T) {
	a := newStore(t)
	b := reopened(t, a.Path())
	from := saved(t, a, "x", nil, "root")
	var won, wrote int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			next := from.Append(says(fmt.Sprint("try ", i)))
			err := []*Store{a, b}[i%2].Move(t.Context(), "x", from, next, next)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won, wrote = won+1, wrote+1
			case errors.Is(err, ErrMoved):
				wrote++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	branches, err := b.Branches(t.Context(), "x")
	if won != 1 || wrote != 16 || len(branches) != 16 || err != nil {
		t.Errorf("%d winners, %d written, %d branches, %v", won, wrote, len(branches), err)
	}
}

func TestMoveRefuses(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "one", "two")
	if err := s.Move(t.Context(), "b", c, c, c); !errors.Is(err, ErrNoSession) {
		t.Errorf("a session that is not there: %v", err)
	}
	if err := s.Move(t.Context(), "a", c, c, c.Parent()); err == nil {
		t.Error("head after tip was accepted")
	}
	if err := s.Move(t.Context(), "a", c, c.Parent().Append(says("else")), c); err == nil {
		t.Error("head on another branch than tip was accepted")
	}
	if head, _, err := s.Load(t.Context(), "a"); err != nil || head.ID() != c.ID() {
		t.Errorf("head %s, %v", head.ID().Short(), err)
	}
}

func TestBranchesAreLeaves(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "one", "two", "three")
	back := c.Parent()
	if err := s.Move(t.Context(), "a", c, back, c); err != nil {
		t.Fatal(err)
	}
	if err := s.Move(t.Context(), "a", back, back, back); err != nil { // redo is given up
		t.Fatal(err)
	}
	next := saved(t, s, "a", back, "else")
	if err := s.Move(t.Context(), "a", next, back, back); err != nil {
		t.Fatal(err)
	}
	saved(t, s, "a", back) // head stands in the middle of both
	branches, err := s.Branches(t.Context(), "a")
	if err != nil || len(branches) != 2 || branches[0].Tip != next.ID() || branches[1].Tip != c.ID() {
		t.Errorf("branches %+v, %v", branches, err)
	}
}

func TestForkSharesNodes(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "one", "two", "three")
	id, err := s.Fork(t.Context(), "a", c.Parent())
	if err != nil {
		t.Fatal(err)
	}
	saved(t, s, id, c.Parent(), "four")
	var nodes int
	if err := s.read.QueryRow("SELECT count(*) FROM node").Scan(&nodes); err != nil || nodes != 4 {
		t.Errorf("%d nodes, %v, want 4", nodes, err)
	}
	for session, want := range map[string]string{"a": "one two three", id: "one two four"} {
		if head, _, err := s.Load(t.Context(), session); err != nil || spoken(head) != want {
			t.Errorf("session %s: %q, %v, want %q", session, spoken(head), err, want)
		}
	}
	if _, err := s.Fork(t.Context(), "none", c); !errors.Is(err, ErrNoSession) {
		t.Errorf("fork of nothing: %v", err)
	}
}

func TestRenameIsAStep(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "hello")
	for range 2 { // the second time the node is there already
		if err := s.Rename(t.Context(), "a", "greetings\nto all"); err != nil {
			t.Fatal(err)
		}
		list, err := s.Sessions(t.Context())
		if err != nil || list[0].Title != "greetings" {
			t.Fatalf("sessions %+v, %v", list, err)
		}
		head, tip, err := s.Load(t.Context(), "a")
		if err != nil || head.Context().Title() != "greetings\nto all" || head.Undo().ID() != c.ID() || head != tip {
			t.Fatalf("head %s, %v", head.ID().Short(), err)
		}
		if err := s.Move(t.Context(), "a", head, head.Undo(), tip); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.Sessions(t.Context()); err != nil || list[0].Title != "hello" {
		t.Errorf("after undo: %+v, %v", list, err)
	}
	if err := s.Rename(t.Context(), "none", "x"); !errors.Is(err, ErrNoSession) {
		t.Errorf("rename of nothing: %v", err)
	}
}

func TestSmallAppendsKeepTheLogSmall(t *testing.T) {
	appends := 1_500 // write 60 MB of log in all
	if testing.Short() {
		appends = 700
	}
	s := newStore(t)
	other := reopened(t, s.Path())
	var c *Chain
	for i := range appends {
		c = saved(t, s, "a", c, fmt.Sprint("update ", i))
		if i%100 == 0 {
			if _, err := other.Newest(t.Context(), "a", 10); err != nil {
				t.Fatal(err)
			}
		}
	}
	i, err := os.Stat(s.Path() + "-wal")
	if err != nil || i.Size() > 20<<20 {
		t.Errorf("the log has %d bytes, %v", i.Size(), err)
	}
}

func TestTitleOfASession(t *testing.T) {
	human := Message{Role: User, Text: "\n\n  Migrate auth to OIDC.  \nWithout downtime."}
	system, injected := Message{Role: System, Text: "You are careful."}, Message{Role: User, Text: "the date", Injected: true}
	start := (*Chain)(nil).Append(system).Append(injected)
	tests := []struct {
		name      string
		head, tip *Chain
		want      string
	}{
		{"nobody typed", start, start, ""},
		{"first human line", start.Append(human), start.Append(human), "Migrate auth to OIDC."},
		{"title", start.Append(human).Append(Title{"auth"}), start.Append(human).Append(Title{"auth"}), "auth"},
		{"all undone", nil, start.Append(human), "Migrate auth to OIDC."},
		{"long", nil, start.Append(says(strings.Repeat("é", 100))), strings.Repeat("é", 79) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := heading(tt.head, tt.tip); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestStoreTakesTimeFromTheMessage(t *testing.T) {
	s := newStore(t)
	at := time.Date(2026, 12, 3, 2, 0, 0, 0, time.UTC)
	c := (*Chain)(nil).Append(Message{Role: User, Text: "window", At: at})
	if err := s.Move(t.Context(), "a", nil, c, c); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Search(t.Context(), "window", 1); err != nil || len(found) != 1 || !found[0].At.Equal(at) {
		t.Errorf("found %+v, %v", found, err)
	}
}
