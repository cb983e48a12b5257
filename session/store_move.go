package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Move writes the nodes up to tip that are new and makes head and tip the state
// of session id. The session is made if there is none and from is empty. It
// fails with [ErrMoved] if the stored head is not from: the nodes are kept then,
// as a branch of the session, but its head stays. Head must lie in the past of
// tip. A session that was deleted is there again.
func (s *Store) Move(ctx context.Context, id string, from, head, tip *Chain) error {
	return s.failed("save session "+id, s.move(ctx, id, from, head, tip))
}

func (s *Store) move(ctx context.Context, id string, from, head, tip *Chain) error {
	if head != nil && tip.Find(head.ID()) == nil {
		return errors.New("its head does not lie before its tip")
	}
	moved := false
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		w := s.writer(ctx, tx)
		at, err := w.session(id)
		if errors.Is(err, ErrNoSession) && from == nil {
			return w.create(id, 0, head, tip)
		}
		if err != nil {
			return err
		}
		if err := w.keep(at.n, tip); err != nil {
			return err
		}
		if moved = at.head != from.ID(); moved {
			return nil
		}
		return w.update(at.n, head, tip)
	})
	if err == nil && moved {
		return ErrMoved
	}
	return err
}

// Keep writes the nodes up to tip that are new and lists them as a branch of
// session id. Its head stays where it is.
func (s *Store) Keep(ctx context.Context, id string, tip *Chain) error {
	return s.failed("keep a branch of session "+id, s.inTx(ctx, func(tx *sql.Tx) error {
		w := s.writer(ctx, tx)
		at, err := w.session(id)
		if err != nil {
			return err
		}
		return w.keep(at.n, tip)
	}))
}

// Fork makes another session that stands at head, and returns its id. It
// shares its nodes with session id, which stays as it is.
func (s *Store) Fork(ctx context.Context, id string, head *Chain) (string, error) {
	return s.fork(ctx, id, head, head)
}

func (s *Store) fork(ctx context.Context, id string, head, tip *Chain) (string, error) {
	fresh := NewID(s.now())
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		w := s.writer(ctx, tx)
		at, err := w.session(id)
		if err != nil {
			return err
		}
		if tip == nil {
			return errors.New("it has no message to stand at")
		}
		return w.create(fresh, at.family, head, tip)
	})
	if err != nil {
		return "", s.failed("fork session "+id, err)
	}
	return fresh, nil
}

// Rename gives session id a title, as a step after its head. A program that has
// the session open goes on in a copy at its next move.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	return s.failed("rename session "+id, s.inTx(ctx, func(tx *sql.Tx) error {
		w := s.writer(ctx, tx)
		at, err := w.session(id)
		if err != nil {
			return err
		}
		below, err := w.find(at.head)
		if err != nil {
			return err
		}
		e := Title{Text: title}
		r := row{kind: e.kind(), begins: true, data: encode(e)}
		named, err := w.find(hash(at.head, r.kind, r.begins, r.data)) // it may have been undone
		if err == nil && named.seq == 0 {
			if named, err = w.insert(at.n, at.head, below, r); err == nil {
				err = w.index(named.seq, named.seq)
			}
		}
		if err != nil {
			return err
		}
		if err := w.list(at.n, below, named); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE session SET head = ?1, tip = ?1, title = ?2, updated = ?3 WHERE n = ?4",
			named.id[:], oneLine(title), w.now.UnixMilli(), at.n)
		return err
	}))
}

// writer is a transaction that writes.
type writer struct {
	ctx           context.Context
	tx            *sql.Tx
	now           time.Time
	lookUp, enter *sql.Stmt
}

const (
	lookUp = "SELECT seq, depth, messages FROM node WHERE id = ?"
	enter  = `INSERT INTO node (id, parent, kind, begins, depth, messages, session, at, data)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

func (s *Store) writer(ctx context.Context, tx *sql.Tx) writer {
	return writer{ctx, tx, s.now(), tx.StmtContext(ctx, s.lookUp), tx.StmtContext(ctx, s.enter)}
}

// place is where a session stands in the database.
type place struct {
	n, family int64
	head, tip ID
}

func (w writer) session(id string) (place, error) {
	var p place
	var head, tip []byte
	row := w.tx.QueryRowContext(w.ctx, "SELECT n, family, head, tip FROM session WHERE id = ?", id)
	err := row.Scan(&p.n, &p.family, &head, &tip)
	if errors.Is(err, sql.ErrNoRows) {
		return place{}, ErrNoSession
	}
	p.head, p.tip = idOf(head), idOf(tip)
	return p, err
}

// create makes a session of a family, of its own if that is 0.
func (w writer) create(id string, family int64, head, tip *Chain) error {
	if tip == nil {
		return nil // nothing was said yet
	}
	n, err := w.begin(id, family, w.now)
	if err != nil {
		return err
	}
	if err := w.keep(n, tip); err != nil {
		return err
	}
	return w.update(n, head, tip)
}

// begin makes a session that stands nowhere yet.
func (w writer) begin(id string, family int64, created time.Time) (n int64, err error) {
	if created.IsZero() {
		created = w.now
	}
	made, err := w.tx.ExecContext(w.ctx,
		"INSERT INTO session (id, family, tip, title, created, updated) VALUES (?, ?, x'', '', ?, ?)",
		id, family, created.UnixMilli(), w.now.UnixMilli())
	if err != nil {
		return 0, err
	}
	n, err = made.LastInsertId()
	if err == nil && family == 0 {
		_, err = w.tx.ExecContext(w.ctx, "UPDATE session SET family = n WHERE n = ?", n)
	}
	return n, err
}

func (w writer) update(n int64, head, tip *Chain) error {
	_, err := w.tx.ExecContext(w.ctx,
		"UPDATE session SET head = ?, tip = ?, title = ?, updated = ?, hidden = NULL WHERE n = ?",
		blob(head), blob(tip), heading(head, tip), w.now.UnixMilli(), n)
	return err
}

// blob returns the id of a chain as it is stored: NULL for the empty one.
func blob(c *Chain) any {
	if c == nil {
		return nil
	}
	return c.id[:]
}

// stored is what the nodes after a node need to know of it.
type stored struct {
	id                   ID
	seq, depth, messages int64
}

// row is a node as it is stored.
type row struct {
	kind    string
	begins  bool
	data    []byte
	at      time.Time
	counted bool // a message that is not the system's
}

// keep writes the nodes up to tip that are new and lists tip as a branch.
func (w writer) keep(session int64, tip *Chain) error {
	if tip == nil {
		return nil
	}
	var fresh []*Chain
	var below stored
	for n := range tip.Backward() {
		var err error
		if below, err = w.find(n.id); err != nil {
			return err
		}
		if below.seq != 0 {
			break
		}
		fresh = append(fresh, n)
	}
	last, first := below, int64(0)
	for i := len(fresh) - 1; i >= 0; i-- {
		var err error
		if last, err = w.insert(session, fresh[i].Parent().ID(), last, rowOf(fresh[i])); err != nil {
			return err
		}
		if last.id != fresh[i].id {
			return fmt.Errorf("node %s does not match its contents", fresh[i].id.Short())
		}
		if first == 0 {
			first = last.seq
		}
	}
	if first != 0 {
		if err := w.index(first, last.seq); err != nil {
			return err
		}
	}
	return w.list(session, below, last)
}

// index makes the nodes from one to another known to search. A trigger would
// do so for each row, and make FTS5 write to the disk for each.
func (w writer) index(from, to int64) error {
	_, err := w.tx.ExecContext(w.ctx,
		"INSERT INTO said_index (rowid, text) SELECT seq, text FROM said WHERE seq BETWEEN ? AND ? AND text <> ''", from, to)
	return err
}

// list names the branch that ends at last, in place of one that ended at below.
func (w writer) list(session int64, below, last stored) error {
	if below != last {
		if _, err := w.tx.ExecContext(w.ctx, "DELETE FROM tip WHERE session = ? AND node = ?", session, below.seq); err != nil {
			return err
		}
	}
	_, err := w.tx.ExecContext(w.ctx, "INSERT OR IGNORE INTO tip (session, node) VALUES (?, ?)", session, last.seq)
	return err
}

// find looks a node up; its seq is 0 if it is not stored.
func (w writer) find(id ID) (stored, error) {
	n := stored{id: id}
	err := w.lookUp.QueryRowContext(w.ctx, id[:]).Scan(&n.seq, &n.depth, &n.messages)
	if errors.Is(err, sql.ErrNoRows) {
		return stored{id: id}, nil
	}
	return n, err
}

func (w writer) insert(session int64, parent ID, below stored, r row) (stored, error) {
	n := stored{id: hash(parent, r.kind, r.begins, r.data), depth: below.depth + 1, messages: below.messages}
	if r.counted {
		n.messages++
	}
	at := r.at
	if at.IsZero() {
		at = w.now
	}
	var up any
	if below.seq != 0 {
		up = below.seq
	}
	made, err := w.enter.ExecContext(w.ctx, n.id[:], up, r.kind, r.begins, n.depth, n.messages, session, at.UnixMilli(), r.data)
	if err != nil {
		return stored{}, err
	}
	n.seq, err = made.LastInsertId()
	return n, err
}

func rowOf(n *Chain) row {
	r := row{kind: n.event.kind(), begins: n.begins, data: encode(n.event)}
	switch e := n.event.(type) {
	case *Message:
		r.at, r.counted = e.At, e.Role != System
	case *Compaction:
		r.at = e.At
	}
	return r
}

const maxHeading = 80 // code points

// heading returns what a list of sessions calls a session: its title, or else
// the first line that a human typed. One where all is undone is called after
// what redo would bring back.
func heading(head, tip *Chain) string {
	for _, c := range []*Chain{head, tip} {
		if t := c.Context().Title(); t != "" {
			return oneLine(t)
		}
		for it := range c.Context().All() {
			if m := it.Message; m.Typed() && strings.TrimSpace(m.Text) != "" {
				return oneLine(m.Text)
			}
		}
	}
	return ""
}

// oneLine returns the first line of text that is not blank, clipped.
func oneLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= maxHeading {
		return text
	}
	return string([]rune(text)[:maxHeading-1]) + "…"
}

// mend lets a damaged session stand at what could be read of it, unless another
// program moved it. The damaged nodes stay.
func (s *Store) mend(ctx context.Context, id string, was ID, head, tip *Chain) error {
	_, err := s.write.ExecContext(ctx,
		"UPDATE session SET head = ?, tip = coalesce(?, tip) WHERE id = ? AND coalesce(head, zeroblob(32)) = ?",
		blob(head), blob(tip), id, was[:])
	return err
}
