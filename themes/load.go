package themes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"pleat/ordinary"
)

const (
	maxSize = 1 << 20 // bytes of a theme file
	maxName = 40      // characters of a theme's name
)

// Load reads a theme in TOML. What it does not say comes from [Dark], or from
// [Light] if it says dark = false; its name is name unless it says another. An
// unknown key is an error that names its line, a bad colour one that names its
// key and value.
func Load(name string, r io.Reader) (Theme, error) {
	data, err := ordinary.Read(r, maxSize)
	if err != nil {
		return Theme{}, fmt.Errorf("themes: load %s: %w", name, err)
	}
	t, err := load(name, data)
	if err != nil {
		return Theme{}, fmt.Errorf("themes: load %s: %w", name, err)
	}
	return t, nil
}

// LoadFile reads the theme in the ordinary file at path with [Load]. The theme is
// called like the file without its extension, unless it says otherwise.
func LoadFile(path string) (Theme, error) {
	data, err := ordinary.ReadFile(path, maxSize)
	if err != nil {
		return Theme{}, fmt.Errorf("themes: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	t, err := load(name, data)
	if err != nil {
		return Theme{}, fmt.Errorf("themes: load %s: %w", path, err)
	}
	return t, nil
}

// LoadDir reads every *.toml file in dir with [LoadFile], in the order of
// their names. Files that cannot be read are left out and told of in the
// error; the others are returned all the same. A dir that does not exist holds
// no themes.
func LoadDir(dir string) ([]Theme, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("themes: %w", err)
	}
	var themes []Theme
	var failed []error
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".toml" {
			continue
		}
		t, err := LoadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			failed = append(failed, err)
			continue
		}
		themes = append(themes, t)
	}
	return themes, errors.Join(failed...)
}

func load(name string, data []byte) (Theme, error) {
	t, err := base(data)
	if err != nil {
		return Theme{}, err
	}
	t.Name = name
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return Theme{}, explain(err)
	}
	return t, t.check()
}

// base returns the built-in theme that the one in data is a variation of.
func base(data []byte) (Theme, error) {
	kind := struct {
		Dark bool `toml:"dark"`
	}{Dark: true}
	if err := toml.Unmarshal(data, &kind); err != nil {
		return Theme{}, explain(err)
	}
	if kind.Dark {
		return Dark(), nil
	}
	return Light(), nil
}

// explain says where in the file the decoder stopped and why.
func explain(err error) error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		first := strict.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("line %d: unknown key %q: a theme has %s",
			line, strings.Join(first.Key(), "."), strings.Join(keys(), ", "))
	}
	if broken, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := broken.Position()
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

// check reports the first value of t that cannot be shown.
func (t Theme) check() error {
	switch n := len([]rune(t.Name)); {
	case n == 0:
		return errors.New(`name is empty: call it something, such as name = "mine"`)
	case n > maxName:
		return fmt.Errorf("name %.60q is longer than %d characters", t.Name, maxName)
	case strings.ContainsFunc(t.Name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("name %q has characters that cannot be shown", t.Name)
	}
	var bad error
	eachColour(&t, func(key string, value *string) {
		if bad == nil && !isColour(*value) {
			bad = fmt.Errorf(`%s = %.40q is not a colour: write it as "#rrggbb"`, key, *value)
		}
	})
	return bad
}

func isColour(s string) bool {
	hex, ok := strings.CutPrefix(s, "#")
	return ok && len(hex) == 6 && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
}

// keys returns every key of a theme file, those in tables with their table.
func keys() []string {
	all := []string{"name", "dark"}
	eachColour(&Theme{}, func(key string, _ *string) { all = append(all, key) })
	return all
}

// eachColour calls f with every colour of t, in the order of its fields, and
// the key that it has in a file.
func eachColour(t *Theme, f func(key string, value *string)) {
	var walk func(v reflect.Value, prefix string)
	walk = func(v reflect.Value, prefix string) {
		for i := range v.NumField() {
			key := prefix + v.Type().Field(i).Tag.Get("toml")
			switch field := v.Field(i); {
			case field.Kind() == reflect.Struct:
				walk(field, key+".")
			case field.Kind() == reflect.String && key != "name":
				f(key, field.Addr().Interface().(*string))
			}
		}
	}
	walk(reflect.ValueOf(t).Elem(), "")
}
