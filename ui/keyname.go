package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// The names of keys are those that Bubble Tea prints: modifiers in this order,
// then a key that has a name or the character that it prints.
var (
	modifiers = []modifier{
		{"ctrl", tea.ModCtrl}, {"alt", tea.ModAlt}, {"shift", tea.ModShift},
		{"meta", tea.ModMeta}, {"hyper", tea.ModHyper}, {"super", tea.ModSuper},
	}

	named = []namedKey{
		{"enter", tea.KeyEnter}, {"tab", tea.KeyTab}, {"backspace", tea.KeyBackspace}, {"esc", tea.KeyEscape}, {"space", tea.KeySpace},
		{"up", tea.KeyUp}, {"down", tea.KeyDown}, {"left", tea.KeyLeft}, {"right", tea.KeyRight},
		{"home", tea.KeyHome}, {"end", tea.KeyEnd}, {"pgup", tea.KeyPgUp}, {"pgdown", tea.KeyPgDown},
		{"insert", tea.KeyInsert}, {"delete", tea.KeyDelete},
	}

	// otherNames are what people call these keys, and what terminals send them for.
	otherNames = map[string]string{
		"return": "enter", "escape": "esc", "del": "delete", "ins": "insert", "spacebar": "space",
		"pageup": "pgup", "pagedown": "pgdown", "pgdn": "pgdown",
		"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc",
	}
)

type modifier struct {
	name string
	bit  tea.KeyMod
}

type namedKey struct {
	name string
	code rune
}

// modifierOf returns the bit of a modifier, 0 for what is none.
func modifierOf(name string) tea.KeyMod {
	for _, m := range modifiers {
		if m.name == name {
			return m.bit
		}
	}
	return 0
}

// codeOf returns the code of a key that has a name, 0 for any other.
func codeOf(name string) rune {
	for _, k := range named {
		if k.name == name {
			return k.code
		}
	}
	return 0
}

const lastF = 35 // the highest function key that terminals report

// acceptedKeys says what may stand for a key in the configuration.
var acceptedKeys = fmt.Sprintf("a key is a character, %s, or f1 to f%d, after any of ctrl+, alt+, shift+, meta+, hyper+ and super+; two keys, of which the first is the leader, have a blank between them",
	strings.Join(keysWithNames(), ", "), lastF)

func keysWithNames() (names []string) {
	for _, k := range named {
		names = append(names, k.name)
	}
	return names
}

// checkKeyName refuses what is not the name of a single key.
func checkKeyName(name string) error {
	switch right, ok := keySpelling(name); {
	case !ok:
		return fmt.Errorf("%q is no key · %s", name, acceptedKeys)
	case right != name:
		return fmt.Errorf("%q is no key · it is written %q", name, right)
	}
	return nil
}

// keySpelling returns the name that a key has when it is pressed, whatever way
// it is written. It reports false for what is no key.
func keySpelling(name string) (string, bool) {
	mods, base, ok := splitKey(name)
	if !ok {
		return "", false
	}
	if r, size := utf8.DecodeRuneInString(base); size == len(base) {
		return withModifiers(characterKey(mods, r))
	}
	base = strings.ToLower(base)
	if other, ok := otherNames[base]; ok {
		base = other
	}
	return withModifiers(mods, base, codeOf(base) != 0 || isFunctionKey(base))
}

// splitKey takes the modifiers off a key.
func splitKey(name string) (mods []string, base string, ok bool) {
	for {
		mod, rest, found := strings.Cut(name, "+")
		if mod = strings.ToLower(mod); !found || rest == "" || modifierOf(mod) == 0 {
			return mods, name, name != ""
		}
		if slices.Contains(mods, mod) {
			return nil, "", false
		}
		mods, name = append(mods, mod), rest
	}
}

// characterKey says how the key of a character is named. Where nothing but shift
// is held, that is by what it prints.
func characterKey(mods []string, r rune) ([]string, string, bool) {
	switch {
	case r == ' ':
		return mods, "space", true
	case !unicode.IsPrint(r) || r == utf8.RuneError:
		return nil, "", false
	case len(mods) == 0:
		return nil, string(r), true
	case len(mods) == 1 && mods[0] == "shift":
		return nil, string(unicode.ToUpper(r)), unicode.IsLetter(r)
	case unicode.IsUpper(r) && !slices.Contains(mods, "shift"):
		mods = append(mods, "shift")
	}
	return mods, string(unicode.ToLower(r)), true
}

func withModifiers(mods []string, base string, ok bool) (string, bool) {
	name := base
	for _, mod := range slices.Backward(modifiers) {
		if slices.Contains(mods, mod.name) {
			name = mod.name + "+" + name
		}
	}
	if other, same := otherNames[name]; same {
		name = other
	}
	return name, ok
}

func isFunctionKey(name string) bool { return functionKey(name) > 0 }

// functionKey returns the number of a function key, 0 for any other key.
func functionKey(name string) int {
	for n := 1; n <= lastF; n++ {
		if name == fmt.Sprintf("f%d", n) {
			return n
		}
	}
	return 0
}

// prints reports whether a key writes something where text is typed.
func prints(name string) bool {
	return utf8.RuneCountInString(name) == 1 || name == "space" || name == "shift+space"
}

// arrows are the signs on the keys that have no word on them.
var arrows = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}

// keyName writes keys as they are printed on keyboards: F2, not f2, and ↑, not up.
func keyName(name string) string {
	keys := strings.Split(name, " ")
	for i, k := range keys {
		last := k[strings.LastIndexByte(k, '+')+1:]
		if sign, ok := arrows[last]; ok {
			keys[i] = strings.TrimSuffix(k, last) + sign
		}
		if isFunctionKey(last) {
			keys[i] = strings.TrimSuffix(k, last) + strings.ToUpper(last)
		}
	}
	return strings.Join(keys, " ")
}
