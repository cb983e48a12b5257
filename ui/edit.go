package ui

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// editMsg has the editor ready to be run on a copy of a text.
type editMsg struct {
	editor *exec.Cmd
	name   string // of the editor, as the user has set it
	file   string
	draft  string
	put    func(m *Model, text string)
}

// editedMsg brings a text back from the user's editor.
type editedMsg struct {
	text string
	err  error
	put  func(m *Model, text string) // where it goes; nil for the draft
}

// edit prepares to open the draft in the user's editor.
func (m *Model) edit() tea.Cmd { return m.editText(m.composer.text(), nil) }

// editText prepares to open a text in the user's editor. What comes of it is
// given to put.
func (m *Model) editText(draft string, put func(m *Model, text string)) tea.Cmd {
	return func() tea.Msg {
		editor := cmp.Or(strings.TrimSpace(os.Getenv("VISUAL")), strings.TrimSpace(os.Getenv("EDITOR")))
		if editor == "" {
			return noticeMsg{warn, "set $EDITOR to the editor you like, such as vi"}
		}
		f, err := os.CreateTemp("", "pleat-*.md")
		if err == nil {
			_, err = f.WriteString(draft)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return noticeMsg{fail, "cannot open the editor: " + err.Error()}
		}
		// A shell runs it, as it does for git: quotes and options are the user's.
		e := exec.CommandContext(m.ctx, "sh", "-c", editor+` "$@"`, editor, f.Name())
		e.Cancel = func() error { return e.Process.Signal(syscall.SIGTERM) } // it may have something to save
		e.WaitDelay = time.Second
		return editMsg{e, editor, f.Name(), draft, put}
	}
}

// arrive lends the terminal to the editor.
func (msg editMsg) arrive(m *Model) tea.Cmd {
	return tea.Exec(borrower{msg.editor, m.opts.Lend}, msg.done)
}

// done reads what the editor left, once it has ended. What one that failed had
// written before stays in its file.
func (e editMsg) done(failure error) tea.Msg {
	if ended, ok := errors.AsType[*exec.ExitError](failure); ok && ended.ExitCode() == 127 { // by which a shell says so
		failure = exec.ErrNotFound
	}
	text, err := os.ReadFile(e.file)
	wrote := err == nil && string(text) != e.draft
	if failure != nil && wrote {
		return editedMsg{err: fmt.Errorf("%s: %w · the draft is as it was, and what you wrote is in %s", e.name, failure, e.file)}
	}
	_ = os.Remove(e.file)
	if err = cmp.Or(failure, err); err != nil {
		return editedMsg{err: fmt.Errorf("%s: %w · the draft is as it was", e.name, err)}
	}
	return editedMsg{strings.TrimSuffix(string(text), "\n"), nil, e.put}
}

func (msg editedMsg) arrive(m *Model) tea.Cmd {
	if msg.err != nil {
		m.say(fail, "%v", msg.err)
		return nil
	}
	if msg.put != nil {
		msg.put(m, msg.text)
		return nil
	}
	m.composer.replace(msg.text)
	return m.measureDraft()
}
