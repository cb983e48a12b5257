package session

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

type sqliteError int

func (e sqliteError) Error() string { return fmt.Sprintf("code %d", int(e)) }
func (e sqliteError) Code() int     { return int(e) }

func TestEachFailureHasItsOwnText(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want error
	}{
		{"busy", sqliteError(5), ErrBusy},
		{"busy snapshot", sqliteError(5 | 2<<8), ErrBusy},
		{"locked", sqliteError(6), ErrBusy},
		{"read-only", sqliteError(8), ErrReadOnly},
		{"read-only folder", sqliteError(8 | 6<<8), ErrReadOnly},
		{"cannot open", sqliteError(14), ErrReadOnly},
		{"short read", sqliteError(10 | 2<<8), ErrDisk},
		{"corrupt", sqliteError(11), ErrCorrupt},
		{"full", sqliteError(13), ErrFull},
		{"no database", sqliteError(26), ErrForeign},
		{"no permission", fs.ErrPermission, ErrReadOnly},
	}
	s := &Store{path: "/home/ann/pleat.db"}
	kinds := []error{ErrBusy, ErrReadOnly, ErrDisk, ErrCorrupt, ErrFull, ErrForeign}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := s.failed("save session x", fmt.Errorf("insert: %w", tt.err))
			for _, kind := range kinds {
				if errors.Is(err, kind) != (kind == tt.want) {
					t.Errorf("errors.Is(%q, %q) = %v", err, kind, kind != tt.want)
				}
			}
			for _, part := range []string{"session: save session x", s.path, tt.err.Error()} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q lacks %q", err, part)
				}
			}
			if !errors.Is(err, tt.err) {
				t.Errorf("%q hides its cause", err)
			}
		})
	}
}

func TestFullDiskLosesNothingAndPasses(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "before")
	var pages int
	if err := s.write.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) { run(t, s, fmt.Sprintf("PRAGMA max_page_count = %d", n)) }
	limit(pages + 2)

	next := c.Append(says(strings.Repeat("a long text. ", 10_000)))
	for range 2 {
		if err := s.Move(t.Context(), "a", c, next, next); !errors.Is(err, ErrFull) || errors.Is(err, ErrCorrupt) {
			t.Fatalf("on a full disk: %v, want %v", err, ErrFull)
		}
	}
	if head, tip, err := s.Load(t.Context(), "a"); err != nil || head.ID() != c.ID() || tip.ID() != c.ID() {
		t.Fatalf("on a full disk head = %s, tip = %s, %v", head.ID().Short(), tip.ID().Short(), err)
	}
	small := saved(t, s, "a", c, "short")

	limit(1 << 30)
	next = small.Append(next.Event())
	if err := s.Move(t.Context(), "a", small, next, next); err != nil {
		t.Fatalf("after space was freed: %v", err)
	}
	s.Close()
	head, _, err := reopened(t, s.Path()).Load(t.Context(), "a")
	if err != nil || head.ID() != next.ID() {
		t.Errorf("after reopening head = %s, %v, want %s", head.ID().Short(), err, next.ID().Short())
	}
}

func TestWriterWaitsForAnotherProgramOnlySoLong(t *testing.T) {
	s := newStore(t)
	c := saved(t, s, "a", nil, "hello")
	other := reopened(t, s.Path())
	tx, err := other.write.Begin()
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, "PRAGMA busy_timeout = 1")
	next := c.Append(says("again"))
	if err := s.Move(t.Context(), "a", c, next, next); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v, want %v", err, ErrBusy)
	}
	tx.Rollback()
	if err := s.Move(t.Context(), "a", c, next, next); err != nil {
		t.Error(err)
	}
}
