package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// noKey stands in sentences for the key of a binding that has none.
const noKey = "no key"

// bind returns a binding that shows its first key in help. Without keys it is
// disabled.
func bind(help string, keys ...string) key.Binding {
	if len(keys) == 0 {
		return key.NewBinding(key.WithHelp(noKey, help))
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(keys[0], help))
}

// as returns a binding with a help that says what it does in one place.
func as(b key.Binding, help string) key.Binding { return bind(help, b.Keys()...) }

// leader returns the key that chords begin with, "" if there is none.
func (k KeyMap) leader() string {
	if keys := k.Leader.Keys(); len(keys) > 0 {
		return keys[0]
	}
	return ""
}

// chord returns the name of a key that was pressed after the leader.
func (k KeyMap) chord(name string) string { return k.leader() + " " + name }

// afterLeader returns those keys of a binding that follow the leader, without
// it. Where there are none, the binding is disabled.
func (k KeyMap) afterLeader(b key.Binding) key.Binding {
	for _, keys := range b.Keys() {
		if after, ok := strings.CutPrefix(keys, k.chord("")); ok && k.leader() != "" {
			return bind(b.Help().Desc, after)
		}
	}
	return key.NewBinding(key.WithDisabled())
}

// keyOf returns the first key of a binding as it is printed on keyboards.
func keyOf(b key.Binding) string { return keyName(b.Help().Key) }

// keyOr returns the first key of a binding, and the command in words that does
// the same.
func keyOr(b key.Binding, words string) string {
	if !b.Enabled() {
		return words
	}
	return keyOf(b) + " or " + words
}

// keysOf returns all keys of a binding.
func keysOf(b key.Binding) string {
	names := make([]string, len(b.Keys()))
	for i, k := range b.Keys() {
		names[i] = keyName(k)
	}
	return strings.Join(names, ", ")
}

// pressed reports whether the keys just pressed are those of a binding.
func pressed(keys string, b ...key.Binding) bool {
	return slices.ContainsFunc(b, func(b key.Binding) bool {
		return b.Enabled() && slices.Contains(b.Keys(), keys)
	})
}
