package session

import (
	"context"
	"database/sql"
	"errors"
)

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

// Work is what is under way in a session and no part of it yet.
type Work struct {
	By   string // the program that is or was at it
	Data []byte
}

// Works returns what [Store.SetWork] kept of a session, by program.
func (s *Store) Works(ctx context.Context, id string) ([]Work, error) {
	prefix := workKey(id, "")
	list, err := collect(ctx, s.read, func(r *sql.Rows) (w Work, err error) { return w, r.Scan(&w.By, &w.Data) },
		"SELECT substr(key, length(?1) + 1), value FROM pref WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key", prefix)
	return list, s.failed("read the work on session "+id, err)
}

// SetWork keeps what a program has under way in a session, in place of what was
// kept of it before, there or in another session; nothing, if data is empty.
// Others keep theirs.
func (s *Store) SetWork(ctx context.Context, id, by string, data []byte) error {
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM pref WHERE key LIKE 'work %' AND substr(key, -length(?1)) = ?1", " "+by)
		if err == nil && len(data) > 0 {
			_, err = tx.ExecContext(ctx, "INSERT INTO pref (key, value) VALUES (?, ?)", workKey(id, by), string(data))
		}
		return err
	})
	return s.failed("keep the work on session "+id, err)
}

// TakeWork makes the work of one program that of another, which has none on this
// session. Of several that take it, one does.
func (s *Store) TakeWork(ctx context.Context, id, from, by string) (taken bool, err error) {
	r, err := s.write.ExecContext(ctx, "UPDATE pref SET key = ? WHERE key = ?", workKey(id, by), workKey(id, from))
	if err == nil {
		var n int64
		n, err = r.RowsAffected()
		taken = n > 0
	}
	return taken, s.failed("take up the work on session "+id, err)
}

func workKey(id, by string) string { return "work " + id + " " + by }
