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

func TestABeginningNamesASessionIfItIsTheOnlyOne(t *testing.T) {
	s := newStore(t)
	for _, id := range []string{"ab12", "ab13", "b", "bcd"} {
		saved(t, s, id, nil, "hello "+id)
	}
	if err := s.Delete(t.Context(), "ab13"); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		prefix, want string
		err          error
	}{
		{"ab12", "ab12", nil},
		{"ab13", "ab13", nil},
		{"bc", "bcd", nil},
		{"b", "b", nil}, // though another begins so
		{"ab1", "", ErrAmbiguous},
		{"ab", "", ErrAmbiguous},
		{"x", "", ErrNoSession},
		{"", "", ErrNoSession},
		{"%", "", ErrNoSession},
		{"_b12", "", ErrNoSession},
	}
	for _, tt := range tests {
		if got, err := s.Resolve(t.Context(), tt.prefix); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%q is session %q, %v, want %q, %v", tt.prefix, got, err, tt.want, tt.err)
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

func TestWorkIsKeptUntilItIsDone(t *testing.T) {
	s := newStore(t)
	for _, data := range []string{"half a thought", "", "another", "it's \"quoted\"\n"} {
		for _, id := range []string{"", "one"} { // at one of them at a time
			if err := s.SetWork(t.Context(), id, "me", []byte(data)); err != nil {
				t.Fatal(err)
			}
			got, err := s.Works(t.Context(), id)
			if err != nil || len(got) != min(1, len(data)) || data != "" && (got[0].By != "me" || string(got[0].Data) != data) {
				t.Errorf("work of %q is %q, %v, want %q", id, got, err, data)
			}
		}
	}
	if got, err := s.Works(t.Context(), ""); got != nil || err != nil {
		t.Errorf("work is in two sessions: %q, %v", got, err)
	}
	if got, err := s.Works(t.Context(), "two"); got != nil || err != nil {
		t.Errorf("work of nobody is %q, %v", got, err)
	}
}

func TestWorkIsTakenUpOnce(t *testing.T) {
	s := newStore(t)
	for by, data := range map[string]string{"a": "of a", "b": "of b"} {
		if err := s.SetWork(t.Context(), "one", by, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	for i, by := range []string{"c", "d"} {
		if taken, err := s.TakeWork(t.Context(), "one", "a", by); taken != (i == 0) || err != nil {
			t.Errorf("%s takes it: %v, %v", by, taken, err)
		}
	}
	got, err := s.Works(t.Context(), "one")
	if err != nil || len(got) != 2 || got[0].By != "b" || got[1].By != "c" || string(got[1].Data) != "of a" {
		t.Errorf("then there is %q, %v", got, err)
	}
}
