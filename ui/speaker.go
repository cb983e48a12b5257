package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/ui/sanitize"
)

// anyReply is what a reply is called whose model has no name, or none that there
// is room for.
const anyReply = "reply"

// speakerName returns a model's name without its publisher and tag.
func speakerName(model string) string {
	name := sanitize.Line(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	if name == "" {
		return anyReply
	}
	return name
}

// shortLabels are those of the labels that the narrowest screens have no room
// for. What is none of them is the name of a model.
var shortLabels = map[string]string{
	"system": "sys", "folded": "fold", "queued": "next",
}

// shortName returns a label for a room in cells: of the name of a model the
// parts that fit, such as gpt-4o of gpt-4o-mini, and if none does the word for
// any model's reply.
func shortName(name string, room int) string {
	if ansi.StringWidth(name) <= room {
		return name
	}
	short, known := shortLabels[name]
	if !known {
		short = anyReply
		if at := strings.LastIndexAny(ansi.Truncate(name, room+1, ""), "-._ "); at > 2 {
			short = strings.TrimRight(name[:at], "-._ ")
		}
	}
	return ansi.Truncate(short, room, "")
}
