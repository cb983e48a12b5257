package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

const (
	busyTimeout = 10 * time.Second // how long a statement waits for the lock of another program
	readers     = 4                // connections that read
	walLimit    = 4 << 20          // bytes that the write-ahead log keeps on disk after a checkpoint
)

// Store keeps sessions in a SQLite database. Its methods are safe for
// concurrent use, and several programs may have one database open: what they
// write is a row of its own each time, and the head of a session moves by
// compare-and-swap, so nobody overwrites anybody.
//
// When a method that writes returns nil, what it wrote survives a power loss.
type Store struct {
	path  string
	write *sql.DB // one connection, so that writers of this program queue here
	read  *sql.DB
	now   func() time.Time

	lookUp, enter *sql.Stmt // of write
}

// Open opens the database at path. A missing one is made, for its owner only,
// with the folders above it. One that a newer program wrote is refused and left
// as it is, with [ErrNewer]; a file that is no database of ours, with
// [ErrForeign].
func Open(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, migrations)
}

func open(ctx context.Context, path string, schema []string) (*Store, error) {
	s := &Store{path: path, now: time.Now}
	if err := s.prepare(schema); err != nil {
		return nil, s.failed("open", err)
	}
	s.write, s.read = s.connect(1, ""), s.connect(readers, "&_pragma=query_only(1)")
	if err := s.start(ctx, schema); err != nil {
		err = s.failed("open", err)
		s.read.Close()
		s.write.Close()
		return nil, err
	}
	return s, nil
}

// prepare makes the folder and the file, or looks at the file without SQLite,
// which would write to it.
func (s *Store) prepare(schema []string) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite gives its log the same mode
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := readHeader(f)
	if err != nil {
		return err
	}
	return head.check(len(schema))
}

// start brings the database to the newest schema. Any number of programs may
// do so at once.
func (s *Store) start(ctx context.Context, schema []string) error {
	if err := s.useLog(ctx); err != nil {
		return err
	}
	if err := s.migrate(ctx, schema); err != nil {
		return err
	}
	var err error
	if s.lookUp, err = s.write.PrepareContext(ctx, lookUp); err == nil {
		s.enter, err = s.write.PrepareContext(ctx, enter)
	}
	return err
}

// useLog switches to the write-ahead log. SQLite does not wait for a lock in
// this one statement, so the waiting is done here.
func (s *Store) useLog(ctx context.Context) error {
	deadline := time.Now().Add(busyTimeout)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		var mode string
		err := s.write.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if err == nil && mode != "wal" {
			err = fmt.Errorf("journal mode is %q where it should be wal: is the database on a network drive?", mode)
		}
		if !busy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (s *Store) connect(n int, more string) *sql.DB {
	dsn := fmt.Sprintf("%s?_pragma=busy_timeout(%d)&_pragma=foreign_keys(1)&_pragma=synchronous(FULL)"+
		"&_pragma=journal_size_limit(%d)&_txlock=immediate%s", fileURI(s.path), busyTimeout.Milliseconds(), walLimit, more)
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		panic(err) // the driver is linked in, and nothing is opened yet
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db
}

// fileURI spells a path as SQLite's URI, in which ? # and % have a meaning.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" && filepath.VolumeName(path) != "" {
		path = "/" + path
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}

// Path returns the path of the database.
func (s *Store) Path() string { return s.path }

// Close moves what is in the write-ahead log into the database and closes it.
// All that was acknowledged is safe without it.
func (s *Store) Close() error {
	err := s.read.Close()
	// A reader of another program can hold the log for as long as it likes; the
	// last to close empties it then.
	_, e := s.write.Exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
	if !busy(e) && !unwritable(e) {
		err = errors.Join(err, e)
	}
	return s.failed("close", errors.Join(err, s.write.Close()))
}

// inTx runs f in a transaction of the writer: all of it happens, or nothing.
func (s *Store) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		// SQLite may have rolled back already, as it does on a full disk.
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}
