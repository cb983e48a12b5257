package session

import (
	"context"
	"database/sql"
	"strings"
	"time"
	"unicode"
)

// Found is a place where a search found something.
type Found struct {
	Session string
	Title   string // of the session, as [Info] has it
	Node    ID
	Number  int    // of the message in its line, from 1, without the system's; 0 for a title and the system's
	Role    Role   // who said it; "" for a title
	Snippet string // the words around
	At      time.Time
}

// Search finds messages and titles that contain all words of query, the last
// of which may be just begun, in all sessions that were not deleted: what
// compaction covers, what was undone and other branches too. The best come
// first, at most limit of them. What the index does not find is looked for
// letter by letter, as are scripts without spaces and signs; newest first then.
// A blank query finds nothing.
func (s *Store) Search(ctx context.Context, query string, limit int) ([]Found, error) {
	list, err := s.search(ctx, "", query, limit)
	return list, s.failed("search", err)
}

// SearchIn is [Store.Search] in session id alone.
func (s *Store) SearchIn(ctx context.Context, id, query string, limit int) ([]Found, error) {
	list, err := s.search(ctx, id, query, limit)
	return list, s.failed("search session "+id, err)
}

func (s *Store) search(ctx context.Context, session, query string, limit int) ([]Found, error) {
	query = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(query, " "), "\x00", " "))
	if query == "" || limit <= 0 {
		return nil, nil
	}
	if match := quoted(query); match != "" {
		words := wordsOf(query)
		list, err := s.lookIn(ctx, indexed, session, match, limit, func(text string) string { return snippet(text, words) })
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	return s.lookIn(ctx, scanned, session, query, limit, func(text string) string { return around(text, query) })
}

// Both searches go over hits (seq, place). A node belongs to the session that
// wrote it; if that one was deleted, to a fork of it that stands on the node.
const (
	indexed    = `hits (seq, place) AS (SELECT rowid, rank FROM said_index WHERE said_index MATCH ?2)`
	scanned    = `hits (seq, place) AS (SELECT seq, -seq FROM said WHERE instr(lower(text), lower(?2)))`
	everywhere = `held (seq, n) AS (
			SELECT node, session FROM tip JOIN session f ON f.n = session WHERE f.hidden IS NULL
				AND EXISTS (SELECT 1 FROM session w WHERE w.family = f.family AND w.hidden IS NOT NULL)
			UNION SELECT parent, n FROM node JOIN held USING (seq) WHERE parent IS NOT NULL),
		place_of (seq, n) AS (SELECT seq, min(n) FROM held GROUP BY seq)
		SELECT coalesce(f.id, w.id), coalesce(f.title, w.title), node.id, messages, kind, data, at FROM hits JOIN node USING (seq)
			JOIN session w ON w.n = node.session
			LEFT JOIN place_of ON w.hidden IS NOT NULL AND place_of.seq = node.seq LEFT JOIN session f ON f.n = place_of.n
		WHERE (w.hidden IS NULL OR f.id IS NOT NULL) AND ?1 = ''
		ORDER BY place LIMIT ?3`
	within = `held (seq) AS (
			SELECT node FROM tip JOIN session s ON s.n = session WHERE s.id = ?1
			UNION SELECT parent FROM node JOIN held USING (seq) WHERE parent IS NOT NULL)
		SELECT ?1, (SELECT title FROM session WHERE id = ?1), id, messages, kind, data, at FROM hits CROSS JOIN node USING (seq)
		WHERE +hits.seq IN held ORDER BY place LIMIT ?3` // the + keeps SQLite from asking the index anew for each node held
)

// lookIn returns what one of the searches hits, each with the part of its text that
// cut returns.
func (s *Store) lookIn(ctx context.Context, hits, session, match string, limit int, cut func(text string) string) ([]Found, error) {
	scope := everywhere
	if session != "" {
		scope = within
	}
	return collect(ctx, s.read, func(r *sql.Rows) (f Found, err error) {
		var node, data []byte
		var kind string
		var at int64
		var number int
		if err := r.Scan(&f.Session, &f.Title, &node, &number, &kind, &data, &at); err != nil {
			return f, err
		}
		f.Node, f.At = idOf(node), time.UnixMilli(at)
		switch e, _ := decode(kind, data); e := e.(type) { // what cannot be read is found all the same
		case Message:
			f.Role, f.Snippet = e.Role, cut(e.Text)
			if e.Role != System {
				f.Number = number
			}
		case Title:
			f.Snippet = cut(e.Text)
		}
		return f, nil
	}, "WITH RECURSIVE "+hits+", "+scope, session, match, limit)
}

// quoted returns a query in the syntax of FTS5, each word quoted so that nothing
// in it has a meaning; "" if the index cannot find it.
func quoted(query string) string {
	var words []string
	for _, w := range strings.Fields(query) {
		if !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return ""
		}
		if strings.ContainsFunc(w, unspaced) {
			return ""
		}
		words = append(words, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
	}
	return strings.Join(words, " ") + "*"
}

// unspaced reports whether r is of a script that has no spaces between words,
// where the index knows only whole sentences.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
