package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// program tells others that this program runs: by a file that is locked for as
// long as it does, however it ends. Its process id would not do, since that is
// taken while nobody has waited for a dead program, and is given to another then.
type program struct {
	folder string // of the files of all programs
	mu     sync.Mutex
	file   *os.File // nil until somebody has to know
}

// name returns the name of this program, which no other has.
func (p *program) name() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		if err := os.MkdirAll(p.folder, 0o700); err != nil {
			return "", fmt.Errorf("cannot tell other programs that this one runs: %w", err)
		}
		f, err := os.CreateTemp(p.folder, strconv.Itoa(os.Getpid())+"-*")
		if err != nil {
			return "", fmt.Errorf("cannot tell other programs that this one runs: %w", err)
		}
		_ = lock(f, true) // where files cannot be locked, others take it for one that has ended
		p.file = f
	}
	return filepath.Base(p.file.Name()), nil
}

// runs reports whether the program with a name does, and its process id. The
// file of one that does not is removed.
func (p *program) runs(name string) (process int, ok bool) {
	path := filepath.Join(p.folder, filepath.Base(name))
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	if lock(f, false) == nil {
		_ = os.Remove(path)
		return 0, false
	}
	id, _, _ := strings.Cut(name, "-")
	process, _ = strconv.Atoi(id)
	return process, true
}

// end tells that this program has ended.
func (p *program) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != nil {
		_ = os.Remove(p.file.Name())
		_ = p.file.Close()
		p.file = nil
	}
}
