package session

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrTaken is why a session cannot be imported that only shares its id with one
// that is there.
var ErrTaken = errors.New("another session has this id: change \"session\" in the file to an id that is free")

// Export writes all of session id as JSON: every line of it, what was undone and
// what compaction covers included, event by event with the hashes. What
// [Store.Import] makes of that is the same session. If a part of the session is
// damaged, it writes the rest and returns a [*Damaged] error.
func (s *Store) Export(ctx context.Context, w io.Writer, id string) error {
	a, err := s.archive(ctx, id)
	if a == nil {
		return err
	}
	if err := a.write(w); err != nil {
		return fmt.Errorf("session: write session %s: %w", id, err)
	}
	return err
}

// archive reads a session with all of its lines. It comes together with a
// [*Damaged] error if some of it is missing.
func (s *Store) archive(ctx context.Context, id string) (*archive, error) {
	head, tip, err := s.Load(ctx, id)
	damage, damaged := errors.AsType[*Damaged](err)
	if err != nil && (!damaged || tip == nil) {
		return nil, err
	}
	a := &archive{Format: archiveFormat, Version: archiveVersion, Session: id, Head: head.ID(), Tip: tip.ID()}
	var created, updated int64
	row := s.read.QueryRowContext(ctx, "SELECT created, updated FROM session WHERE id = ?", id)
	if err := row.Scan(&created, &updated); err != nil {
		return nil, s.failed("export session "+id, err)
	}
	a.Created, a.Updated = stamp(created), stamp(updated)
	broken, err := s.fill(ctx, a)
	switch {
	case err != nil:
		return nil, s.failed("export session "+id, err)
	case damaged:
		return a, damage
	case broken != nil:
		return a, broken
	}
	return a, nil
}

// dated is a node with the time at which it was written.
type dated struct {
	raw
	at int64
}

// fill reads the nodes of an archive, as far as they are whole up to the root.
func (s *Store) fill(ctx context.Context, a *archive) (*Damaged, error) {
	rows, err := collect(ctx, s.read, func(r *sql.Rows) (n dated, err error) {
		err = r.Scan(&n.seq, &n.parent, &n.depth, &n.id, &n.kind, &n.begins, &n.data, &n.at)
		return n, err
	}, `WITH RECURSIVE held (seq) AS (
			SELECT node FROM tip JOIN session s ON s.n = session WHERE s.id = ?1
			UNION SELECT seq FROM node WHERE id IN (?2, ?3)
			UNION SELECT parent FROM node JOIN held USING (seq) WHERE parent IS NOT NULL)
		SELECT `+rawColumns+`, at FROM held CROSS JOIN node USING (seq) ORDER BY seq`, // a parent is always written before its children
		a.Session, a.Head[:], a.Tip[:])
	if err != nil {
		return nil, err
	}
	whole := make(map[int64]ID, len(rows))
	var damage *Damaged
	for _, r := range rows {
		parent, ok := whole[r.parent]
		id := idOf(r.id)
		if !ok && r.parent != 0 || hash(parent, r.kind, r.begins, r.data) != id {
			if damage == nil {
				damage = &Damaged{Session: a.Session, Node: id, Why: "does not match its contents or what was before it"}
			}
			damage.Lost++
			continue
		}
		whole[r.seq] = id
		a.nodes = append(a.nodes, archivedNode(id, parent, r.kind, r.begins, stamp(r.at), r.data))
	}
	return damage, nil
}

// stamp returns a stored time; one that no file can tell is none.
func stamp(milliseconds int64) time.Time {
	t := time.UnixMilli(milliseconds).UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Time{}
	}
	return t
}

// Imported says what an import has done.
type Imported struct {
	ID      string // of the session
	Known   bool   // it was there already,
	Deleted bool   // but off the list, on which it is again;
	Grown   bool   // it lacked some of what the file has;
	Moved   bool   // it went on from where it stood
}

// Import stores what [Store.Export] wrote. It checks all of it first: a
// [*Malformed] error tells what is wrong, and where.
//
// A session that is there already gets the lines that it lacks, and is on the
// list again if it was deleted. Its head moves only if the file tells how it
// went on from there; so nothing changes if the same file is imported twice. A
// file that has nothing but the id in common with it is refused with [ErrTaken].
func (s *Store) Import(ctx context.Context, data []byte) (Imported, error) {
	a, err := readArchive(data)
	if err != nil {
		return Imported{}, err
	}
	return s.adopt(ctx, a)
}

// Add makes a session that stands at head, which came from elsewhere and is not
// empty. Its id follows from the history: to add it twice is as with
// [Store.Import].
func (s *Store) Add(ctx context.Context, head *Chain) (Imported, error) {
	if head == nil {
		return Imported{}, errors.New("session: add a session: there is no message in it")
	}
	sum := sha256.Sum256(head.id[:])
	a := &archive{Session: crockford.EncodeToString(sum[:10]), Head: head.id, Tip: head.id, nodes: make([]archived, head.Len())}
	for n := range head.Backward() {
		r := rowOf(n)
		a.nodes[n.Len()-1] = archivedNode(n.id, n.parent.ID(), r.kind, r.begins, r.at, r.data)
	}
	return s.adopt(ctx, a)
}

// adopt stores an archive that was checked.
func (s *Store) adopt(ctx context.Context, a *archive) (Imported, error) {
	tip := a.line(a.Tip)
	head := tip.Find(a.Head)
	done := Imported{ID: a.Session}
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		w := s.writer(ctx, tx)
		if now := w.now; !a.Updated.IsZero() && a.Updated.Before(now) {
			w.now = a.Updated
		}
		at, err := w.session(a.Session)
		fresh := errors.Is(err, ErrNoSession)
		if err != nil && !fresh {
			return err
		}
		family, err := w.familyOf(a)
		switch {
		case err != nil:
			return err
		case fresh:
			at.n, err = w.begin(a.Session, family, a.Created)
		case family != at.family:
			return ErrTaken
		}
		if err != nil {
			return err
		}
		if done.Grown, err = w.enterAll(at.n, a); err != nil {
			return err
		}
		back, err := tx.ExecContext(ctx, "UPDATE session SET hidden = NULL WHERE n = ? AND hidden IS NOT NULL", at.n)
		if err != nil {
			return err
		}
		n, err := back.RowsAffected()
		done.Known, done.Deleted, done.Moved = !fresh, n > 0, !fresh && at.leadsTo(head, tip)
		if fresh || done.Moved {
			err = w.update(at.n, head, tip)
		}
		return err
	})
	return done, s.failed("import session "+a.Session, err)
}

// leadsTo reports whether a session that stands at p went on to head and tip.
func (p place) leadsTo(head, tip *Chain) bool {
	past := func(c *Chain, id ID) bool { return id.IsZero() || c.Find(id) != nil }
	return (p.head != head.ID() || p.tip != tip.ID()) && past(head, p.head) && past(tip, p.tip)
}

// familyOf returns the family of the sessions that have a beginning in common
// with an archive, 0 if there are none.
func (w writer) familyOf(a *archive) (family int64, err error) {
	for _, n := range a.nodes {
		if !n.Parent.IsZero() {
			continue
		}
		row := w.tx.QueryRowContext(w.ctx, "SELECT family FROM node JOIN session ON n = node.session WHERE node.id = ?", n.ID[:])
		if err := row.Scan(&family); !errors.Is(err, sql.ErrNoRows) {
			return family, err
		}
	}
	return 0, nil
}

// enterAll writes the nodes of an archive that are new and lists its lines as
// branches of a session. It reports whether any was new.
func (w writer) enterAll(session int64, a *archive) (grown bool, err error) {
	known := make(map[ID]stored, len(a.nodes))
	var first, last int64
	for _, n := range a.nodes {
		at, err := w.find(n.ID)
		if err == nil && at.seq == 0 {
			at, err = w.insert(session, n.Parent, known[n.Parent], n.row())
			if last = at.seq; first == 0 {
				first = at.seq
			}
		}
		if err != nil {
			return false, err
		}
		known[n.ID] = at
	}
	if first != 0 {
		if err := w.index(first, last); err != nil {
			return false, err
		}
	}
	for _, id := range append(a.ends(), a.Tip) {
		if err := w.list(session, known[id], known[id]); err != nil {
			return false, err
		}
	}
	return first != 0, nil
}
