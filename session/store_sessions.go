package session

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// crockford is base 32 in lower case without letters that look alike; its
// order is that of the numbers.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns an id for a session that begins now: sixteen lower-case letters
// and digits that sort by time and are safe as a file name. Two that were made
// in one millisecond differ by chance: in 2³² pairs one does not.
func NewID(now time.Time) string {
	var b [10]byte // six of time, four of chance
	binary.BigEndian.PutUint64(b[:], uint64(now.UnixMilli())<<16)
	rand.Read(b[6:])
	return crockford.EncodeToString(b[:])
}

// Info is a session in a list.
type Info struct {
	ID       string
	Title    string // its title, or the first line that a human typed; one line
	Messages int    // up to its head, without the system's
	Created  time.Time
	Updated  time.Time // of its last move
	Head     ID        // zero when everything is undone
	Tip      ID
}

const infos = `SELECT s.id, s.title, coalesce(h.messages, 0), s.created, s.updated, s.head, s.tip
	FROM session s JOIN node t ON t.id = s.tip LEFT JOIN node h ON h.id = s.head
	WHERE t.messages > 0 AND `

// Sessions returns the sessions in which anything was said, newest first.
func (s *Store) Sessions(ctx context.Context) ([]Info, error) {
	list, err := s.infos(ctx, infos+"s.hidden IS NULL ORDER BY s.updated DESC, s.n DESC")
	return list, s.failed("list the sessions", err)
}

// Deleted returns the sessions that [Store.Restore] can bring back, the one
// that was deleted last first.
func (s *Store) Deleted(ctx context.Context) ([]Info, error) {
	list, err := s.infos(ctx, infos+"s.hidden IS NOT NULL ORDER BY s.hidden DESC, s.n DESC")
	return list, s.failed("list the deleted sessions", err)
}

func (s *Store) infos(ctx context.Context, query string) ([]Info, error) {
	return collect(ctx, s.read, func(r *sql.Rows) (Info, error) {
		var i Info
		var created, updated int64
		var head, tip []byte
		err := r.Scan(&i.ID, &i.Title, &i.Messages, &created, &updated, &head, &tip)
		i.Created, i.Updated = time.UnixMilli(created), time.UnixMilli(updated)
		i.Head, i.Tip = idOf(head), idOf(tip)
		return i, err
	}, query)
}

// collect runs a query and scans all of its rows, so that no read transaction
// outlives the call and keeps the log from shrinking.
func collect[T any](ctx context.Context, db *sql.DB, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		x, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, rows.Err()
}

// Resolve returns the id of the session, be it deleted or not, that has this id
// or whose id alone begins so. It fails with [ErrNoSession] or [ErrAmbiguous].
func (s *Store) Resolve(ctx context.Context, prefix string) (string, error) {
	list, err := collect(ctx, s.read, func(r *sql.Rows) (id string, err error) { return id, r.Scan(&id) },
		"SELECT id FROM session WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id <> ?1, id LIMIT 4", prefix)
	switch {
	case err != nil:
	case len(list) == 0 || prefix == "":
		err = ErrNoSession
	case len(list) > 1 && list[0] != prefix:
		err = fmt.Errorf("%w: %s", ErrAmbiguous, strings.Join(list, ", "))
	default:
		return list[0], nil
	}
	return "", s.failed("find session "+prefix, err)
}

// Delete takes session id off the list. Nothing of it is removed:
// [Store.Restore] brings it back.
func (s *Store) Delete(ctx context.Context, id string) error {
	err := s.hide(ctx, "UPDATE session SET hidden = ?2 WHERE id = ?1", id, s.now().UnixMilli())
	return s.failed("delete session "+id, err)
}

// Restore puts session id back on the list.
func (s *Store) Restore(ctx context.Context, id string) error {
	return s.failed("restore session "+id, s.hide(ctx, "UPDATE session SET hidden = NULL WHERE id = ?", id))
}

func (s *Store) hide(ctx context.Context, query string, args ...any) error {
	done, err := s.write.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrNoSession)
	}
	return nil
}

// Branch is a line of a session that ends at a node.
type Branch struct {
	Tip      ID
	Messages int       // up to its end, without the system's
	At       time.Time // of its last node
}

// Branches returns the ends of all lines of session id, newest first: the
// present one, and each that was left for another.
func (s *Store) Branches(ctx context.Context, id string) ([]Branch, error) {
	list, err := collect(ctx, s.read, func(r *sql.Rows) (Branch, error) {
		var b Branch
		var tip []byte
		var at int64
		err := r.Scan(&tip, &b.Messages, &at)
		b.Tip, b.At = idOf(tip), time.UnixMilli(at)
		return b, err
	}, `
		WITH RECURSIVE
			ends (seq) AS (SELECT node FROM tip JOIN session s ON s.n = tip.session WHERE s.id = ?),
			above (seq) AS (
				SELECT parent FROM node JOIN ends USING (seq) WHERE parent IS NOT NULL
				UNION SELECT parent FROM node JOIN above USING (seq) WHERE parent IS NOT NULL)
		SELECT id, messages, at FROM node WHERE seq IN ends AND seq NOT IN above ORDER BY seq DESC`, id)
	return list, s.failed("list the branches of session "+id, err)
}
