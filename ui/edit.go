package ui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/ui/sanitize"
)

// editedMsg brings a draft back from the user's editor.
type editedMsg struct {
	text string
	err  error
}

// edit opens the draft in the user's editor.
func (m *Model) edit() tea.Cmd {
	editor := os.Getenv("VISUAL")
	if editor == "" {
		editor = os.Getenv("EDITOR")
	}
	words := strings.Fields(editor)
	if len(words) == 0 {
		m.say(warn, "set $EDITOR to the editor you like, such as vi")
		return nil
	}
	dir, err := os.MkdirTemp("", "pleat")
	if err != nil {
		m.say(fail, "cannot open the editor: %v", err)
		return nil
	}
	file := filepath.Join(dir, "message.md")
	if err := os.WriteFile(file, []byte(m.composer.text()), 0o600); err != nil {
		m.say(fail, "cannot open the editor: %v", err)
		return nil
	}
	cmd := exec.CommandContext(m.ctx, words[0], append(words[1:], file)...)
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		defer os.RemoveAll(dir)
		if err != nil {
			return editedMsg{err: fmt.Errorf("%s: %w · the draft is as it was", words[0], err)}
		}
		text, err := os.ReadFile(file)
		return editedMsg{strings.TrimSuffix(string(text), "\n"), err}
	})
}

func (m *Model) onEdited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.say(fail, "%v", msg.err)
		return nil
	}
	m.composer.set(sanitize.Text(msg.text))
	return m.measureDraft()
}

// recall lets the user pick an earlier prompt.
func (m *Model) recall() tea.Cmd {
	var choices []choice
	for i := len(m.composer.prompts) - 1; i >= 0; i-- {
		prompt := m.composer.prompts[i]
		choices = append(choices, choice{text: sanitize.Line(prompt[:min(len(prompt), 400)]), do: func(m *Model) tea.Cmd {
			m.composer.set(prompt)
			return m.measureDraft()
		}})
	}
	m.picker = newPicker("earlier prompts", choices)
	m.picker.empty = "you have sent nothing yet"
	return nil
}

// quit leaves the chat. A reply that is coming is stopped, and what has come of
// it is kept.
func (m *Model) quit() tea.Cmd {
	m.stop()
	m.leavePreview()
	return tea.Quit
}
