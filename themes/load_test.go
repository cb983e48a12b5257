package themes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoadVariesABuiltinTheme(t *testing.T) {
	warm := Light()
	warm.Name, warm.Accent, warm.Bar.Chat = "warm", "#A04000", "#803000"
	named := Dark()
	named.Name = "Mine"
	mine := Dark()
	mine.Name = "mine"
	tests := []struct {
		name, file, in string
		want           Theme
	}{
		{"light", "warm", "dark = false\naccent = \"#A04000\"\n[bar]\nchat = \"#803000\"\n", warm},
		{"dark unless said otherwise", "mine", "", mine},
		{"names itself", "mine", "name = 'Mine'", named},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Load(tt.file, strings.NewReader(tt.in))
			if err != nil || got != tt.want {
				t.Errorf("Load(%q) = %+v, %v, want %+v", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"unknown key", "dark = true\n\ncolour = \"#ffffff\"\n", []string{"line 3", `"colour"`, "accent"}},
		{"unknown key in a table", "[bar]\nchats = \"#ffffff\"\n", []string{"line 2", `"bar.chats"`}},
		{"unknown table", "[palette]\nx = 1\n", []string{"line 1", "palette"}},
		{"colour by name", "accent = \"red\"\n", []string{"accent", `"red"`, "#rrggbb"}},
		{"short colour", "accent = \"#fff\"\n", []string{"accent", `"#fff"`}},
		{"colour with an escape", "accent = \"#\\u001b[31m0\"\n", []string{"accent", `\x1b`}},
		{"colour in a table", "[bar]\nfree = \"#12345g\"\n", []string{"bar.free", `"#12345g"`}},
		{"empty colour", "text = \"\"\n", []string{"text", `""`}},
		{"wrong type", "dark = true\naccent = 7\n", []string{"line 2"}},
		{"no TOML", "dark = true\naccent = \n", []string{"line 2"}},
		{"empty name", "name = \"\"", []string{"name"}},
		{"name with an escape", "name = \"a\\u001b]0;x\"", []string{"name"}},
		{"long name", "name = \"" + strings.Repeat("x", 50) + "\"", []string{"name", "40"}},
		{"too large", strings.Repeat("# padding\n", maxSize/10+1), []string{"larger"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load("mine", strings.NewReader(tt.in))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range append(tt.want, "mine") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if strings.ContainsRune(err.Error(), 0x1b) {
				t.Errorf("error %q holds an escape", err)
			}
		})
	}
}

func TestLoadDirKeepsTheGoodThemes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.toml":    "accent = \"#aabbcc\"",
		"a.toml":    "dark = false",
		"bad.toml":  "accent = \"blue\"",
		"notes.txt": "not a theme",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := LoadDir(dir)
	if len(got) != 2 || got[0].Name != "a" || got[1].Name != "b" || got[1].Accent != "#aabbcc" {
		t.Errorf("LoadDir = %+v, want a and b", got)
	}
	if err == nil || !strings.Contains(err.Error(), "bad.toml") {
		t.Errorf("error %v does not name bad.toml", err)
	}
	if got, err := LoadDir(filepath.Join(dir, "missing")); got != nil || err != nil {
		t.Errorf("LoadDir of a missing folder = %v, %v, want nothing", got, err)
	}
	if _, err := LoadFile(filepath.Join(dir, "missing.toml")); err == nil {
		t.Error("LoadFile of a missing file gives no error")
	}
	if _, err := LoadFile(os.DevNull); err == nil || !strings.Contains(err.Error(), "not an ordinary file") {
		t.Errorf("LoadFile of a device gives %v, want that it is no ordinary file", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("dark = false\naccent = \"#A04000\"\n[bar]\nchat = \"#803000\"\n")
	f.Add("name = \"\\u001b\"")
	f.Fuzz(func(t *testing.T, s string) {
		theme, err := Load("fuzz", strings.NewReader(s))
		if err == nil && theme.check() != nil {
			t.Errorf("Load(%q) returned a theme that cannot be shown: %v", s, theme.check())
		}
	})
}
