package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// KeyMap is every key of the chat. A binding such as "ctrl+x u" is two keys,
// one after the other.
type KeyMap struct {
	// anywhere
	Compact      key.Binding
	Strategy     key.Binding
	StrategyBack key.Binding
	Strategies   key.Binding
	Auto         key.Binding
	Undo         key.Binding
	Redo         key.Binding
	Revert       key.Binding
	PinLast      key.Binding
	New          key.Binding
	Sessions     key.Binding
	Models       key.Binding
	Themes       key.Binding
	RetryLast    key.Binding
	Copy         key.Binding
	Editor       key.Binding
	Palette      key.Binding
	Focus        key.Binding
	Help         key.Binding
	Redraw       key.Binding
	Suspend      key.Binding
	Quit         key.Binding
	Leader       key.Binding

	// composer
	Send    key.Binding
	NewLine key.Binding
	Stop    key.Binding
	Clear   key.Binding
	Restore key.Binding
	EOF     key.Binding
	Older   key.Binding
	Newer   key.Binding
	Recall  key.Binding

	// transcript
	Up         key.Binding
	Down       key.Binding
	PageUp     key.Binding
	PageDown   key.Binding
	Top        key.Binding
	Bottom     key.Binding
	PrevPrompt key.Binding
	NextPrompt key.Binding
	PrevFold   key.Binding
	NextFold   key.Binding
	Pin        key.Binding
	Mask       key.Binding
	Exclude    key.Binding
	Open       key.Binding
	Retry      key.Binding
	CopyRow    key.Binding
	UndoRow    key.Binding
	RedoRow    key.Binding
	HelpRow    key.Binding
	Leave      key.Binding

	// help, where Up, Down, PageUp, Top and Bottom work too
	NextPage  key.Binding
	CloseHelp key.Binding

	// preview of a compaction
	Apply   key.Binding
	Extract key.Binding
	Again   key.Binding

	// pickers, where PageUp and PageDown work too
	Choose   key.Binding
	Previous key.Binding
	Next     key.Binding
	First    key.Binding
	Last     key.Binding
	Erase    key.Binding
	EraseAll key.Binding

	// preview and pickers
	Back key.Binding
}

func bind(help string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(keys[0], help))
}

// as returns a binding with a help that says what it does in one place.
func as(b key.Binding, help string) key.Binding { return bind(help, b.Keys()...) }

// DefaultKeyMap returns the keys that the chat has unless somebody changes them.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Compact:      bind("compact", "f2", "ctrl+x c"),
		Strategy:     bind("strategy", "f3", "ctrl+x s"),
		StrategyBack: bind("strategy back", "shift+f3", "f15"),
		Strategies:   bind("pick strategy", "ctrl+x S"),
		Auto:         bind("automatic", "f5", "ctrl+x a"),
		Undo:         bind("undo", "ctrl+x u"),
		Redo:         bind("redo", "ctrl+x r"),
		Revert:       bind("revert compaction", "ctrl+x U"),
		PinLast:      bind("pin last", "ctrl+x p"),
		New:          bind("new session", "ctrl+x n"),
		Sessions:     bind("sessions", "ctrl+x l"),
		Models:       bind("model", "ctrl+x o"),
		Themes:       bind("theme", "ctrl+x t"),
		RetryLast:    bind("ask again", "ctrl+x R"),
		Copy:         bind("copy last", "ctrl+x y"),
		Editor:       bind("editor", "ctrl+x e"),
		Palette:      bind("commands", "ctrl+p"),
		Focus:        bind("transcript", "tab"),
		Help:         bind("help", "f1"),
		Redraw:       bind("redraw", "ctrl+l"),
		Suspend:      bind("suspend", "ctrl+z"),
		Quit:         bind("quit", "ctrl+x q"),
		Leader:       bind("more keys", "ctrl+x"),

		Send:    bind("send", "enter"),
		NewLine: bind("new line", "shift+enter", "alt+enter", "ctrl+j"),
		Stop:    bind("stop", "esc"),
		Clear:   bind("clear", "ctrl+c"),
		Restore: bind("bring draft back", "ctrl+x z"),
		EOF:     bind("quit", "ctrl+d"),
		Older:   bind("older prompt", "up"),
		Newer:   bind("newer prompt", "down"),
		Recall:  bind("search prompts", "ctrl+r"),

		Up:         bind("up", "k", "up"),
		Down:       bind("down", "j", "down"),
		PageUp:     bind("page up", "pgup"),
		PageDown:   bind("page down", "pgdown"),
		Top:        bind("top", "g", "home"),
		Bottom:     bind("bottom", "G", "end"),
		PrevPrompt: bind("previous prompt", "{"),
		NextPrompt: bind("next prompt", "}"),
		PrevFold:   bind("previous compaction", "["),
		NextFold:   bind("next compaction", "]"),
		Pin:        bind("pin", "p"),
		Mask:       bind("mask", "m"),
		Exclude:    bind("exclude", "x"),
		Open:       bind("open", "space", "o"),
		Retry:      bind("ask again", "r"),
		CopyRow:    bind("copy", "y"),
		UndoRow:    bind("undo", "u"),
		RedoRow:    bind("redo", "ctrl+r"),
		HelpRow:    bind("help", "?"),
		Leave:      bind("leave", "tab", "esc", "i"),

		NextPage:  bind("page down", "pgdown", "space"),
		CloseHelp: bind("leave", "esc", "q"),

		Apply:   bind("apply", "enter"),
		Extract: bind("quote instead", "x"),
		Again:   bind("again", "r"),

		Choose:   bind("choose", "enter"),
		Previous: bind("previous", "up", "ctrl+p", "ctrl+k"),
		Next:     bind("next", "down", "ctrl+n", "ctrl+j", "tab"),
		First:    bind("first", "home"),
		Last:     bind("last", "end"),
		Erase:    bind("erase", "backspace"),
		EraseAll: bind("erase all", "ctrl+u"),

		Back: bind("leave", "esc", "ctrl+c"),
	}
}

// chord returns the name of a key that was pressed after the leader.
func (k KeyMap) chord(name string) string { return k.Leader.Keys()[0] + " " + name }

// afterLeader returns those keys of a binding that follow the leader, without
// it. Where there are none, the binding is disabled.
func (k KeyMap) afterLeader(b key.Binding) key.Binding {
	for _, keys := range b.Keys() {
		if after, ok := strings.CutPrefix(keys, k.chord("")); ok {
			return bind(b.Help().Desc, after)
		}
	}
	return key.NewBinding(key.WithDisabled())
}

// keyOf returns the first key of a binding as it is printed on keyboards.
func keyOf(b key.Binding) string { return keyName(b.Help().Key) }

// keysOf returns all keys of a binding.
func keysOf(b key.Binding) string {
	names := make([]string, len(b.Keys()))
	for i, k := range b.Keys() {
		names[i] = keyName(k)
	}
	return strings.Join(names, ", ")
}

// keyName writes a key as it is printed on keyboards: F2, not f2.
func keyName(k string) string {
	mods, last := "", k
	if i := strings.LastIndexByte(k, '+'); i >= 0 {
		mods, last = k[:i+1], k[i+1:]
	}
	if len(last) > 1 && len(last) < 4 && last[0] == 'f' && last[1] >= '1' && last[1] <= '9' {
		return mods + strings.ToUpper(last)
	}
	return k
}

// pressed reports whether the keys just pressed are those of a binding.
func pressed(keys string, b ...key.Binding) bool {
	return slices.ContainsFunc(b, func(b key.Binding) bool {
		return b.Enabled() && slices.Contains(b.Keys(), keys)
	})
}
