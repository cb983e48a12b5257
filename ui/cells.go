package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cell pads s to a width in cells.
func cell(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

// column cuts or pads s to a width in cells, and leaves one blank at its end.
func column(s string, width int) string {
	return cell(ansi.Truncate(s, width-1, "…"), width)
}

// noteCell aligns s to the right of a cell; there is none if width is 0.
func noteCell(s string, width int) string {
	if width == 0 {
		return ""
	}
	s = ansi.TruncateLeft(s, max(0, ansi.StringWidth(s)-width), "")
	return strings.Repeat(" ", width-ansi.StringWidth(s)) + s
}
