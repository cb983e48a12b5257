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
	Node    ID
	Role    Role   // who said it; "" for a title
	Snippet string // the words around
	At      time.Time
}

// Search finds messages and titles that contain all words of query, the last
// of which may be just begun, in all sessions that were not deleted: what
// compaction covers, what was undone and other branches too. The best come
// first, at most limit of them. What the index does not find is looked for
// letter by letter, as are scripts without spaces and signs; newest first then.
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
		list, err := s.lookIn(ctx, indexed, session, match, limit)
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	list, err := s.lookIn(ctx, scanned, session, query, limit)
	for i := range list {
		list[i].Snippet = around(list[i].Snippet, query)
	}
	return list, err
}

// Both searches go over hits (seq, snippet). A node belongs to the session that
// wrote it; if that one was deleted, to a fork of it that stands on the node.
const (
	indexed = `hits (seq, snippet, place) AS (
		SELECT rowid, snippet(said_index, 0, '', '', '…', 24), rank FROM said_index WHERE said_index MATCH ?2)`
	scanned = `hits (seq, snippet, place) AS (
		SELECT seq, text, -seq FROM said WHERE instr(lower(text), lower(?2)))`
	everywhere = `held (seq, n) AS (
			SELECT node, session FROM tip JOIN session f ON f.n = session WHERE f.hidden IS NULL
				AND EXISTS (SELECT 1 FROM session w WHERE w.family = f.family AND w.hidden IS NOT NULL)
			UNION SELECT parent, n FROM node JOIN held USING (seq) WHERE parent IS NOT NULL),
		place_of (seq, n) AS (SELECT seq, min(n) FROM held GROUP BY seq)
		SELECT coalesce(f.id, w.id), node.id, kind, data, snippet, at FROM hits JOIN node USING (seq)
			JOIN session w ON w.n = node.session
			LEFT JOIN place_of ON w.hidden IS NOT NULL AND place_of.seq = node.seq LEFT JOIN session f ON f.n = place_of.n
		WHERE (w.hidden IS NULL OR f.id IS NOT NULL) AND ?1 = ''
		ORDER BY place LIMIT ?3`
	within = `held (seq) AS (
			SELECT node FROM tip JOIN session s ON s.n = session WHERE s.id = ?1
			UNION SELECT parent FROM node JOIN held USING (seq) WHERE parent IS NOT NULL)
		SELECT ?1, id, kind, data, snippet, at FROM hits JOIN node USING (seq)
		WHERE seq IN held ORDER BY place LIMIT ?3`
)

func (s *Store) lookIn(ctx context.Context, hits, session, match string, limit int) ([]Found, error) {
	scope := everywhere
	if session != "" {
		scope = within
	}
	return collect(ctx, s.read, func(r *sql.Rows) (f Found, err error) {
		var node, data []byte
		var kind string
		var at int64
		if err := r.Scan(&f.Session, &node, &kind, &data, &f.Snippet, &at); err != nil {
			return f, err
		}
		f.Node, f.At = idOf(node), time.UnixMilli(at)
		if e, err := decode(kind, data); err == nil {
			if m, ok := e.(Message); ok {
				f.Role = m.Role
			}
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

const snippetSide = 60 // code points to each side of what was found

// around returns the part of text around the first place where query stands.
func around(text, query string) string {
	at := max(0, strings.Index(strings.ToLower(text), strings.ToLower(query)))
	at = min(at, len(text)) // lower case may be longer
	before, after := []rune(strings.ToValidUTF8(text[:at], "")), []rune(strings.ToValidUTF8(text[at:], ""))
	left, right := "", ""
	if len(before) > snippetSide {
		before, left = before[len(before)-snippetSide:], "…"
	}
	if n := len([]rune(query)) + snippetSide; len(after) > n {
		after, right = after[:n], "…"
	}
	return left + string(before) + string(after) + right
}
