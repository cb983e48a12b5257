package ui

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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
		editor := os.Getenv("VISUAL")
		if editor == "" {
			editor = os.Getenv("EDITOR")
		}
		words := strings.Fields(editor)
		if len(words) == 0 {
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
		e := exec.CommandContext(m.ctx, words[0], append(words[1:], f.Name())...)
		e.Cancel = func() error { return e.Process.Signal(syscall.SIGTERM) } // it may have something to save
		e.WaitDelay = time.Second
		return editMsg{e, f.Name(), draft, put}
	}
}

// arrive lends the terminal to the editor.
func (msg editMsg) arrive(m *Model) tea.Cmd {
	return tea.Exec(borrower{msg.editor, m.opts.Lend}, msg.done)
}

// borrower is a program that has the terminal while it runs.
type borrower struct {
	*exec.Cmd
	lend func(run func() error) error // may be nil
}

// Run runs it to its end.
func (b borrower) Run() error {
	if b.lend == nil {
		return b.Cmd.Run()
	}
	return b.lend(b.Cmd.Run)
}

// SetStdin is the terminal's input, as are the others its output.
func (b borrower) SetStdin(r io.Reader) { b.Stdin = r }

// SetStdout is for results.
func (b borrower) SetStdout(w io.Writer) { b.Stdout = w }

// SetStderr is for everything else.
func (b borrower) SetStderr(w io.Writer) { b.Stderr = w }

// done reads what the editor left, once it has ended. What one that failed had
// written before stays in its file.
func (e editMsg) done(failure error) tea.Msg {
	text, err := os.ReadFile(e.file)
	wrote := err == nil && string(text) != e.draft
	if failure != nil && wrote {
		return editedMsg{err: fmt.Errorf("%s: %w · the draft is as it was, and what you wrote is in %s", e.editor.Args[0], failure, e.file)}
	}
	_ = os.Remove(e.file)
	if err = cmp.Or(failure, err); err != nil {
		return editedMsg{err: fmt.Errorf("%s: %w · the draft is as it was", e.editor.Args[0], err)}
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
