package cli

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestReadmeListsTheSettingsAndTheirDefaults reads the example of the README as
// a configuration: it names every setting there is but the keys, and changes
// none.
func TestReadmeListsTheSettingsAndTheirDefaults(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```toml\n")
	example, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("the README has no example of a configuration")
	}
	want := defaultConfig()
	got := config{paths: want.paths}
	if err := got.decode([]byte(example)); err != nil {
		t.Fatalf("the example%v", err)
	}
	if got.given = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("the example says\n%+v\nwhere the defaults are\n%+v", got, want)
	}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[config]()) {
		if name := f.Tag.Get("toml"); name != "" && name != "-" && name != "keys" && !strings.Contains("\n"+example, "\n"+name+" ") {
			t.Errorf("setting %d, %s, is not in the example", i, name)
		}
	}
}

// TestReadmeExamplesOfKeysWork reads the other examples.
func TestReadmeExamplesOfKeysWork(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(string(readme), "```toml\n[keys]\n")[1:]
	if len(examples) < 2 {
		t.Fatalf("the README has %d examples of keys", len(examples))
	}
	for _, rest := range examples {
		example, _, _ := strings.Cut(rest, "```")
		c := defaultConfig()
		if err := c.decode([]byte("[keys]\n" + example)); err != nil {
			t.Errorf("the example\n%s%v", example, err)
		}
		if reflect.ValueOf(c.keyMap).IsZero() {
			t.Errorf("the example\n%schanges no key", example)
		}
	}
}
