package ui

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// editMsg has the editor ready to be run on a copy of the draft.
type editMsg struct {
	editor *exec.Cmd
	file   string
}

// editedMsg brings a draft back from the user's editor.
type editedMsg struct {
	text string
	err  error
}

// edit prepares to open the draft in the user's editor.
func (m *Model) edit() tea.Cmd {
	draft := m.composer.text()
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
		return editMsg{exec.CommandContext(m.ctx, words[0], append(words[1:], f.Name())...), f.Name()}
	}
}

// onEdit lends the terminal to the editor.
func (m *Model) onEdit(msg editMsg) tea.Cmd {
	return tea.ExecProcess(msg.editor, msg.done)
}

// done reads what the editor left, once it has ended.
func (e editMsg) done(err error) tea.Msg {
	defer os.Remove(e.file)
	if err != nil {
		return editedMsg{err: fmt.Errorf("%s: %w · the draft is as it was", e.editor.Args[0], err)}
	}
	text, err := os.ReadFile(e.file)
	return editedMsg{strings.TrimSuffix(string(text), "\n"), err}
}

func (m *Model) onEdited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.say(fail, "%v", msg.err)
		return nil
	}
	m.composer.replace(msg.text)
	return m.measureDraft()
}
