package session

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// What a [Store] can fail with. Each says the way out; what was tried and what
// SQLite said stands beside it.
var (
	ErrNewer     = errors.New("a newer version of this program wrote it: use that version, or choose another file")
	ErrForeign   = errors.New("this file is not a database of this program: choose another file")
	ErrFull      = errors.New("the disk is full: free some space and try again, nothing that was saved is lost")
	ErrDisk      = errors.New("the disk reported an error: check the disk and its free space, then try again")
	ErrReadOnly  = errors.New("it may not be written: check who owns the file and its folder, and their permissions")
	ErrCorrupt   = errors.New("the file is damaged: keep a copy of it, then restore a backup or run sqlite3 with .recover")
	ErrBusy      = errors.New("another program is holding it: try again, or quit that program")
	ErrNoSession = errors.New("there is no such session: list the sessions to see which there are")
	ErrAmbiguous = errors.New("the ids of several sessions begin so: write more of the id")
	ErrMoved     = errors.New("another program moved the head of this session")
)

// Result codes of SQLite, "Result and Error Codes"; the low byte of an
// extended code is its primary one.
const (
	sqliteBusy, sqliteLocked, sqliteReadOnly, sqliteIO      = 5, 6, 8, 10
	sqliteCorrupt, sqliteFull, sqliteCantOpen, sqliteNotADB = 11, 13, 14, 26
	primary                                                 = 0xff
)

// failed says what was tried, on what, and the way out. It is nil if err is.
func (s *Store) failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	doing = fmt.Sprintf("session: %s (database %s)", doing, s.path)
	if reason := reason(err); reason != nil {
		return fmt.Errorf("%s: %w: %w", doing, reason, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// reason names the kind of a failure of SQLite or of the file system, or nil.
func reason(err error) error {
	switch code(err) {
	case sqliteBusy, sqliteLocked:
		return ErrBusy
	case sqliteReadOnly, sqliteCantOpen:
		return ErrReadOnly
	case sqliteIO:
		return ErrDisk
	case sqliteFull:
		return ErrFull
	case sqliteCorrupt:
		return ErrCorrupt
	case sqliteNotADB:
		return ErrForeign
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case errors.Is(err, syscall.ENOSPC):
		return ErrFull
	}
	return nil
}

// code returns the primary result code of SQLite in err, 0 if there is none.
func code(err error) int {
	if c, ok := errors.AsType[interface {
		error
		Code() int
	}](err); ok {
		return c.Code() & primary
	}
	return 0
}

func busy(err error) bool { return code(err) == sqliteBusy || code(err) == sqliteLocked }

// unwritable reports whether err only means that nothing can be written now.
func unwritable(err error) bool {
	c := code(err)
	return c == sqliteFull || c == sqliteReadOnly
}
