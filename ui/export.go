package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// Formats are those that [Options].Export writes, the usual one first.
var Formats = []string{"markdown", "json", "openai"}

// exportCommand writes the open session to a file: /export json talk.json.
func (m *Model) exportCommand(args string) tea.Cmd {
	format, path, _ := strings.Cut(args, " ")
	switch {
	case m.opts.Export == nil:
		m.say(info, "nothing is stored here, so there is nothing to export")
		return nil
	case m.conversation == nil:
		m.say(warn, notOpen)
		return nil
	case m.empty():
		m.say(info, "nothing was said in this session yet, so there is nothing to export")
		return nil
	case args == "":
		format = Formats[0]
	case slices.Contains(Formats, format):
	case !strings.ContainsAny(args, `./\`):
		return m.refuse("there is no format %q · choose %s; a path has a dot or a slash in it", format, strings.Join(Formats, ", "))
	default:
		format, path = Formats[0], args
	}
	return m.write(m.conversation.ID(), format, strings.TrimSpace(path))
}

// export writes the selected session to a file of its own.
func (b *browser) export(m *Model) tea.Cmd {
	if p := b.selected(); p.id != "" && p.hit == nil {
		return m.write(p.id, Formats[0], "")
	}
	return nil
}

// write writes a session to a new file, once all of it is stored.
func (m *Model) write(id, format, path string) tea.Cmd {
	m.say(info, "writing…")
	moves, export := m.moved, m.opts.Export
	return func() tea.Msg {
		wait(moves)
		written, err := export(m.ctx, id, format, path)
		switch {
		case err == nil:
			return noticeMsg{info, "written to " + sanitize.Line(written)}
		case written != "":
			return noticeMsg{warn, "written to " + sanitize.Line(written) + ", but " + err.Error()}
		}
		return noticeMsg{fail, err.Error()}
	}
}

// importCommand opens a session that a file holds.
func (m *Model) importCommand(path string) tea.Cmd {
	if m.opts.Import == nil || m.opts.Resume == nil {
		m.say(info, "nothing is stored here, so nothing can be imported")
		return nil
	}
	m.say(info, "reading %s…", sanitize.Line(path))
	load, resume := m.opts.Import, m.opts.Resume
	var done session.Imported
	said := "this is what " + sanitize.Line(path) + " holds, stored now"
	open := m.opening(openedMsg{}, func(ctx context.Context) (*session.Conversation, error) {
		i, more, err := load(ctx, path)
		if err != nil {
			return nil, err
		}
		switch done = i; {
		case done.Known:
			said = more
		case more != "":
			said += " · " + more
		}
		return resume(ctx, done.ID)
	})
	if open == nil {
		return nil
	}
	return func() tea.Msg {
		msg := open().(openedMsg)
		msg.said, msg.moved = said+" · /sessions leads back to the others", done.Moved
		return msg
	}
}
