//go:build unix

package ordinary

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadFileReadsWhatEnds(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(at("file"), []byte("12345"), 0o600),
		os.Symlink("file", at("link")),
		syscall.Mkfifo(at("pipe"), 0o600),
		os.Symlink("/dev/zero", at("device")),
	); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		most int
		want string // the contents, or what the error says
		ok   bool
	}{
		{"file", 5, "12345", true},
		{"link", 5, "12345", true},
		{"file", 4, "larger than 4 bytes", false},
		{"pipe", 5, "not an ordinary file", false},
		{"device", 5, "not an ordinary file", false},
		{".", 5, "is a folder", false},
	}
	for _, tt := range tests {
		got, err := ReadFile(at(tt.name), tt.most)
		if tt.ok && (err != nil || string(got) != tt.want) {
			t.Errorf("ReadFile(%s, %d) = %q, %v, want %q", tt.name, tt.most, got, err, tt.want)
		}
		if !tt.ok && (err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), at(tt.name))) {
			t.Errorf("ReadFile(%s, %d) gives %v, want %q and the path", tt.name, tt.most, err, tt.want)
		}
	}
	if _, err := ReadFile(at("nothing"), 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there gives %v, want fs.ErrNotExist", err)
	}
}
