// Package themes holds the palettes of the screen as data.
//
// A [Theme] says what colour a thing has, not how it is drawn. Two are built
// in, [Dark] and [Light], each readable on the backgrounds that terminals
// commonly have. [Load] reads a user's own from TOML, where a key left out has
// the colour of the built-in theme of the same brightness:
//
//	dark   = true
//	accent = "#c0a36e"
//
//	[bar]
//	chat = "#7e9cd8"
//
// Terminals with fewer colours get the nearest ones, and those without get
// none: that is the screen's business, not a theme's.
package themes

import "slices"

// Theme is a palette. Every colour is written "#rrggbb".
type Theme struct {
	Name string `toml:"name"` // what the user calls it
	Dark bool   `toml:"dark"` // whether it is made for a dark background

	Text   string `toml:"text"`   // what is read
	Dim    string `toml:"dim"`    // what may be overlooked: hints, token counts, times
	Border string `toml:"border"` // rules and frames; fainter than any text
	Accent string `toml:"accent"` // what has the focus, headings, links

	User      string `toml:"user"`      // the label of the user's messages
	Assistant string `toml:"assistant"` // the label of the model's messages
	System    string `toml:"system"`    // the label of the system prompt
	Tool      string `toml:"tool"`      // the label of tool calls and their results

	Pinned   string `toml:"pinned"`   // the mark of a pinned message
	Summary  string `toml:"summary"`  // a summary and its mark
	Masked   string `toml:"masked"`   // a masked tool result and its mark
	Excluded string `toml:"excluded"` // an excluded message and its mark

	Error   string `toml:"error"`   // what failed
	Warning string `toml:"warning"` // what needs attention
	Good    string `toml:"good"`    // what went well

	Selection      string `toml:"selection"`       // background of what is selected; text on it has the colour Text
	CodeBackground string `toml:"code_background"` // background of code inside a sentence

	Code Code `toml:"code"`
	Bar  Bar  `toml:"bar"`
}

// Code holds the colours of code in messages.
type Code struct {
	Inline   string `toml:"inline"`   // code inside a sentence, on CodeBackground
	Keyword  string `toml:"keyword"`  // words of the language
	String   string `toml:"string"`   // text in quotes
	Number   string `toml:"number"`   // numbers and other constants
	Comment  string `toml:"comment"`  // comments
	Function string `toml:"function"` // names of functions
	Type     string `toml:"type"`     // names of types and tags
}

// Bar holds the colours of the context bar: one per kind of content, in the
// order in which the bar shows them, and one per tick.
type Bar struct {
	System  string `toml:"system"`  // the system prompt and the tools' descriptions
	Pinned  string `toml:"pinned"`  // pinned messages
	Summary string `toml:"summary"` // summaries
	Tool    string `toml:"tool"`    // tool output
	Chat    string `toml:"chat"`    // all other messages
	Draft   string `toml:"draft"`   // what is being written
	Reserve string `toml:"reserve"` // kept free for the reply
	Free    string `toml:"free"`    // free

	Trigger string `toml:"trigger"` // tick where compaction becomes due
	Target  string `toml:"target"`  // tick down to which it compacts
}

// Dark returns the built-in theme for dark backgrounds.
func Dark() Theme {
	return Theme{
		Name: "dark", Dark: true,

		Text: "#d7dce5", Dim: "#9da7b8", Border: "#434b5c", Accent: "#8ab6f5",
		User: "#8ab6f5", Assistant: "#a8d1b4", System: "#bbaee2", Tool: "#8cc7c5",
		Pinned: "#e5c07b", Summary: "#dda6d3", Masked: "#9da7b8", Excluded: "#d6a0a0",
		Error: "#f4908a", Warning: "#efb876", Good: "#98cf9f",
		Selection: "#33405a", CodeBackground: "#303030",

		Code: Code{
			Inline: "#e0cfae", Keyword: "#bbaee2", String: "#a3cf9c", Number: "#e8bb8e",
			Comment: "#95a0b1", Function: "#8ab6f5", Type: "#8cc7c5",
		},
		Bar: Bar{
			System: "#6f7fd0", Pinned: "#edc15a", Summary: "#d987c6", Tool: "#2fa58f",
			Chat: "#9cc9f7", Draft: "#f4f1ea", Reserve: "#6c7485", Free: "#39404e",
			Trigger: "#efb876", Target: "#98cf9f",
		},
	}
}

// Light returns the built-in theme for light backgrounds.
func Light() Theme {
	return Theme{
		Name: "light", Dark: false,

		Text: "#262626", Dim: "#5a6370", Border: "#cdd3db", Accent: "#1f5fb8",
		User: "#1f5fb8", Assistant: "#1d6b43", System: "#6247a5", Tool: "#0f6a6a",
		Pinned: "#855300", Summary: "#97307c", Masked: "#5a6370", Excluded: "#9c4040",
		Error: "#b3261e", Warning: "#8c4a00", Good: "#1a6e37",
		Selection: "#d9e6fa", CodeBackground: "#eceff3",

		Code: Code{
			Inline: "#7a3b12", Keyword: "#6247a5", String: "#1d6b43", Number: "#8c4a00",
			Comment: "#5f6875", Function: "#1f5fb8", Type: "#0f6a6a",
		},
		Bar: Bar{
			System: "#35439c", Pinned: "#b87d00", Summary: "#bd4f9f", Tool: "#0d7365",
			Chat: "#4388dd", Draft: "#262626", Reserve: "#a3abb7", Free: "#dde1e7",
			Trigger: "#b85c00", Target: "#1a7f3c",
		},
	}
}

func builtin() []Theme { return []Theme{Dark(), Light()} }

// Names returns the names of the built-in themes.
func Names() []string {
	var names []string
	for _, t := range builtin() {
		names = append(names, t.Name)
	}
	return names
}

// ByName returns the built-in theme called name.
func ByName(name string) (Theme, bool) {
	all := builtin()
	i := slices.IndexFunc(all, func(t Theme) bool { return t.Name == name })
	if i < 0 {
		return Theme{}, false
	}
	return all[i], true
}
