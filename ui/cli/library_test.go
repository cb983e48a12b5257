package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pleat/session"
	"pleat/ui"
)

func TestFileNamesAreSafe(t *testing.T) {
	tests := []struct{ title, id, want string }{
		{"Migrate auth to OIDC!", "06f2", "pleat-migrate-auth-to-oidc-06f2"},
		{"../../etc/passwd", "../x", "pleat-etc-passwd-x"},
		{`C:\CON`, "a:b", "pleat-c-con-a-b"},
		{"-rf \x00\x1b[2J", "1", "pleat-rf-2j-1"},
		{"認証 é 😀", "1", "pleat-認証-é-1"},
		{"", "", "pleat"},
		{strings.Repeat("a", 300), "1", "pleat-" + strings.Repeat("a", 40) + "-1"},
	}
	for _, tt := range tests {
		if got := fileName(tt.title, tt.id); got != tt.want {
			t.Errorf("the file of %q, %q is %q, want %q", tt.title, tt.id, got, tt.want)
		}
	}
}

// TestTheChatCanDoAllWithStoredSessions goes through what the chat is given.
func TestTheChatCanDoAllWithStoredSessions(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	c := defaultConfig()
	c.paths.data = filepath.Join(dir, "data", "pleat.db")
	a := newApp(t.Context(), c)
	defer a.end()
	var o ui.Options
	a.library(&o)
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := a.open()
	must(err)
	talk := s.Begin()
	_, err = talk.Append(ctx, session.Message{Role: session.User, Text: "how do I grow rhubarb?"})
	must(err)
	id := talk.ID()

	must(o.Rename(ctx, id, "garden"))
	found, err := o.Search(ctx, "rhubarb")
	if err != nil || len(found) != 1 || found[0].Session != id || found[0].Title != "garden" {
		t.Errorf("found %+v, %v", found, err)
	}
	for _, want := range []string{"pleat-garden-" + id + ".json", "pleat-garden-" + id + "-2.json"} {
		written, err := o.Export(ctx, id, "json", "")
		if full := whole(want); err != nil || written != full || !strings.ContainsAny(full[:1], "/~") {
			t.Errorf("written to %q, %v, want %q", written, err, full)
		}
		if i, err := os.Stat(fromHome(written)); err != nil || i.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", written, i, err)
		}
	}
	if got := whole("x"); got != "~/x" {
		t.Errorf("in the home folder it is %q", got)
	}
	must(os.Symlink("elsewhere", "link"))
	for _, path := range []string{"pleat-garden-" + id + ".json", "link", "."} {
		if written, err := o.Export(ctx, id, "json", path); err == nil || written != "" || !strings.Contains(err.Error(), path+" is there already") {
			t.Errorf("%s: written to %q, %v", path, written, err)
		}
	}
	if _, err := os.Lstat("elsewhere"); err == nil {
		t.Error("a link was followed")
	}
	written, err := o.Export(ctx, id, "markdown", "~/talk.md")
	if text, _ := os.ReadFile(filepath.Join(dir, "talk.md")); err != nil || !regexp.MustCompile(`(?s)^# garden\n.*rhubarb`).Match(text) {
		t.Errorf("written to %q, %v: %s", written, err, text)
	}

	must(o.Delete(ctx, id))
	if list, err := s.Sessions(ctx); err != nil || len(list) != 0 {
		t.Errorf("after the deletion: %+v, %v", list, err)
	}
	must(o.Restore(ctx, id))
	must(o.Delete(ctx, id))
	for _, want := range []string{`there already, as "garden", deleted, and is on the list again: it has all`, `there already, as "garden": it has all that the file has`} {
		if got, said, err := o.Import(ctx, "pleat-garden-"+id+".json"); err != nil || got.ID != id || !strings.Contains(said, want) {
			t.Errorf("imported as %+v, %q, %v, want %q", got, said, err, want)
		}
	}
	if list, err := s.Sessions(ctx); err != nil || len(list) != 1 || list[0].Title != "garden" {
		t.Errorf("after the import: %+v, %v", list, err)
	}
	for _, odd := range []string{".", os.DevNull} {
		if _, _, err := o.Import(ctx, odd); err == nil || !strings.Contains(err.Error(), "not an ordinary file") {
			t.Errorf("importing %s gives %v, want that it is not an ordinary file", odd, err)
		}
	}
	if _, _, err := o.Import(ctx, "nowhere"); err == nil {
		t.Error("a file that is not there is imported")
	}
	if _, err := o.Export(ctx, id, "pdf", ""); err == nil {
		t.Error("it is written in a format that there is not")
	}
	if _, err := o.Export(ctx, "nowhere", "json", "nowhere.json"); err == nil {
		t.Error("a session that is not there is written")
	}
	if _, err := os.Stat("nowhere.json"); err == nil {
		t.Error("a file is left of it")
	}
}

// The flag takes what a list of sessions shows, or the beginning of it.
func TestTheBeginningOfAnIDNamesTheSessionToGoOnWith(t *testing.T) {
	c := defaultConfig()
	c.paths.data = filepath.Join(t.TempDir(), "pleat.db")
	a := newApp(t.Context(), c)
	defer a.end()
	s, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	one := s.Begin()
	if _, err := one.Append(t.Context(), session.Message{Role: session.User, Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{one.ID(), one.ID()[:5]} {
		a.Session = id
		if got, err := a.conversation(t.Context()); err != nil || got.ID() != one.ID() {
			t.Errorf("%q resumes %v, %v", id, got, err)
		}
	}
	a.Session = "nothing"
	if _, err := a.conversation(t.Context()); err == nil || !strings.Contains(err.Error(), "there is no session") {
		t.Errorf("an id that is none resumes: %v", err)
	}
}
