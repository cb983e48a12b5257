package session

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// applicationID marks a database as ours in its header: "Plea".
const applicationID = 0x506c6561

// migrations hold the schema: entry i leads from version i to version i+1.
// One that was released is never edited; a change is a new entry.
var migrations = []string{version1}

const version1 = `
-- What happened, for good. A session is a path from a node to its root;
-- sessions that come from one another share nodes.
CREATE TABLE node (
	seq      INTEGER PRIMARY KEY,
	id       BLOB NOT NULL UNIQUE,
	parent   INTEGER REFERENCES node, -- NULL for a root
	kind     TEXT NOT NULL,
	begins   INTEGER NOT NULL,
	depth    INTEGER NOT NULL, -- nodes up to here, this one included
	messages INTEGER NOT NULL, -- messages up to here, without the system's
	session  INTEGER NOT NULL REFERENCES session, -- who wrote it first
	at       INTEGER NOT NULL, -- Unix milliseconds
	data     BLOB NOT NULL
);
CREATE TRIGGER node_stays BEFORE UPDATE ON node BEGIN SELECT raise(ABORT, 'a node never changes'); END;
CREATE TRIGGER node_lasts BEFORE DELETE ON node BEGIN SELECT raise(ABORT, 'a node is never deleted'); END;

CREATE TABLE session (
	n       INTEGER PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	family  INTEGER NOT NULL, -- n of the session that it was forked from in the end, or its own
	head    BLOB, -- id of a node; NULL when everything is undone
	tip     BLOB NOT NULL, -- id of a node; redo leads there
	title   TEXT NOT NULL,
	created INTEGER NOT NULL, -- Unix milliseconds
	updated INTEGER NOT NULL,
	hidden  INTEGER -- when it was deleted
);
CREATE INDEX session_family ON session(family);

-- The end of every branch of a session, the present one included.
CREATE TABLE tip (
	session INTEGER NOT NULL REFERENCES session,
	node    INTEGER NOT NULL REFERENCES node,
	PRIMARY KEY (session, node)
) WITHOUT ROWID;

-- What search finds. The text itself stays in node alone.
CREATE VIEW said (seq, text) AS
	SELECT seq, CASE WHEN json_valid(CAST(data AS TEXT)) THEN json_extract(CAST(data AS TEXT), '$.text') END
	FROM node WHERE kind IN ('message', 'title');
CREATE VIRTUAL TABLE said_index USING fts5(text, content = 'said', content_rowid = 'seq',
	tokenize = "unicode61 remove_diacritics 2");

CREATE TABLE calibration (model TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE pref (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE prompt (n INTEGER PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL);
`

// header is the part of a database file's first bytes that tells whose it is.
type header struct {
	size        int // bytes read; 0 for a new file
	magic       string
	version     int
	application uint32
}

// readHeader reads it by the offsets of "Database File Format" of SQLite,
// section 1.3.
func readHeader(r io.ReaderAt) (header, error) {
	var b [100]byte
	n, err := r.ReadAt(b[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return header{}, err
	}
	return header{
		size: n, magic: string(b[:16]),
		version:     int(int32(binary.BigEndian.Uint32(b[60:]))),
		application: binary.BigEndian.Uint32(b[68:]),
	}, nil
}

func (h header) check(known int) error {
	switch {
	case h.size == 0:
		return nil
	case h.magic != "SQLite format 3\x00":
		return ErrForeign
	case h.application != applicationID && (h.application != 0 || h.version != 0):
		return ErrForeign
	}
	return h.newer(known)
}

func (h header) newer(known int) error {
	if h.version > known {
		return fmt.Errorf("%w: its version is %d and this one knows %d", ErrNewer, h.version, known)
	}
	return nil
}

// migrate brings the database from its version to the last of schema, in one
// transaction. An old one is copied first.
func (s *Store) migrate(ctx context.Context, schema []string) error {
	was, err := s.version(ctx, s.write)
	if err != nil || was == len(schema) {
		return err
	}
	if 0 < was && was < len(schema) {
		if err := s.backUp(ctx, was); err != nil {
			return fmt.Errorf("copy the old database before it is brought up to date: %w", err)
		}
	}
	return s.inTx(ctx, func(tx *sql.Tx) error {
		from, err := s.version(ctx, tx) // another program may have been first
		if err != nil {
			return err
		}
		if err := (header{version: from}).newer(len(schema)); err != nil {
			return err
		}
		if from == 0 {
			if err := s.claim(ctx, tx); err != nil {
				return err
			}
		}
		for v := from; v < len(schema); v++ {
			if _, err := tx.ExecContext(ctx, schema[v]); err != nil {
				return fmt.Errorf("bring it from version %d to %d: %w", v, v+1, err)
			}
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(schema)))
		return err
	})
}

type rowQueryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (s *Store) version(ctx context.Context, q rowQueryer) (v int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v, err
}

// claim marks an empty database as ours. One with tables is somebody else's.
func (s *Store) claim(ctx context.Context, tx *sql.Tx) error {
	var tables int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if tables > 0 {
		return ErrForeign
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

// backUp copies the database to a file beside it that is named for its version.
func (s *Store) backUp(ctx context.Context, version int) error {
	f, err := os.CreateTemp(filepath.Dir(s.path), ".backup-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails when it has its real name already
	defer f.Close()
	if _, err := s.write.ExecContext(ctx, "VACUUM INTO ?", f.Name()); err != nil {
		return err
	}
	h, err := readHeader(f)
	if err != nil || h.version != version { // another program was first, and made the copy
		return err
	}
	return os.Rename(f.Name(), fmt.Sprintf("%s.v%d", s.path, version))
}
