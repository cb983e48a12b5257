package ui

import (
	"os"
	"path/filepath"
	"testing"
)

// editorThat returns a program that does something to the file it is given.
func editorThat(t *testing.T, does string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+does+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEditorChangesTheDraftAndFailuresKeepIt(t *testing.T) {
	spaced := filepath.Join(t.TempDir(), "a space")
	if err := os.Rename(editorThat(t, `printf '%s' "$1" > "$2"`), spaced); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, editor, draft, sees string }{
		{"changes", editorThat(t, `printf 'first line\nsecond \033[2J line\n' > "$1"`), "first line\nsecond ␛ line", "first line"},
		{"leaves it", "true", "my draft", "my draft"},
		{"fails", "false", "my draft", "draft is as it was"},
		{"missing", "/nowhere/at/all", "my draft", "draft is as it was"},
		{"not found", "/nowhere/at/all", "my draft", "not found"},
		{"unset", "", "my draft", "set $EDITOR"},
		{"blank", "  ", "my draft", "set $EDITOR"},
		{"quoted", "'" + spaced + "' 'with this'", "with this", "with this"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("VISUAL", "")
			t.Setenv("EDITOR", tt.editor)
			drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
				d.write("my draft")
				d.pass(2 * frameTime)
				msg := d.m.edit()()
				if e, ok := msg.(editMsg); ok {
					msg = e.done(e.editor.Run())
					if _, err := os.Stat(e.file); err == nil {
						t.Error("the copy of the draft is still there")
					}
				}
				d.send(msg)
				d.sees(tt.sees)
				d.draft(tt.draft)
			})
		})
	}
}

func TestWhatAFailingEditorWroteIsNotLost(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", editorThat(t, `printf 'half an hour of work' > "$1"; kill -9 $$`))
	drive(t, options(says("ok"), nil), 200, 24, func(d *driver) {
		d.write("my draft")
		d.pass(2 * frameTime)
		e := d.m.edit()().(editMsg)
		d.send(e.done(e.editor.Run()))
		d.sees("what you wrote is in")
		d.sees(filepath.Base(e.file))
		d.draft("my draft")
		if got, err := os.ReadFile(e.file); string(got) != "half an hour of work" {
			t.Errorf("the file has %q (%v), want what was written", got, err)
		}
	})
}

func TestEditorRunsWhileTheTerminalIsLent(t *testing.T) {
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", editorThat(t, `printf changed > "$1"`))
	o, lent := options(says("ok"), nil), 0
	o.Lend = func(run func() error) error {
		lent++
		return run()
	}
	drive(t, o, 80, 24, func(d *driver) {
		e := d.m.edit()().(editMsg)
		d.send(e.done(borrower{e.editor, d.m.opts.Lend}.Run()))
		d.draft("changed")
	})
	if lent != 1 {
		t.Errorf("the terminal was lent %d times, want once", lent)
	}
}

func TestEditedDraftCanBeTakenBack(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.write("my draft")
		d.send(editedMsg{text: "the editor's"})
		d.draft("the editor's")
		d.press("ctrl+x", "z")
		d.draft("my draft")
	})
}
