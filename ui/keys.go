package ui

import "charm.land/bubbles/v2/key"

// KeyMap is every key of the chat. A binding such as "ctrl+x u" is two keys, one
// after the other, of which the first is the leader. [DefaultKeyMap] has the keys
// of a chat that nobody changed, and [KeyMap.Remap] changes them. The zero value
// has none; as an option of the chat it stands for the default.
//
// To add a binding, add a field here and an entry to the table below: the name
// that the configuration has for it, the places where it works, what it does in
// one or two words, and its default keys. Help, the configuration, "pleat keys"
// and the check for conflicts read the table. What works anywhere works in the
// dialogs too, unless its place is written as anywhere &^ inLists, where a dialog
// has the same key for something else. A new place needs a constant and a name in
// place.go, and a binding that leaves it.
type KeyMap struct {
	Leader       key.Binding
	Compact      key.Binding
	Strategy     key.Binding
	StrategyBack key.Binding
	Strategies   key.Binding
	Context      key.Binding
	Auto         key.Binding
	Compare      key.Binding
	Undo         key.Binding
	Redo         key.Binding
	Revert       key.Binding
	PinLast      key.Binding
	Timeline     key.Binding
	New          key.Binding
	Sessions     key.Binding
	Models       key.Binding
	Themes       key.Binding
	RetryLast    key.Binding
	Copy         key.Binding
	Editor       key.Binding
	Palette      key.Binding
	Help         key.Binding
	Redraw       key.Binding
	Suspend      key.Binding
	Restore      key.Binding
	Quit         key.Binding

	Send    key.Binding
	NewLine key.Binding
	Stop    key.Binding
	Clear   key.Binding
	EOF     key.Binding
	Older   key.Binding
	Newer   key.Binding
	Recall  key.Binding
	Focus   key.Binding

	Complete     key.Binding
	PrevProposal key.Binding
	NextProposal key.Binding
	HideList     key.Binding

	Up           key.Binding
	Down         key.Binding
	PageUp       key.Binding
	PageDown     key.Binding
	Top          key.Binding
	Bottom       key.Binding
	PrevPrompt   key.Binding
	NextPrompt   key.Binding
	PrevFold     key.Binding
	NextFold     key.Binding
	Open         key.Binding
	Pin          key.Binding
	Mask         key.Binding
	Exclude      key.Binding
	Retry        key.Binding
	Select       key.Binding
	CompactRange key.Binding
	Edit         key.Binding
	Branch       key.Binding
	OtherWay     key.Binding
	OtherWayBack key.Binding
	RevertRow    key.Binding
	Sources      key.Binding
	CopyRow      key.Binding
	CommandRow   key.Binding
	Find         key.Binding
	FindNext     key.Binding
	FindPrevious key.Binding
	UndoRow      key.Binding
	RedoRow      key.Binding
	HelpRow      key.Binding
	Leave        key.Binding

	Apply       key.Binding
	Extract     key.Binding
	Again       key.Binding
	Aside       key.Binding
	EditSummary key.Binding
	FocusOn     key.Binding
	Earlier     key.Binding
	Later       key.Binding
	Diff        key.Binding
	PrevChange  key.Binding
	NextChange  key.Binding
	Values      key.Binding

	List       key.Binding
	ListAll    key.Binding
	Source     key.Binding
	SourceBack key.Binding

	KeepEdit key.Binding
	GiveUp   key.Binding

	Look   key.Binding
	Use    key.Binding
	Params key.Binding

	PrevParam key.Binding
	NextParam key.Binding
	Less      key.Binding
	More      key.Binding

	StepBack key.Binding
	StepOn   key.Binding
	GoHere   key.Binding

	Choose   key.Binding
	Previous key.Binding
	Next     key.Binding
	First    key.Binding
	Last     key.Binding
	Erase    key.Binding
	EraseAll key.Binding
	Back     key.Binding

	Section key.Binding
	Order   key.Binding

	RenameSession key.Binding
	ExportSession key.Binding
	DeleteSession key.Binding

	NextPage  key.Binding
	CloseHelp key.Binding
}

// entry is what the table says about one binding.
type entry struct {
	binding *key.Binding // the field of the key map
	name    string       // in the configuration
	in      place
	help    string
	keys    []string // unless somebody changes them
}

// table describes every binding of k, in the order in which help lists them.
func (k *KeyMap) table() []entry {
	keys := func(keys ...string) []string { return keys }
	return []entry{
		{&k.Leader, "leader", anywhere, "more keys", keys("ctrl+x")},
		{&k.Compact, "compact", anywhere, "compact", keys("f2", "ctrl+x c")},
		{&k.Strategy, "strategy-next", anywhere, "strategy", keys("f3", "ctrl+x s")},
		{&k.StrategyBack, "strategy-previous", anywhere, "strategy back", keys("shift+f3", "f15")},
		{&k.Strategies, "strategies", anywhere, "pick strategy", keys("ctrl+x S")},
		{&k.Context, "context", anywhere, "context", keys("f4", "ctrl+x k")},
		{&k.Auto, "auto", anywhere, "automatic", keys("f5", "ctrl+x a")},
		{&k.Compare, "compare", anywhere, "compare", keys("f6", "ctrl+x m")},
		{&k.Undo, "undo", anywhere, "undo", keys("ctrl+x u")},
		{&k.Redo, "redo", anywhere, "redo", keys("ctrl+x r")},
		{&k.Revert, "revert", anywhere, "revert compaction", keys("ctrl+x U")},
		{&k.PinLast, "pin-last", anywhere, "pin last", keys("ctrl+x p")},
		{&k.Timeline, "timeline", anywhere, "timeline", keys("ctrl+x h")},
		{&k.New, "new", anywhere, "new session", keys("ctrl+x n")},
		{&k.Sessions, "sessions", anywhere, "sessions", keys("ctrl+x l")},
		{&k.Models, "model", anywhere, "model", keys("ctrl+x o")},
		{&k.Themes, "theme", anywhere, "theme", keys("ctrl+x t")},
		{&k.RetryLast, "retry-last", anywhere, "ask again", keys("ctrl+x R")},
		{&k.Copy, "copy-last", anywhere, "copy last", keys("ctrl+x y")},
		{&k.Editor, "editor", anywhere, "editor", keys("ctrl+x e")},
		{&k.Palette, "commands", anywhere &^ inLists, "commands", keys("ctrl+p")},
		{&k.Help, "help", anywhere, "help", keys("f1")},
		{&k.Redraw, "redraw", anywhere, "redraw", keys("ctrl+l")},
		{&k.Suspend, "suspend", anywhere, "suspend", keys("ctrl+z")},
		{&k.Restore, "restore", anywhere, "bring draft back", keys("ctrl+x z")},
		{&k.Quit, "quit", anywhere, "quit", keys("ctrl+x q")},

		{&k.Send, "send", inComposer | inCompletion, "send", keys("enter")},
		{&k.NewLine, "new-line", inComposer, "new line", keys("shift+enter", "alt+enter", "ctrl+j")},
		{&k.Stop, "stop", inComposer, "stop", keys("esc")},
		{&k.Clear, "clear", inComposer, "clear", keys("ctrl+c")},
		{&k.EOF, "quit-empty", inComposer, "quit", keys("ctrl+d")},
		{&k.Older, "older", inComposer, "older prompt", keys("up")},
		{&k.Newer, "newer", inComposer, "newer prompt", keys("down")},
		{&k.Recall, "recall", inComposer, "search prompts", keys("ctrl+r")},
		{&k.Focus, "transcript", inComposer, "transcript", keys("tab")},

		{&k.Complete, "complete", inCompletion, "complete", keys("tab")},
		{&k.PrevProposal, "completion-previous", inCompletion, "previous", keys("up")},
		{&k.NextProposal, "completion-next", inCompletion, "next", keys("down")},
		{&k.HideList, "completion-hide", inCompletion | leaves, "hide", keys("esc")},

		{&k.Up, "up", inTranscript | inPreview | inValues | inCompare | inContext | inHelp, "up", keys("up", "k")},
		{&k.Down, "down", inTranscript | inPreview | inValues | inCompare | inContext | inHelp, "down", keys("down", "j")},
		{&k.PageUp, "page-up", anywhere, "page up", keys("pgup")},
		{&k.PageDown, "page-down", anywhere &^ inHelp, "page down", keys("pgdown")},
		{&k.Top, "top", inTranscript | inValues | inCompare | inContext | inTimeline | inHelp, "top", keys("g", "home")},
		{&k.Bottom, "bottom", inTranscript | inValues | inCompare | inContext | inTimeline | inHelp, "bottom", keys("G", "end")},
		{&k.PrevPrompt, "prompt-previous", inTranscript | inTimeline, "previous prompt", keys("{")},
		{&k.NextPrompt, "prompt-next", inTranscript | inTimeline, "next prompt", keys("}")},
		{&k.PrevFold, "compaction-previous", inTranscript | inTimeline, "previous compaction", keys("[")},
		{&k.NextFold, "compaction-next", inTranscript | inTimeline, "next compaction", keys("]")},
		{&k.Open, "open", inTranscript, "open", keys("space", "o", "enter")},
		{&k.Pin, "pin", inTranscript | inContext, "pin", keys("p")},
		{&k.Mask, "mask", inTranscript | inContext, "mask", keys("m")},
		{&k.Exclude, "exclude", inTranscript | inContext, "exclude", keys("x")},
		{&k.Select, "select", inTranscript, "select more", keys("v")},
		{&k.CompactRange, "compact-selection", inTranscript, "compact these", keys("c")},
		{&k.Edit, "edit", inTranscript, "edit and resend", keys("e")},
		{&k.Retry, "retry", inTranscript, "ask again", keys("r")},
		{&k.Branch, "branch", inTranscript, "go on from here", keys("b")},
		{&k.OtherWay, "way-next", inTranscript, "next way", keys(">", "right")},
		{&k.OtherWayBack, "way-previous", inTranscript, "previous way", keys("<", "left")},
		{&k.RevertRow, "revert-selected", inTranscript, "revert this compaction", keys("U")},
		{&k.Sources, "sources", inTranscript, "where a summary is from", keys("s")},
		{&k.CopyRow, "copy", inTranscript, "copy", keys("y")},
		{&k.CommandRow, "transcript-command", inTranscript, "command", keys(":")},
		{&k.Find, "find", inTranscript, "find", keys("/")},
		{&k.FindNext, "find-next", inTranscript, "next found", keys("n")},
		{&k.FindPrevious, "find-previous", inTranscript, "previous found", keys("N")},
		{&k.UndoRow, "transcript-undo", inTranscript | inContext, "undo", keys("u")},
		{&k.RedoRow, "transcript-redo", inTranscript | inContext, "redo", keys("ctrl+r")},
		{&k.HelpRow, "transcript-help", inTranscript | inPreview | inValues | inCompare | inContext | inTimeline, "help", keys("?")},
		{&k.Leave, "leave", inTranscript | leaves, "leave", keys("tab", "esc", "i", "ctrl+c")},

		{&k.Apply, "apply", inPreview, "apply", keys("enter")},
		{&k.Extract, "quote", inPreview, "quote instead", keys("x")},
		{&k.Again, "again", inPreview, "again", keys("r")},
		{&k.Aside, "aside", inPreview, "keep for later", keys("tab")},
		{&k.EditSummary, "edit-summary", inPreview | inValues, "edit", keys("e")},
		{&k.FocusOn, "focus", inPreview, "focus", keys("f")},
		{&k.Earlier, "version-earlier", inPreview, "earlier version", keys("<", "[")},
		{&k.Later, "version-later", inPreview, "later version", keys(">", "]")},
		{&k.Diff, "difference", inPreview, "difference", keys("d")},
		{&k.PrevChange, "change-previous", inPreview, "previous change", keys("{")},
		{&k.NextChange, "change-next", inPreview, "next change", keys("}")},
		{&k.Values, "values", inPreview | inValues, "values", keys("v")},

		{&k.List, "value-list", inValues, "list", keys("space", "enter")},
		{&k.ListAll, "value-list-all", inValues, "list all", keys("a")},
		{&k.Source, "value-source", inValues, "where it is said", keys("o", "right")},
		{&k.SourceBack, "value-source-back", inValues, "back", keys("left")},

		{&k.KeepEdit, "edit-keep", inEditor | leaves, "keep", keys("esc", "ctrl+s")},
		{&k.GiveUp, "edit-give-up", inEditor, "give up", keys("ctrl+c")},

		{&k.Look, "compare-preview", inCompare, "preview", keys("enter")},
		{&k.Use, "compare-use", inCompare, "use", keys("s")},
		{&k.Params, "parameters", inCompare, "parameters", keys("right", "tab", "l")},
		{&k.PrevParam, "parameter-previous", inParams, "previous", keys("up", "shift+tab")},
		{&k.NextParam, "parameter-next", inParams, "next", keys("down", "tab")},
		{&k.Less, "less", inParams, "less", keys("left")},
		{&k.More, "more", inParams, "more", keys("right")},

		{&k.StepBack, "step-earlier", inTimeline, "earlier", keys("left", "h")},
		{&k.StepOn, "step-later", inTimeline, "later", keys("right", "l")},
		{&k.GoHere, "step-go", inTimeline, "go on from here", keys("enter")},

		{&k.Choose, "choose", inLists | inContext | inParams, "choose", keys("enter")},
		{&k.Previous, "previous", inLists, "previous", keys("up", "ctrl+p", "ctrl+k")},
		{&k.Next, "next", inLists, "next", keys("down", "ctrl+n", "ctrl+j", "tab")},
		{&k.First, "first", inLists, "first", keys("home")},
		{&k.Last, "last", inLists, "last", keys("end")},
		{&k.Erase, "erase", inLists | inParams, "erase", keys("backspace")},
		{&k.EraseAll, "erase-all", inLists | inParams, "erase all", keys("ctrl+u")},
		{&k.Back, "back", inPreview | inValues | inCompare | inParams | inLists | inContext | inTimeline | leaves, "leave", keys("esc", "ctrl+c")},

		{&k.Section, "section", inContext, "kinds, messages", keys("tab")},
		{&k.Order, "order", inContext, "order", keys("s")},

		{&k.RenameSession, "session-rename", inLists, "rename session", keys("ctrl+r")},
		{&k.ExportSession, "session-export", inLists, "export session", keys("ctrl+e")},
		{&k.DeleteSession, "session-delete", inLists, "delete session", keys("ctrl+d")},

		{&k.NextPage, "help-page-down", inHelp, "page down", keys("pgdown", "space")},
		{&k.CloseHelp, "help-leave", inHelp | leaves, "leave", keys("esc", "q")},
	}
}

// DefaultKeyMap returns the keys that the chat has unless somebody changes them.
func DefaultKeyMap() KeyMap {
	var k KeyMap
	for _, e := range k.table() {
		*e.binding = bind(e.help, e.keys...)
	}
	return k
}
