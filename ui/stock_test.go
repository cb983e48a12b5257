package ui

import (
	"context"
	"errors"
	"strings"
	"time"

	"pleat/session"
)

// stock is a store of sessions for tests.
type stock struct {
	now      time.Time
	sessions []*stored // newest first
	searches []string
	err      error // what everything fails with
}

type stored struct {
	*session.Conversation
	title   string // that [Options].Rename gave it
	age     time.Duration
	deleted bool
}

func (s *stock) add(age time.Duration, chain *session.Chain) *stored {
	c := session.Detached()
	c.Update(context.Background(), func(*session.Chain) (*session.Chain, error) { return chain, nil })
	one := &stored{Conversation: c, age: age}
	s.sessions = append(s.sessions, one)
	return one
}

func (s *stored) name() string {
	x := s.Head().Context()
	if s.title != "" {
		return s.title
	}
	if t := x.Title(); t != "" {
		return t
	}
	for it := range x.Rows() {
		if it.Message != nil && it.Message.Role == session.User {
			return it.Message.Text
		}
	}
	return ""
}

func (s *stock) list(context.Context) ([]session.Info, error) {
	var all []session.Info
	for _, one := range s.sessions {
		if !one.deleted {
			all = append(all, session.Info{ID: one.ID(), Title: one.name(), Messages: one.Head().Len(), Updated: s.now.Add(-one.age)})
		}
	}
	return all, s.err
}

func (s *stock) find(id string) (*stored, error) {
	for _, one := range s.sessions {
		if strings.HasPrefix(one.ID(), id) {
			return one, s.err
		}
	}
	return nil, errors.New("there is no session " + id)
}

// search finds what was said on the line that redo leads along, and in aside.
func (s *stock) search(_ context.Context, query string) ([]session.Found, error) {
	s.searches = append(s.searches, query)
	var found []session.Found
	for _, one := range s.sessions {
		ends := []*session.Chain{one.Tip()}
		if branches, err := one.Branches(context.Background()); err == nil {
			for _, b := range branches {
				end, _ := one.Find(context.Background(), b.Tip)
				ends = append(ends, end)
			}
		}
		seen := map[session.ID]bool{}
		for _, end := range ends {
			for it := range end.Context().All() {
				if it.Message == nil || seen[it.ID] || one.deleted || !strings.Contains(strings.ToLower(it.Message.Text), strings.ToLower(query)) {
					continue
				}
				seen[it.ID] = true
				found = append(found, session.Found{Session: one.ID(), Title: one.name(), Node: it.ID, Number: it.Number(), Role: it.Message.Role, Snippet: it.Message.Text})
			}
		}
	}
	return found, s.err
}

// stocked gives a chat a store: the session that is open, and some more.
func stocked(o Options) (Options, *stock) {
	s := &stock{now: o.Now()}
	opened, _ := o.Open(context.Background())
	s.sessions = []*stored{{Conversation: opened.Conversation}}
	o.Open = func(context.Context) (Opened, error) { return opened, nil }
	said := func(texts ...string) (c *session.Chain) {
		for i, text := range texts {
			role := session.User
			if i%2 == 1 {
				role = session.Assistant
			}
			c = c.Append(session.Message{Role: role, Text: text})
		}
		return c
	}
	s.add(16*time.Hour, said("The shop loses its cookies", "Which browser is it?"))
	s.add(50*24*time.Hour, said("Bake a cake", "With chocolate, or with apples?"))
	o.Sessions, o.Search = s.list, s.search
	o.Resume = func(_ context.Context, id string) (*session.Conversation, error) {
		one, err := s.find(id)
		if err != nil {
			return nil, err
		}
		return one.Conversation, nil
	}
	change := func(id string, do func(*stored)) error {
		one, err := s.find(id)
		if err == nil {
			do(one)
		}
		return err
	}
	o.Rename = func(_ context.Context, id, title string) error {
		return change(id, func(one *stored) { one.title = title })
	}
	o.Delete = func(_ context.Context, id string) error {
		return change(id, func(one *stored) { one.deleted = true })
	}
	o.Restore = func(_ context.Context, id string) error {
		return change(id, func(one *stored) { one.deleted = false })
	}
	o.Export = func(_ context.Context, id, format, path string) (string, error) {
		if path == "" {
			path = "made-up"
		}
		return path + "." + format, s.err
	}
	o.Import = func(_ context.Context, path string) (done session.Imported, _ string, err error) {
		switch path {
		case "talk.json":
			done.ID = s.add(0, said("What was imported")).ID()
			return done, "", nil
		case "known.json":
			return session.Imported{ID: s.sessions[1].ID(), Known: true}, "this session was there already", nil
		}
		return done, "", errors.New("cannot import: there is no file " + path)
	}
	return o, s
}
