package ui

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

func TestTheDefaultKeysHaveNothingWrong(t *testing.T) {
	if wrong := DefaultKeyMap().check(); len(wrong) > 0 {
		t.Error(errors.Join(wrong...))
	}
}

// TestTheTableHasEveryBindingOnce also holds that each has a name in kebab case,
// a place and a help.
func TestTheTableHasEveryBindingOnce(t *testing.T) {
	var k KeyMap
	names := map[string]bool{}
	fields := map[*key.Binding]bool{}
	for _, e := range k.table() {
		if names[e.name] || fields[e.binding] {
			t.Errorf("%s is there twice, or its field is", e.name)
		}
		names[e.name], fields[e.binding] = true, true
		if e.name == "" || strings.Trim(e.name, "abcdefghijklmnopqrstuvwxyz-") != "" || len(e.in.names()) == 0 || e.help == "" || len(e.keys) == 0 {
			t.Errorf("%+v is not complete", e)
		}
	}
	if got, want := len(fields), reflect.TypeFor[KeyMap]().NumField(); got != want {
		t.Errorf("the table has %d bindings, the key map %d", got, want)
	}
}

func TestEveryPlaceHasAWayOut(t *testing.T) {
	for _, p := range places[1:] { // the composer is left in words
		d := DefaultKeyMap()
		for _, e := range d.table() {
			if e.in&p.in != 0 && e.in&leaves != 0 {
				*e.binding = bind(e.help)
			}
		}
		if err := errors.Join(d.check()...); err == nil || !strings.Contains(err.Error(), "no key would leave the "+p.name) {
			t.Errorf("nothing leaves the %s, and the check says %v", p.name, err)
		}
	}
}

func TestRemapGivesOtherKeys(t *testing.T) {
	old := DefaultKeyMap()
	k, err := old.Remap(map[string][]string{"compact": {"f9", "ctrl+x C"}, "undo": {}, "pin": {"P"}, "recall": {"alt+shift+r"}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		binding key.Binding
		keys    []string
		help    string
	}{
		{"compact", k.Compact, []string{"f9", "ctrl+x C"}, "F9"},
		{"undo", k.Undo, nil, "/undo"},
		{"pin", k.Pin, []string{"P"}, "P"},
		{"recall", k.Recall, []string{"alt+shift+r"}, "alt+shift+r"},
		{"redo, which nobody changed", k.Redo, []string{"ctrl+x r"}, "ctrl+x r"},
	}
	for _, tt := range tests {
		if got := tt.binding.Keys(); !slices.Equal(got, tt.keys) || keyOf(tt.binding) != tt.help {
			t.Errorf("%s has the keys %q, in help %q, want %q and %q", tt.name, got, keyOf(tt.binding), tt.keys, tt.help)
		}
	}
	if k.Undo.Enabled() || pressed("ctrl+x u", k.Undo) {
		t.Error("a binding without keys is still pressed")
	}
	if !reflect.DeepEqual(old, DefaultKeyMap()) {
		t.Error("the map that was changed is not as it was")
	}
}

func TestChordsFollowTheLeader(t *testing.T) {
	k, err := DefaultKeyMap().Remap(map[string][]string{"leader": {"ctrl+o"}, "copy-last": {"ctrl+o Y"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range k.table() {
		for _, name := range e.binding.Keys() {
			if strings.HasPrefix(name, "ctrl+x") {
				t.Errorf("%s still has %s", e.name, name)
			}
		}
	}
	if !pressed(k.chord("u"), k.Undo) || keyOf(k.Undo) != "ctrl+o u" || !pressed("ctrl+o Y", k.Copy) {
		t.Errorf("undo has the keys %s, the copy %s", keysOf(k.Undo), keysOf(k.Copy))
	}

	k, err = DefaultKeyMap().Remap(map[string][]string{"leader": {}})
	if err != nil {
		t.Fatal(err)
	}
	if k.Undo.Enabled() || keysOf(k.Compact) != "F2" || k.afterLeader(k.Compact).Enabled() {
		t.Errorf("without a leader, undo has the keys %q and compact %q", keysOf(k.Undo), keysOf(k.Compact))
	}
}

func TestRemapSaysAllThatIsWrong(t *testing.T) {
	type changes = map[string][]string
	tests := []struct {
		name    string
		changes changes
		names   []string // that the error is about
		want    []string
	}{
		{"unknown name", changes{"compct": {"f9"}}, []string{"compct"}, []string{`called "compct"`, `the nearest name is "compact"`}},
		{"unknown name of several words", changes{"next-strategy": {"f9"}}, []string{"next-strategy"}, []string{"the nearest name is"}},
		{"no key", changes{"compact": {"foo"}}, []string{"compact"}, []string{`compact: "foo" is no key`, "f1 to f35", "pgdown"}},
		{"another spelling", changes{"compact": {"Alt+Ctrl+PageUp"}}, []string{"compact"}, []string{`it is written "ctrl+alt+pgup"`}},
		{"a capital after ctrl", changes{"compact": {"ctrl+K"}}, []string{"compact"}, []string{`it is written "ctrl+shift+k"`}},
		{"what a terminal sends for it", changes{"compact": {"ctrl+i"}}, []string{"compact"}, []string{`it is written "tab"`}},
		{"empty", changes{"compact": {""}}, []string{"compact"}, []string{`"" is no key`}},
		{"two blanks", changes{"compact": {"ctrl+x  c"}}, []string{"compact"}, []string{`"" is no key`}},
		{"taken in the same place", changes{"compact": {"f3"}}, []string{"compact", "strategy-next"}, []string{"f3 is the key of both compact and strategy-next (anywhere)"}},
		{"taken where it works too", changes{"pin": {"ctrl+x u"}}, []string{"undo", "pin"}, []string{"ctrl+x u is the key of both undo and pin (transcript, context)"}},
		{"taken from the leader", changes{"compact": {"ctrl+x"}}, []string{"leader", "compact"}, []string{"ctrl+x is the key of both leader and compact"}},
		{"several", changes{"compact": {"f3"}, "mask": {"p"}}, []string{"pin", "mask"}, []string{"compact and strategy-next", "p is the key of both pin and mask (transcript, context)"}},
		{"twice", changes{"compact": {"f9", "f9"}}, []string{"compact"}, []string{"has f9 twice"}},
		{"a letter where one writes", changes{"compact": {"c"}}, []string{"compact"}, []string{"c cannot be its key, for it is typed in the composer"}},
		{"a blank where one writes", changes{"leader": {"space"}}, []string{"leader"}, []string{"space cannot be its key"}},
		{"a letter where one searches", changes{"next": {"n"}}, []string{"next"}, []string{"it is typed in the lists"}},
		{"what erases", changes{"stop": {"backspace"}}, []string{"stop"}, []string{"it erases in the composer"}},
		{"taken from anywhere", changes{"again": {"f2"}}, []string{"compact", "again"}, []string{"f2 is the key of both compact and again (preview)"}},
		{"another first key", changes{"compact": {"ctrl+o c"}}, []string{"compact"}, []string{`"ctrl+o c" does not begin with the leader, which is ctrl+x`}},
		{"the leader of before", changes{"leader": {"ctrl+o"}, "undo": {"ctrl+x u"}}, []string{"undo"}, []string{"the leader, which is ctrl+o"}},
		{"no leader", changes{"leader": {}, "undo": {"ctrl+x u"}}, []string{"undo"}, []string{"there is no leader"}},
		{"three keys", changes{"undo": {"ctrl+x u u"}}, []string{"undo"}, []string{"more than two keys"}},
		{"a leader of two keys", changes{"leader": {"ctrl+x x"}}, []string{"leader"}, []string{"leader: it is one key"}},
		{"two leaders", changes{"leader": {"ctrl+x", "ctrl+o"}}, []string{"leader"}, []string{"leader: it is one key"}},
		{"what goes back from the leader", changes{"undo": {"ctrl+x esc"}}, []string{"undo"}, []string{"after the leader, esc goes back"}},
		{"a chord in a list", changes{"first": {"ctrl+x h"}}, []string{"first"}, []string{"in lists, a key stands alone"}},
		{"no way out", changes{"back": {}}, []string{"back"}, []string{"no key would leave the preview", "no key would leave the lists · back needs one"}},
		{"no way out of a list but a chord", changes{"back": {"ctrl+x b"}}, []string{"back"}, []string{"no key would leave the lists"}},
		{"no way to send", changes{"send": {}}, []string{"send"}, []string{"nothing could be sent"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k, err := DefaultKeyMap().Remap(tt.changes)
			if err == nil {
				t.Fatal("nothing is wrong")
			}
			if !reflect.DeepEqual(k, DefaultKeyMap()) {
				t.Error("something has changed")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is\n%v\nwant %q", err, want)
				}
			}
			about := false
			for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
				wrong, ok := errors.AsType[*KeyError](one)
				about = about || ok && slices.Equal(wrong.Names, tt.names)
			}
			if !about {
				t.Errorf("no error is about %q:\n%v", tt.names, err)
			}
		})
	}
}

func TestKeysAreNamedAsTheyArePressed(t *testing.T) {
	for _, name := range []string{
		"f2", "f35", "shift+f3", "enter", "alt+enter", "space", "?", "S", "+", "ctrl++", "ctrl+_", "é", "ctrl+shift+k", "alt+?",
		"ctrl+alt+shift+meta+hyper+super+up",
	} {
		if err := checkKeyName(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"F2": "f2", "Escape": "esc", "shift+s": "S", "shift+S": "S", "alt+S": "alt+shift+s", "shift+ctrl+a": "ctrl+shift+a",
		"ctrl+return": "ctrl+enter", " ": "space", "f36": "", "f0": "", "f02": "", "shift+1": "", "ctrl+ctrl+a": "", "ctrl+": "", "\x1b": "",
		"kp1": "", "ctrl": "", "cmd+k": "", "\xff": "",
	} {
		got, ok := keySpelling(name)
		if want == "" && ok || want != "" && got != want {
			t.Errorf("%q is written %q, %v, want %q", name, got, ok, want)
		}
	}
}

// FuzzKeyNames holds that a right spelling stays as it is.
func FuzzKeyNames(f *testing.F) {
	for _, s := range []string{"f2", "Shift+Alt+x", "ctrl++", "alt+ß", "shift+ß", "ctrl+İ", "ctrl+[", "+"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		right, ok := keySpelling(name)
		if !ok {
			return
		}
		if again, ok := keySpelling(right); !ok || again != right {
			t.Errorf("%q is written %q, and that is written %q, %v", name, right, again, ok)
		}
		if strings.ContainsAny(right, " \n") {
			t.Errorf("%q is written %q, which is not one key", name, right)
		}
	})
}

func TestKeysArePrintedAsOnKeyboards(t *testing.T) {
	for name, want := range map[string]string{
		"f2": "F2", "shift+f12": "shift+F12", "ctrl+x f2": "ctrl+x F2", "ctrl+x u": "ctrl+x u", "f": "f", "ctrl+f": "ctrl+f", "+": "+", "up": "↑", "ctrl+left": "ctrl+←", "ctrl+x down": "ctrl+x ↓", "ctrl++": "ctrl++",
	} {
		if got := keyName(name); got != want {
			t.Errorf("keyName(%q) = %q, want %q", name, got, want)
		}
	}
}

// remapped returns a chat with other keys.
func remapped(t *testing.T, changes map[string][]string) Options {
	t.Helper()
	k, err := DefaultKeyMap().Remap(changes)
	if err != nil {
		t.Fatal(err)
	}
	o := options(says("ok"), story())
	o.Keys = k
	return o
}

func TestRemappedKeysWorkAndAreShown(t *testing.T) {
	o := remapped(t, map[string][]string{
		"leader": {"ctrl+o"}, "compact": {"f5"}, "auto": {"f2"}, "undo": {"ctrl+o w"}, "help": {"ctrl+g"}, "pin": {"P"}, "restore": {},
		"send": {"alt+enter"}, "new-line": {"enter"}, "open": {"o"}, "help-leave": {"x"}, "back": {"ctrl+c", "ctrl+k"}, "previous": {"up"},
	})
	drive(t, o, 120, 60, func(d *driver) {
		d.settle()
		d.sees("F5 compact", "ctrl+g help", "F2 automatic")
		d.press("ctrl+x", "u")
		d.draft("u")
		d.press("ctrl+c")
		d.sees("draft cleared · no key brings it back")

		d.write("one")
		d.press("enter")
		d.write("two")
		d.press("alt+enter")
		d.settle()
		if got := d.live(); !strings.Contains(got, "one\ntwo") {
			t.Errorf("the model gets %q", got)
		}
		d.press("f2")
		d.sees("compacts by itself")
		d.press("ctrl+o")
		d.sees("w undo", "l sessions")
		d.press("w")
		d.sees("ctrl+o r takes that back")

		d.press("ctrl+g")
		d.sees("/undo", "x leave")
		help := oneLine(d.m.manual(inComposer))
		for _, want := range []string{"ctrl+o w /undo", "ctrl+o r /redo", "F5 /compact", "ctrl+o more keys", "P pin", "alt+enter send", "enter new line", "ctrl+c, ctrl+k leave"} {
			if !strings.Contains(help, want) {
				t.Errorf("help lacks %q:\n%s", want, help)
			}
		}
		for _, gone := range []string{"ctrl+x", "F1 ", "space, o", "bring draft back"} {
			if strings.Contains(help, gone) {
				t.Errorf("help still has %q:\n%s", gone, help)
			}
		}
		d.press("x")
		d.draft("")

		d.press("tab")
		d.sees("P pin")
		d.press("P")
		d.sees("pinned")
		d.m.transcript.jump(2) // an answer with reasoning, which can be opened
		d.press("ctrl+l")
		d.sees("o open")
	})
}

// oneLine returns lines with one blank between their words.
func oneLine(lines []string) string {
	return strings.Join(strings.Fields(ansi.Strip(strings.Join(lines, "\n"))), " ")
}

func TestTheEmptyScreenNamesRemappedKeys(t *testing.T) {
	o := remapped(t, map[string][]string{"compact": {"f9"}, "undo": {}, "help": {"ctrl+g"}, "commands": {}, "send": {"ctrl+s"}})
	o.Open = options(says("ok"), nil).Open
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.sees("press ctrl+s.", "F9 compacts", "/undo undoes it", "ctrl+g lists all keys, /commands all commands")
	})
}

func TestHelpListsEveryKeyOfTheTable(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.settle()
		text := oneLine(d.m.manual(inComposer))
		for _, e := range d.m.keys.table() {
			if !strings.Contains(text, keysOf(*e.binding)) {
				t.Errorf("help lacks %s, %s", e.name, keysOf(*e.binding))
			}
		}
	})
}

func TestHelpSaysWhereKeysAreChanged(t *testing.T) {
	const change = "[keys] in config.toml changes them"
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.settle()
		d.press("f1")
		d.sees("pleat keys", change)
		for _, p := range places {
			if text := oneLine(d.m.manual(p.in)); strings.Count(text, change) != 1 {
				t.Errorf("help of the %s does not say it once", p.name)
			}
		}
	})
}

func TestHelpBeginsWithWhereTheUserIs(t *testing.T) {
	ways := []struct {
		title string
		keys  []string
		also  string
	}{
		{"composer", nil, "older prompt"},
		{"transcript", []string{"tab"}, "edit and resend"},
		{"preview", []string{"f2"}, "quote instead"},
		{"context", []string{"f4"}, "kinds, messages"},
		{"comparison", []string{"f6"}, "parameters"},
		{"timeline", []string{"ctrl+x", "h"}, "go on from here"},
		{"values", []string{"f2", "v"}, "where it is said"},
		{"summary editor", []string{"f2", "e"}, "give up"},
		{"parameters", []string{"f6", "right"}, "more"},
		{"lists", []string{"ctrl+p"}, "export session"},
	}
	for _, tt := range ways {
		for _, size := range sizesShown {
			drive(t, withStrategy(options(says(summaryText), long()), "summarize"), size.width, size.height, func(d *driver) {
				d.settle()
				for _, k := range tt.keys {
					d.press(k)
					d.settle()
				}
				before := d.screen()
				d.press("f1")
				h, ok := d.m.dialog().(*help)
				if !ok {
					t.Fatalf("%s: there is no help:\n%s", tt.title, d.screen())
				}
				if first := oneLine(h.lines[:1]); first != tt.title {
					t.Errorf("%s: help begins with %q", tt.title, first)
				}
				if size.height > 20 {
					d.sees(tt.also)
				}
				for _, line := range h.lines {
					if w := ansi.StringWidth(line); w > size.width {
						t.Errorf("%s at %d: a line is %d wide: %s", tt.title, size.width, w, line)
					}
				}
				d.press("f1")
				d.settle()
				if got := d.screen(); got != before {
					t.Errorf("%s: after help the screen is\n%s\nwant\n%s", tt.title, got, before)
				}
			})
		}
	}
}

func TestAQuestionMarkShowsHelpWhereNothingIsTyped(t *testing.T) {
	for _, keys := range [][]string{{}, {"tab"}, {"f2"}, {"f4"}, {"f6"}, {"ctrl+x", "h"}, {"f2", "v"}} {
		drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 110, 34, func(d *driver) {
			d.settle()
			for _, k := range append(keys, "?") {
				d.press(k)
				d.settle()
			}
			if _, ok := d.m.dialog().(*help); !ok {
				t.Errorf("after %q there is no help:\n%s", keys, d.screen())
			}
			d.press("?")
			d.settle()
			if _, ok := d.m.dialog().(*help); ok {
				t.Errorf("after %q help stays", keys)
			}
			d.draft("")
		})
	}
	for _, keys := range [][]string{{"ctrl+p"}, {"f2", "e"}, {"f2", "f"}, {"f6", "right"}} {
		drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 110, 34, func(d *driver) {
			d.settle()
			for _, k := range append(keys, "?") {
				d.press(k)
				d.settle()
			}
			if _, ok := d.m.dialog().(*help); ok {
				t.Errorf("after %q a question mark is not typed", keys)
			}
		})
	}
}

func TestHelpIsNotCutInTheMiddleOfAWord(t *testing.T) {
	all := func(d *driver) map[string]bool {
		words := map[string]bool{}
		for _, w := range strings.Fields(oneLine(d.m.manual(inComposer))) {
			words[w] = true
		}
		return words
	}
	whole := map[string]bool{}
	drive(t, options(says("ok"), nil), 200, 34, func(d *driver) { whole = all(d) })
	for _, width := range []int{40, 60, 76, 99, 110} {
		drive(t, options(says("ok"), nil), width, 34, func(d *driver) {
			for w := range all(d) {
				if !whole[w] && !whole[w+","] {
					t.Errorf("at %d help has %q, which is no word of it", width, w)
				}
			}
		})
	}
}

func TestAQuestionMarkIsTypedWhereItIsNoKeyForHelp(t *testing.T) {
	drive(t, remapped(t, map[string][]string{"transcript-help": {"H"}}), 80, 24, func(d *driver) {
		d.write("?")
		d.settle()
		d.draft("?")
	})
}
