package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// command is something the user can ask for by a key, in words after a slash,
// or from the list of all commands.
type command struct {
	name    string
	aliases []string
	args    string // how its arguments are written; "" if it takes none
	help    string
	keys    []key.Binding
	do      func(m *Model, args string) tea.Cmd
}

// plain makes the action of a command without arguments.
func plain(f func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return f(m) }
}

// commands returns all there are, in the order in which help lists them.
func (k KeyMap) commands() []command {
	on := func(b ...key.Binding) []key.Binding { return b }
	return []command{
		{"compact", []string{"summarize", "summarise", "compress", "fold"}, "[3-9] [focus]", "make the context smaller now", on(k.Compact), (*Model).compactCommand},
		{"strategy", nil, "[name k=v …]", "how to compact; a list without a name", nil, (*Model).strategyCommand},
		{"next-strategy", nil, "", "use the next strategy", on(k.Strategy), plain(func(m *Model) tea.Cmd { return m.stepStrategy(1) })},
		{"previous-strategy", nil, "", "use the previous strategy", on(k.StrategyBack), plain(func(m *Model) tea.Cmd { return m.stepStrategy(-1) })},
		{"strategies", nil, "", "pick a strategy from a list", on(k.Strategies), plain((*Model).pickStrategy)},
		{"context", []string{"tokens", "usage"}, "", "what fills the window", on(k.Context), plain((*Model).contextCommand)},
		{"compare", []string{"comparison"}, "", "what every strategy would make of the conversation", on(k.Compare), plain((*Model).compareStrategies)},
		{"auto", []string{"automatic"}, "[off|ask|auto]", "what happens when the context is over the trigger", on(k.Auto), (*Model).autoCommand},
		{"tools", nil, "[off|ask|auto]", "what the model may do itself: compact, search what was said", nil, (*Model).toolsCommand},
		{"undo", nil, "", "take the last step back", on(k.Undo), plain((*Model).undo)},
		{"redo", nil, "", "take an undo back", on(k.Redo), plain((*Model).redo)},
		{"revert", []string{"unfold", "uncompact"}, "[number]", "take the last compaction back, keep the rest", on(k.Revert), onNumbered("revert", (*Model).revertOver, (*Model).revertHere)},
		{"rewind", []string{"back"}, "", "go back to an earlier message and edit it", nil, plain((*Model).rewind)},
		{"edit", nil, "[number]", "edit what you said and send it again", nil, onMessage("edit", (*Model).editAndSend, (*Model).editLast)},
		{"branch", []string{"fork"}, "[number]", "go on from a message, on a way of its own", nil, onMessage("branch", (*Model).branchAt, (*Model).pickBranch)},
		{"branches", []string{"ways"}, "", "go to another way that the conversation took", nil, plain((*Model).pickBranch)},
		{"timeline", []string{"steps"}, "", "show how full the context was at each step, and go back to any", on(k.Timeline), plain((*Model).showTimeline)},
		{"retry", []string{"again", "regenerate"}, "[number]", "ask again for the last reply, or another", on(k.RetryLast), onNumbered("retry", (*Model).retryAt, (*Model).retry)},
		{"pin", nil, "[7|3-9]", "pin the selected message, the last or others, or unpin", nil, marks(session.Pinned)},
		{"pin-last", nil, "", "pin the last message, or unpin", on(k.PinLast), plain(func(m *Model) tea.Cmd { return m.markLast(session.Pinned) })},
		{"mask", nil, "[7|3-9]", "mask the selected tool result, the last or others, or unmask it", nil, marks(session.Masked)},
		{"exclude", nil, "[7|3-9]", "exclude the selected message, the last or others, or include", nil, marks(session.Excluded)},
		{"select", nil, "[7|3-9]", "select messages, for the keys of the transcript", nil, (*Model).selectCommand},
		{"goto", []string{"go", "jump"}, "NUMBER", "show a message", nil, (*Model).goToMessage},
		{"open", []string{"expand", "collapse"}, "[number]", "open or fold a message, or the summary over it", nil, onMessage("open", (*Model).openAt, (*Model).openLast)},
		{"sources", []string{"source"}, "[number]", "find what the lines of a summary are from", nil, onMessage("sources", (*Model).sourcesOf, (*Model).sourcesOfLast)},
		{"system", nil, "[text]", "set the system prompt; show it without a text", nil, (*Model).systemCommand},
		{"model", []string{"models"}, "[name]", "use another model", on(k.Models), (*Model).modelCommand},
		{"connect", []string{"reconnect"}, "", "look for the model again", nil, plain((*Model).reconnect)},
		{"set", nil, "[name number]", "change window, reserve, trigger or target", nil, (*Model).setCommand},
		{"new", []string{"clear", "reset"}, "", "begin a new session; this one is kept", on(k.New), plain((*Model).fresh)},
		{"sessions", []string{"resume", "history"}, "[id]", "resume another session", on(k.Sessions), (*Model).sessionsCommand},
		{"find", nil, "[words]", "find words in this conversation, folded parts too", nil, (*Model).findCommand},
		{"search", nil, "WORDS", "find words in all sessions, folded parts too", nil, (*Model).browse},
		{"export", nil, "[format] [path]", "write the session to a file: markdown, json or openai", nil, (*Model).exportCommand},
		{"import", nil, "PATH", "open a session from a file", nil, (*Model).importCommand},
		{"delete", nil, "", "delete the session and begin a new one", nil, plain((*Model).deleteOpen)},
		{"restore", []string{"undelete"}, "[id]", "bring a deleted session back", nil, (*Model).restoreCommand},
		{"title", []string{"rename"}, "[text]", "name the session", nil, (*Model).titleCommand},
		{"copy", nil, "[7|3-9]", "copy the last reply, or messages", on(k.Copy), (*Model).copyCommand},
		{"editor", nil, "", "write the message in $EDITOR", on(k.Editor), plain((*Model).edit)},
		{"theme", []string{"themes"}, "[name]", "change the colours", on(k.Themes), (*Model).themeCommand},
		{"mouse", nil, "[on|off]", "let the mouse select, open and scroll, or the terminal have it", nil, (*Model).mouseCommand},
		{"commands", []string{"palette"}, "", "list all commands", on(k.Palette), plain((*Model).pickCommand)},
		{"help", []string{"keys", "?"}, "", "show the keys", on(k.Help), plain((*Model).showHelp)},
		{"quit", []string{"exit", "bye", "q"}, "", "leave; the session is kept", on(k.Quit), plain(func(m *Model) tea.Cmd { return m.quit() })},
	}
}

// Slash reads a text that begins with a slash as a command: its name, which is
// the main one where a command has several, and what follows. A name that no
// command of the screen has is returned as it is. Where the text is a message, ok
// is false and rest is what is to be sent: the text, without the first of two
// slashes.
func Slash(text string) (name, rest string, ok bool) {
	after, ok := strings.CutPrefix(text, "/")
	switch {
	case !ok:
		return "", text, false
	case strings.HasPrefix(after, "/"):
		return "", after, false
	}
	name, rest, _ = strings.Cut(after, " ")
	if name == "" || strings.ContainsAny(name, "/\n") {
		return "", text, false // a path, or a text that happens to begin so
	}
	for _, c := range (KeyMap{}).commands() {
		if slices.Contains(c.aliases, name) {
			name = c.name
		}
	}
	return name, strings.TrimSpace(rest), true
}
