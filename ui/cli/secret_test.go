package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pleat/session"
)

// canary is a key that must never come out anywhere.
const canary = "sk-canary-123"

// secret fails if the canary is in what the last command printed, or in any
// file of Pleat but the configuration, which belongs to the user.
func (s *script) secret() {
	s.Helper()
	s.want(strings.Contains(s.stdout+s.stderr, canary), false, "the key was printed")
	s.must(filepath.WalkDir(s.env["PLEAT_HOME"], func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "config.toml" {
			return err
		}
		data, err := os.ReadFile(path)
		s.want(strings.Contains(string(data), canary), false, "the key is in %s", path)
		return err
	}))
}

// poison stores a session whose texts want to control the terminal, and leaves
// its id in $ID.
func (s *script) poison() {
	s.Helper()
	store, err := session.Open(s.Context(), filepath.Join(s.env["PLEAT_HOME"], "pleat.db"))
	s.must(err)
	defer store.Close()
	c := store.Begin()
	for _, m := range []session.Message{
		{Role: session.User, Text: "title\x1b]0;owned\a here"},
		{Role: session.Assistant, Text: "reply\x1b[2J here"},
	} {
		_, err := c.Append(s.Context(), m)
		s.must(err)
	}
	s.env["ID"] = c.ID()
}
