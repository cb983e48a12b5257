package session

import (
	"context"
	"database/sql"
	"errors"
)

// Tokens returns what a tokenizer counted for the nodes before tip of session
// id, as far as [Store.SaveTokens] was told.
func (s *Store) Tokens(ctx context.Context, id, tokenizer string) (map[ID]int, error) {
	type count struct {
		node   ID
		tokens int
	}
	list, err := collect(ctx, s.read, func(r *sql.Rows) (c count, err error) {
		var node []byte
		err = r.Scan(&node, &c.tokens)
		c.node = idOf(node)
		return c, err
	}, `WITH RECURSIVE path (seq) AS (
			SELECT seq FROM node WHERE id = (SELECT tip FROM session WHERE id = ?)
			UNION ALL SELECT parent FROM node JOIN path USING (seq) WHERE parent IS NOT NULL)
		SELECT node, tokens FROM path CROSS JOIN node USING (seq) CROSS JOIN counted ON node = id AND tokenizer = ?`, id, tokenizer)
	counts := make(map[ID]int, len(list))
	for _, c := range list {
		counts[c.node] = c.tokens
	}
	return counts, s.failed("read token counts", err)
}

// SaveTokens keeps what a tokenizer counted for nodes. The last count stands.
func (s *Store) SaveTokens(ctx context.Context, tokenizer string, counts map[ID]int) error {
	return s.failed("save token counts", s.inTx(ctx, func(tx *sql.Tx) error {
		put, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO counted (node, tokenizer, tokens) VALUES (?, ?, ?)")
		if err != nil {
			return err
		}
		defer put.Close()
		for id, n := range counts {
			if _, err := put.ExecContext(ctx, id[:], tokenizer, n); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Calibration returns what was last saved for a model, nil if nothing was.
func (s *Store) Calibration(ctx context.Context, model string) ([]byte, error) {
	var data []byte
	err := s.read.QueryRowContext(ctx, "SELECT data FROM calibration WHERE model = ?", model).Scan(&data)
	return data, s.failed("read the calibration of "+model, found(err))
}

// SetCalibration keeps the calibration of a model.
func (s *Store) SetCalibration(ctx context.Context, model string, data []byte) error {
	_, err := s.write.ExecContext(ctx, "INSERT OR REPLACE INTO calibration (model, data) VALUES (?, ?)", model, append([]byte{}, data...))
	return s.failed("save the calibration of "+model, err)
}

// Pref returns a preference that [Store.SetPref] kept, "" if there is none.
func (s *Store) Pref(ctx context.Context, key string) (string, error) {
	var value string
	err := s.read.QueryRowContext(ctx, "SELECT value FROM pref WHERE key = ?", key).Scan(&value)
	return value, s.failed("read preference "+key, found(err))
}

// SetPref keeps a preference, such as the model that was used last.
func (s *Store) SetPref(ctx context.Context, key, value string) error {
	_, err := s.write.ExecContext(ctx, "INSERT OR REPLACE INTO pref (key, value) VALUES (?, ?)", key, value)
	return s.failed("save preference "+key, err)
}

// found makes nothing of the error that there is no such row.
func found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// AddPrompt puts a text at the end of the history of prompts. It is a row of its
// own, so programs that run at once keep each other's.
func (s *Store) AddPrompt(ctx context.Context, text string) error {
	_, err := s.write.ExecContext(ctx, "INSERT INTO prompt (text, at) VALUES (?, ?)", text, s.now().UnixMilli())
	return s.failed("save the prompt", err)
}

// Prompts returns the last prompts, newest first and each text once, at most
// limit of them.
func (s *Store) Prompts(ctx context.Context, limit int) ([]string, error) {
	list, err := collect(ctx, s.read, func(r *sql.Rows) (text string, err error) {
		var n int64
		return text, r.Scan(&text, &n)
	}, "SELECT text, max(n) AS last FROM prompt GROUP BY text ORDER BY last DESC LIMIT ?", limit)
	return list, s.failed("read the history of prompts", err)
}
