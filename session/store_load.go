package session

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Damaged tells that a part of a session could not be read, and that what could
// be was loaded. Nothing was changed on disk.
type Damaged struct {
	Session string
	Node    ID     // the first node that is missing or damaged
	Lost    int    // events from there on that were dropped; 0 if nobody knows
	Why     string // what is wrong with it
	head    ID     // where the session stands on disk
}

// Error says what is damaged, and how much is lost.
func (d *Damaged) Error() string {
	lost := "what came from there on"
	if d.Lost > 0 {
		lost = fmt.Sprintf("%d events from there on", d.Lost)
	}
	return fmt.Sprintf("session: load session %s: node %s %s; %s could not be loaded, all before is here",
		d.Session, d.Node.Short(), d.Why, lost)
}

// Load returns the state of session id. Every node is checked against its
// hash. If some are missing or damaged it returns the part before them
// together with a [*Damaged] error.
func (s *Store) Load(ctx context.Context, id string) (head, tip *Chain, err error) {
	head, tip, err = s.load(ctx, id)
	var damaged *Damaged
	if err != nil && !errors.As(err, &damaged) {
		err = s.failed("load session "+id, err)
	}
	return head, tip, err
}

func (s *Store) load(ctx context.Context, id string) (head, tip *Chain, err error) {
	var h, t []byte
	row := s.read.QueryRowContext(ctx, "SELECT head, tip FROM session WHERE id = ?", id)
	if err := row.Scan(&h, &t); errors.Is(err, sql.ErrNoRows) {
		return nil, nil, ErrNoSession
	} else if err != nil {
		return nil, nil, err
	}
	at := idOf(h)
	tip, damage, err := s.chain(ctx, nil, idOf(t))
	if err != nil {
		return nil, nil, err
	}
	head = tip.Find(at)
	if damage != nil {
		return s.salvage(ctx, id, at, tip, damage)
	}
	if head == nil && !at.IsZero() {
		return s.salvage(ctx, id, at, tip, &Damaged{Node: at, Why: "does not lie before the end of its line"})
	}
	return head, tip, nil
}

// salvage returns the best of a damaged session, of which tip is what could be
// read: up to its head at, or else as far towards it as possible.
func (s *Store) salvage(ctx context.Context, session string, at ID, tip *Chain, damage *Damaged) (*Chain, *Chain, error) {
	head := tip.Find(at)
	if head == nil && !at.IsZero() {
		part, worse, err := s.chain(ctx, tip, at)
		if err != nil {
			return nil, nil, err
		}
		if worse != nil {
			damage = worse
		}
		if worse == nil || part.Len() > tip.Len() {
			tip = part
		}
		if tip == nil {
			if tip, err = s.longest(ctx, session); err != nil {
				return nil, nil, err
			}
		}
		head = tip
	}
	damage.Session, damage.head = session, at
	return head, tip, damage
}

// longest returns the longest line of a session that can be read whole, for
// when nothing leads there any more.
func (s *Store) longest(ctx context.Context, session string) (*Chain, error) {
	rows, err := collect(ctx, s.read, scanRaw, `SELECT `+rawColumns+`
		FROM node JOIN session w ON w.n = node.session JOIN session s ON s.family = w.family
		WHERE s.id = ? ORDER BY seq`, session) // a parent is always written before its children
	if err != nil {
		return nil, err
	}
	var best *Chain
	whole := map[int64]*Chain{}
	for _, r := range rows {
		if c := r.after(whole[r.parent], nil); c != nil { // without its parent it does not match its name
			whole[r.seq] = c
			if c.Len() >= best.Len() {
				best = c
			}
		}
	}
	return best, nil
}

// Chain returns the history up to node id. It shares memory with known, which
// may be nil and is best another line of the same session.
func (s *Store) Chain(ctx context.Context, known *Chain, id ID) (*Chain, error) {
	c, broken, err := s.chain(ctx, known, id)
	if err == nil && broken != nil {
		err = broken
	}
	if err != nil {
		return nil, s.failed("load node "+id.Short(), err)
	}
	return c, nil
}

// raw is a node as it comes from the database.
type raw struct {
	seq, parent int64 // parent is 0 for a root
	depth       int
	id          []byte
	kind        string
	begins      bool
	data        []byte
}

const rawColumns = "seq, coalesce(parent, 0), depth, node.id, kind, begins, data"

func scanRaw(r *sql.Rows) (n raw, err error) {
	err = r.Scan(&n.seq, &n.parent, &n.depth, &n.id, &n.kind, &n.begins, &n.data)
	return n, err
}

// after returns the chain c with the node after it, or nil if the node does not
// match its name there. Chains of the same tree as known are used again.
func (r raw) after(c, known *Chain) *Chain {
	id := hash(c.ID(), r.kind, r.begins, r.data)
	if !bytes.Equal(id[:], r.id) {
		return nil
	}
	if n := known.relative(id); n != nil {
		return n
	}
	e, err := decode(r.kind, r.data)
	if err != nil { // the hash is right, so a newer program means something else by this kind
		e = Unknown{Kind: r.kind, Data: r.data}
	}
	return c.link(e, r.begins, id)
}

// relative returns the node named id in the tree that c is of, or nil.
func (c *Chain) relative(id ID) *Chain {
	if c == nil {
		return nil
	}
	return c.ctx.known.get(id)
}

// idOf reads a stored id; one that is NULL or spoilt is no node's.
func idOf(b []byte) (id ID) {
	copy(id[:], b)
	return id
}

// chain loads the history up to node id with one query. When a node is missing
// or does not match its contents, it returns the history before that.
func (s *Store) chain(ctx context.Context, known *Chain, id ID) (*Chain, *Damaged, error) {
	rows, err := collect(ctx, s.read, scanRaw, `
		WITH RECURSIVE path (seq) AS (
			SELECT seq FROM node WHERE id = ?
			UNION ALL SELECT parent FROM node JOIN path USING (seq) WHERE parent IS NOT NULL)
		SELECT `+rawColumns+` FROM path CROSS JOIN node USING (seq)`, id[:])
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 {
		return nil, &Damaged{Node: id, Why: "is missing"}, nil
	}
	slices.Reverse(rows)
	if first := rows[0]; first.depth > 1 || first.parent != 0 {
		return nil, &Damaged{Node: idOf(first.id), Lost: len(rows), Why: "has nothing before it"}, nil
	}
	var c *Chain
	for i, r := range rows {
		n := r.after(c, known)
		if n == nil {
			return c, &Damaged{Node: idOf(r.id), Lost: len(rows) - i, Why: "does not match its contents"}, nil
		}
		c = n
	}
	return c, nil, nil
}

// Said is a message and the node that holds it.
type Said struct {
	ID      ID
	Message Message
}

// Newest returns the last n messages before the head of session id, the oldest
// of them first. It is quick however long the session is, and checks nothing:
// it fills a screen while [Store.Load] runs.
func (s *Store) Newest(ctx context.Context, id string, n int) ([]Said, error) {
	list, err := collect(ctx, s.read, func(r *sql.Rows) (m Said, err error) {
		var id, data []byte
		if err := r.Scan(&id, &data); err != nil {
			return m, err
		}
		m.ID = idOf(id)
		return m, json.Unmarshal(data, &m.Message)
	}, `WITH RECURSIVE path (seq) AS (
			SELECT seq FROM node WHERE id = (SELECT head FROM session WHERE id = ?)
			UNION ALL SELECT parent FROM node JOIN path USING (seq) WHERE parent IS NOT NULL)
		SELECT node.id, data FROM path CROSS JOIN node USING (seq) WHERE kind = 'message' LIMIT ?`, id, n)
	slices.Reverse(list)
	return list, s.failed("load the newest messages of session "+id, err)
}
