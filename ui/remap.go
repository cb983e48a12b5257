package ui

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// KeyError is one thing that is wrong with the keys that somebody wishes.
type KeyError struct {
	Names []string // the bindings it is about
	why   string
}

func (e *KeyError) Error() string { return e.why }

func keyErrorf(names []string, format string, args ...any) error {
	return &KeyError{Names: names, why: fmt.Sprintf(format, args...)}
}

// Remap returns k with other keys for the bindings that changes names. Those keys
// take the place of the ones before; an empty list leaves a binding without any.
// With another leader, the chords that are not changed begin with it too.
//
// It fails if something is not the name of a binding or of a key, if a key would
// do two things in one place or hide typing, and if there were no way out of a
// place. The error joins all there is to say, each a [KeyError]; k is returned
// then.
func (k KeyMap) Remap(changes map[string][]string) (KeyMap, error) {
	next := k
	before := k.leader()
	after := before
	if keys, ok := changes["leader"]; ok {
		after = strings.Join(keys[:min(1, len(keys))], "")
	}
	for _, e := range next.table() {
		keys, ok := changes[e.name]
		if !ok {
			keys = follow(e.binding.Keys(), before, after)
		}
		*e.binding = bind(e.help, keys...)
	}
	next.saySlash()
	if err := errors.Join(append(unknownBindings(changes), next.check()...)...); err != nil {
		return k, err
	}
	return next, nil
}

// orDefault returns the default for a map that nobody filled in.
func (k KeyMap) orDefault() KeyMap {
	if reflect.ValueOf(k).IsZero() {
		return DefaultKeyMap()
	}
	return k
}

// follow returns keys whose chords begin with the leader after instead of before.
// Without a leader there are no chords.
func follow(keys []string, before, after string) []string {
	var out []string
	for _, k := range keys {
		second, chord := strings.CutPrefix(k, before+" ")
		switch {
		case !chord || before == "":
			out = append(out, k)
		case after != "":
			out = append(out, after+" "+second)
		}
	}
	return out
}

// saySlash makes the bindings without a key tell the command in words that does
// the same.
func (k *KeyMap) saySlash() {
	words := slashCommands()
	for _, e := range k.table() {
		if word := words[e.name]; word != "" && !e.binding.Enabled() {
			e.binding.SetHelp("/"+word, e.help)
		}
	}
}

// slashCommands returns the commands in words by the binding that does the same.
func slashCommands() map[string]string {
	var k KeyMap
	for _, e := range k.table() {
		e.binding.SetKeys(e.name)
	}
	words := map[string]string{}
	for _, c := range k.commands() {
		for _, b := range c.keys {
			words[b.Keys()[0]] = c.name
		}
	}
	return words
}

// unknownBindings refuses names that the table does not have.
func unknownBindings(changes map[string][]string) []error {
	var k KeyMap
	var known []string
	for _, e := range k.table() {
		known = append(known, e.name)
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if !slices.Contains(known, name) {
			wrong = append(wrong, keyErrorf([]string{name}, "nothing that has a key is called %q · the nearest name is %q, pleat keys lists them all", name, Nearest(name, known)))
		}
	}
	return wrong
}

// Nearest returns the one of names that takes the fewest edits to become s.
func Nearest(s string, names []string) string {
	return slices.MinFunc(names, func(a, b string) int { return edits(s, a) - edits(s, b) })
}

// edits is the Levenshtein distance of two names, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			swap := diagonal
			if a[i] != b[j] {
				swap++
			}
			diagonal, row[j+1] = row[j+1], min(swap, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// check returns all that is wrong with a map: the default has nothing wrong.
func (k KeyMap) check() []error {
	var wrong []error
	table := k.table()
	for i, e := range table {
		for i, name := range e.binding.Keys() {
			err := k.checkKey(e, name)
			if slices.Contains(e.binding.Keys()[:i], name) {
				err = fmt.Errorf("it has %s twice", name)
			}
			if err != nil {
				wrong = append(wrong, keyErrorf([]string{e.name}, "%s: %v", e.name, err))
			}
		}
		for _, other := range table[i+1:] {
			wrong = append(wrong, conflicts(e, other)...)
		}
	}
	if len(k.Leader.Keys()) > 1 {
		wrong = append(wrong, keyErrorf([]string{"leader"}, "leader: it is one key, not %s", keysOf(k.Leader)))
	}
	if !k.Send.Enabled() {
		wrong = append(wrong, keyErrorf([]string{"send"}, "send: without a key, nothing could be sent"))
	}
	return append(wrong, noWayOut(table)...)
}

// checkKey refuses a key that the binding of e cannot have.
func (k KeyMap) checkKey(e entry, name string) error {
	keys := strings.Split(name, " ")
	for _, one := range keys {
		if err := checkKeyName(one); err != nil {
			return err
		}
	}
	if len(keys) > 1 {
		return k.checkChord(e, name, keys)
	}
	for _, p := range places {
		switch {
		case e.in&p.in == 0:
		case p.types && prints(name):
			return fmt.Errorf("%s cannot be its key, for it is typed in the %s · choose a function key, one with ctrl or alt, or two keys that begin with the leader", name, p.name)
		case p.in == inComposer && name == "backspace":
			return fmt.Errorf("backspace cannot be its key, for it erases in the %s", p.name)
		}
	}
	return nil
}

func (k KeyMap) checkChord(e entry, name string, keys []string) error {
	switch {
	case e.name == "leader":
		return fmt.Errorf("it is one key, not %q", name)
	case k.leader() == "":
		return fmt.Errorf("%q is two keys, and there is no leader that the first could be", name)
	case keys[0] != k.leader():
		return fmt.Errorf("%q does not begin with the leader, which is %s", name, k.leader())
	case len(keys) > 2:
		return fmt.Errorf("%q is more than two keys", name)
	case pressed(keys[1], k.Stop):
		return fmt.Errorf("%q cannot be its keys: after the leader, %s goes back", name, keys[1])
	case e.in&chordPlaces() == 0:
		return fmt.Errorf("%q cannot be its keys: in %s, a key stands alone", name, e.in)
	}
	return nil
}

// conflicts returns the keys that two bindings would share in one place.
func conflicts(a, b entry) []error {
	in := a.in & b.in &^ leaves
	if in == 0 {
		return nil
	}
	var wrong []error
	for _, name := range a.binding.Keys() {
		if slices.Contains(b.binding.Keys(), name) {
			wrong = append(wrong, keyErrorf([]string{a.name, b.name}, "%s is the key of both %s and %s (%s) · give one of them another key, or none: %s = []", name, a.name, b.name, in, b.name))
		}
	}
	return wrong
}

// noWayOut returns the places that no key would leave. There always is a way out
// of the composer: /quit.
func noWayOut(table []entry) []error {
	var wrong []error
	for _, p := range places {
		var ways []string
		used, out := false, false
		for _, e := range table {
			if e.in&p.in == 0 || p.in == inComposer {
				continue
			}
			used = true
			if e.in&leaves != 0 {
				ways = append(ways, e.name)
				out = out || slices.ContainsFunc(e.binding.Keys(), func(name string) bool { return p.chords || !strings.Contains(name, " ") })
			}
		}
		if used && !out {
			wrong = append(wrong, keyErrorf(ways, "no key would leave the %s · %s needs one, such as esc or ctrl+c", p.name, strings.Join(ways, " or ")))
		}
	}
	return wrong
}

// Binding says what one entry of the key map is, for those who list it.
type Binding struct {
	Name    string   `json:"name"`    // in the configuration
	Places  []string `json:"places"`  // where it works
	Keys    []string `json:"keys"`    // as the configuration writes them
	Command string   `json:"command"` // in words; "" if there is none
	Does    string   `json:"does"`
}

// Bindings lists the whole map, in the order of the help.
func (k KeyMap) Bindings() []Binding {
	k = k.orDefault()
	words := slashCommands()
	var all []Binding
	for _, e := range k.table() {
		b := Binding{Name: e.name, Places: e.in.names(), Keys: append([]string{}, e.binding.Keys()...), Does: e.help}
		if word := words[e.name]; word != "" {
			b.Command = "/" + word
		}
		all = append(all, b)
	}
	return all
}
