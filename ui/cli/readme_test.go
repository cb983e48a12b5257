package cli

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestReadmeListsTheSettingsAndTheirDefaults reads the example of the README as
// a configuration: it names every setting there is, and changes none.
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
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the example says\n%+v\nwhere the defaults are\n%+v", got, want)
	}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[config]()) {
		if name := f.Tag.Get("toml"); name != "" && name != "-" && !strings.Contains("\n"+example, "\n"+name+" ") {
			t.Errorf("setting %d, %s, is not in the example", i, name)
		}
	}
}
