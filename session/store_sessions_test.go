package session

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSessionsAreListedNewestFirst(t *testing.T) {
	s := newStore(t)
	clock := time.Date(2026, 12, 3, 2, 0, 0, 0, time.UTC)
	s.now = func() time.Time { clock = clock.Add(time.Minute); return clock }
	begun := clock.Add(time.Minute)
	a := saved(t, s, "a", nil, "first")
	saved(t, s, "b", nil, "second", "more")
	system := (*Chain)(nil).Append(Message{Role: System, Text: "You are careful."})
	if err := s.Move(t.Context(), "empty", nil, system, system); err != nil {
		t.Fatal(err)
	}
	if err := s.Move(t.Context(), "nothing", nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Move(t.Context(), "a", a, nil, a); err != nil {
		t.Fatal(err)
	}
	list, err := s.Sessions(t.Context())
	if err != nil || listed(list) != "a b" {
		t.Fatalf("sessions %s, %v, want a b", listed(list), err)
	}
	i := list[0]
	if i.Title != "first" || i.Messages != 0 || !i.Head.IsZero() || i.Tip != a.ID() || !i.Created.Equal(begun) || !i.Updated.Equal(clock) {
		t.Errorf("a is listed as %+v", i)
	}
	if i := list[1]; i.Messages != 2 || i.Head != i.Tip {
		t.Errorf("b is listed as %+v", i)
	}
}

func listed(list []Info) string {
	var b []string
	for _, i := range list {
		b = append(b, i.ID)
	}
	return strings.Join(b, " ")
}

func TestDeleteHidesAndRestoreShows(t *testing.T) {
	s := newStore(t)
	a := saved(t, s, "a", nil, "apple")
	saved(t, s, "b", nil, "pear")
	expect := func(doing, shown, hidden string) {
		t.Helper()
		list, err := s.Sessions(t.Context())
		gone, err2 := s.Deleted(t.Context())
		if err := errors.Join(err, err2); err != nil || listed(list) != shown || listed(gone) != hidden {
			t.Errorf("%s: shown %q, deleted %q, %v, want %q and %q", doing, listed(list), listed(gone), err, shown, hidden)
		}
	}
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	expect("deleted", "b", "a")
	if found, err := s.Search(t.Context(), "apple", 9); err != nil || len(found) != 0 {
		t.Errorf("a deleted session is found: %+v, %v", found, err)
	}
	if head, _, err := s.Load(t.Context(), "a"); err != nil || spoken(head) != "apple" {
		t.Errorf("a deleted session has %q, %v", spoken(head), err)
	}
	if err := s.Restore(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	expect("restored", "b a", "")
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	saved(t, s, "a", a, "cherry")
	expect("written to by who had it open", "a b", "")
	for _, do := range []func() error{
		func() error { return s.Delete(t.Context(), "none") },
		func() error { return s.Restore(t.Context(), "none") },
	} {
		if err := do(); !errors.Is(err, ErrNoSession) {
			t.Errorf("error %v, want %v", err, ErrNoSession)
		}
	}
}

func TestIDsSortByTimeAndAreSafeNames(t *testing.T) {
	plain := regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{16}$`)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var list []string
	for i := range 2000 {
		id := NewID(at.Add(time.Duration(i) * 7 * time.Hour))
		if !plain.MatchString(id) {
			t.Fatalf("id %q", id)
		}
		list = append(list, id)
	}
	if !slices.IsSorted(list) {
		t.Error("ids do not sort by time")
	}
	same := map[string]bool{}
	for range 1000 {
		same[NewID(at)] = true
	}
	if len(same) != 1000 {
		t.Errorf("%d different ids of 1000 in one millisecond", len(same))
	}
}

func TestCaches(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "one", "two")
	other := saved(t, s, "b", nil, "three")
	for _, n := range []int{7, 8} {
		if err := s.SaveTokens(t.Context(), "o200k_base", map[ID]int{c.ID(): n, other.ID(): 9}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Tokens(t.Context(), "a", "o200k_base"); err != nil || len(got) != 1 || got[c.ID()] != 8 {
		t.Errorf("tokens %v, %v", got, err)
	}
	if got, err := s.Tokens(t.Context(), "a", "chars"); err != nil || len(got) != 0 {
		t.Errorf("tokens of another tokenizer %v, %v", got, err)
	}

	if got, err := s.Calibration(t.Context(), "m"); err != nil || got != nil {
		t.Errorf("no calibration yet: %q, %v", got, err)
	}
	for _, data := range []string{"", "{}", "\xff\x00"} {
		if err := s.SetCalibration(t.Context(), "m", []byte(data)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Calibration(t.Context(), "m"); err != nil || string(got) != data {
			t.Errorf("calibration %q, %v, want %q", got, err, data)
		}
	}

	if got, err := s.Pref(t.Context(), "model"); err != nil || got != "" {
		t.Errorf("no preference yet: %q, %v", got, err)
	}
	for _, value := range []string{"x", "y"} {
		if err := s.SetPref(t.Context(), "model", value); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Pref(t.Context(), "model"); err != nil || got != "y" {
		t.Errorf("preference %q, %v", got, err)
	}
}

func TestPromptsOfTwoProgramsAreAllKept(t *testing.T) {
	a := newStore(t)
	b := reopened(t, a.Path())
	for i := range 4 {
		if err := []*Store{a, b}[i%2].AddPrompt(t.Context(), fmt.Sprint("prompt ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.AddPrompt(t.Context(), "prompt 1"); err != nil {
		t.Fatal(err)
	}
	want := []string{"prompt 1", "prompt 3", "prompt 2", "prompt 0"}
	if got, err := a.Prompts(t.Context(), 9); err != nil || !slices.Equal(got, want) {
		t.Errorf("prompts %q, %v, want %q", got, err, want)
	}
	if got, err := a.Prompts(t.Context(), 1); err != nil || !slices.Equal(got, want[:1]) {
		t.Errorf("last prompt %q, %v", got, err)
	}
}
