package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// newStore opens a store in a folder of its own. It does not wait for the disk:
// only a power loss could tell.
func newStore(t testing.TB) *Store {
	t.Helper()
	s := reopened(t, filepath.Join(t.TempDir(), "pleat.db"))
	return s
}

func reopened(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	run(t, s, "PRAGMA synchronous = OFF")
	return s
}

func run(t testing.TB, s *Store, query string, args ...any) {
	t.Helper()
	if _, err := s.write.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func says(text string) Message { return Message{Role: User, Text: text} }

// saved appends messages to session id and returns its head.
func saved(t testing.TB, s *Store, id string, from *Chain, texts ...string) *Chain {
	t.Helper()
	c := from
	for _, text := range texts {
		c = c.Append(says(text))
	}
	if err := s.Move(t.Context(), id, from, c, c); err != nil {
		t.Fatal(err)
	}
	return c
}

func spoken(c *Chain) string {
	var b strings.Builder
	for it := range c.Context().All() {
		if it.Message != nil {
			b.WriteString(it.Message.Text + " ")
		}
	}
	return strings.TrimSpace(b.String())
}

func TestOpenMakesFilesForTheirOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "über 100%", "a?b#c", "pleat.db")
	s := reopened(t, path)
	saved(t, s, "a", nil, "hello")
	for name, want := range map[string]fs.FileMode{
		filepath.Dir(path): fs.ModeDir | 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		i, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if i.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, i.Mode(), want)
		}
	}
}

func TestOpenSetsUpItsConnections(t *testing.T) {
	s := newStore(t)
	fresh, err := Open(t.Context(), s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": fmt.Sprint(busyTimeout.Milliseconds()),
	} {
		var got string
		if err := fresh.write.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %q, %v, want %q", pragma, got, err, want)
		}
	}
	if _, err := fresh.read.Exec("DELETE FROM session"); err == nil {
		t.Error("a reading connection can write")
	}
}

// TestManyProgramsOpenOneDatabase runs itself in processes of their own.
func TestManyProgramsOpenOneDatabase(t *testing.T) {
	const env = "SESSION_TEST_OPEN"
	if path := os.Getenv(env); path != "" {
		s, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		saved(t, s, fmt.Sprint("of-", os.Getpid()), nil, "hello")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	const programs = 10
	path := filepath.Join(t.TempDir(), "new", "pleat.db")
	for _, age := range []string{"new", "old"} {
		var wg sync.WaitGroup
		for range programs {
			wg.Go(func() {
				cmd := exec.Command(os.Args[0], "-test.run=^TestManyProgramsOpenOneDatabase$")
				cmd.Env = append(os.Environ(), env+"="+path)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s database: %v\n%s", age, err, out)
				}
			})
		}
		wg.Wait()
	}
	list, err := reopened(t, path).Sessions(t.Context())
	if err != nil || len(list) != 2*programs {
		t.Errorf("%d sessions, %v, want %d", len(list), err, 2*programs)
	}
}

func TestManyOpenOneNewDatabaseAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pleat.db")
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			c := (*Chain)(nil).Append(says("hello"))
			if err := s.Move(t.Context(), fmt.Sprint(i), nil, c, c); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestOpenRefusesAndLeavesAsItIs(t *testing.T) {
	text := bytes.Repeat([]byte("just some text\n"), 400)
	tests := []struct {
		name  string
		file  []byte
		spoil string
		want  error
		says  string
	}{
		{"newer", nil, "PRAGMA user_version = 999", ErrNewer, "999"},
		{"another program's", nil, "PRAGMA application_id = 7", ErrForeign, "choose another file"},
		{"text", text, "", ErrForeign, "choose another file"},
		{"one byte", []byte("x"), "", ErrForeign, "choose another file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pleat.db")
			if tt.file != nil {
				if err := os.WriteFile(path, tt.file, 0o600); err != nil {
					t.Fatal(err)
				}
			} else {
				s := reopened(t, path)
				saved(t, s, "a", nil, "hello")
				run(t, s, tt.spoil)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path)
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want %v with %q and the path", err, tt.want, tt.says)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file changed, %v", err)
			}
		})
	}
}

func TestOpenLeavesTheLogOfANewerProgramAlone(t *testing.T) {
	s := newStore(t)
	run(t, s, "PRAGMA user_version = 999")
	run(t, s, "PRAGMA wal_checkpoint(TRUNCATE)")
	saved(t, s, "a", nil, "hello")
	path := filepath.Join(t.TempDir(), "pleat.db") // as if it had crashed
	db, log := read(t, s.Path()), read(t, s.Path()+"-wal")
	write(t, path, db)
	write(t, path+"-wal", log)
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrNewer) {
		t.Fatalf("error %v, want %v", err, ErrNewer)
	}
	if !bytes.Equal(read(t, path), db) || !bytes.Equal(read(t, path+"-wal"), log) {
		t.Error("the files changed")
	}
}

func TestOpenRefusesUnmarkedDatabaseOfAnotherProgram(t *testing.T) {
	s := newStore(t)
	run(t, s, "PRAGMA application_id = 0")
	run(t, s, "PRAGMA user_version = 0")
	s.Close()
	if _, err := Open(t.Context(), s.Path()); !errors.Is(err, ErrForeign) {
		t.Errorf("error %v, want %v", err, ErrForeign)
	}
}

func TestOpenTellsWhatIsInTheWay(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "file", "pleat.db")} {
		if s, err := Open(t.Context(), path); err == nil {
			s.Close()
			t.Errorf("Open(%s) succeeded", path)
		} else if !strings.Contains(err.Error(), path) {
			t.Errorf("error %q does not name %s", err, path)
		}
	}
}

func TestOpenBringsOldDatabaseUpToDate(t *testing.T) {
	s := newStore(t)
	saved(t, s, "a", nil, "from long ago")
	s.Close()

	known := len(migrations)
	next := append(slices.Clone(migrations), `
		ALTER TABLE session ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue';
		CREATE INDEX session_colour ON session(colour)`)
	broken := append(slices.Clone(migrations), next[known]+"; CREATE TABLE session (x)")
	step := fmt.Sprintf("from version %d to %d", known, known+1)
	if _, err := open(t.Context(), s.Path(), broken); err == nil || !strings.Contains(err.Error(), step) {
		t.Fatalf("a migration that fails: error %v", err)
	}
	reopened(t, s.Path()).Close() // still of the old version

	newer, err := open(t.Context(), s.Path(), next)
	if err != nil {
		t.Fatal(err)
	}
	defer newer.Close()
	head, _, err := newer.Load(t.Context(), "a")
	if err != nil || spoken(head) != "from long ago" {
		t.Errorf("after the migration: %q, %v", spoken(head), err)
	}
	var colour string
	if err := newer.read.QueryRow("SELECT colour FROM session").Scan(&colour); err != nil || colour != "blue" {
		t.Errorf("new column: %q, %v", colour, err)
	}
	newer.Close()

	backup := fmt.Sprint(s.Path(), ".v", known)
	if i, err := os.Stat(backup); err != nil || i.Mode() != 0o600 {
		t.Fatalf("backup: %v, %v", i, err)
	}
	old, _, err := reopened(t, backup).Load(t.Context(), "a")
	if err != nil || spoken(old) != "from long ago" {
		t.Errorf("in the backup: %q, %v", spoken(old), err)
	}
	if _, err := Open(t.Context(), s.Path()); !errors.Is(err, ErrNewer) {
		t.Errorf("an old program on the new database: %v, want %v", err, ErrNewer)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(s.Path()), ".backup-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	s := newStore(t)
	saved(t, s, "a", nil, "hello")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Dir(s.Path()))
	if err != nil || len(files) != 1 {
		t.Errorf("files %v, %v, want the database alone", files, err)
	}
}

func TestCloseEmptiesTheLogThatOthersUse(t *testing.T) {
	s := newStore(t)
	other := reopened(t, s.Path())
	saved(t, s, "a", nil, "hello")
	if list, err := other.Sessions(t.Context()); err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if i, err := os.Stat(s.Path() + "-wal"); err != nil || i.Size() != 0 {
		t.Errorf("the log has %d bytes, %v", i.Size(), err)
	}
}

func TestCloseDoesNotWaitForReaderOfAnotherProgram(t *testing.T) {
	s := newStore(t)
	saved(t, s, "a", nil, "one", "two")
	reading, err := reopened(t, s.Path()).read.Query("SELECT id FROM node")
	if err != nil || !reading.Next() {
		t.Fatal("no rows", err)
	}
	defer reading.Close()
	saved(t, s, "b", nil, "hello")
	start := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("Close took %v", took)
	}
}
