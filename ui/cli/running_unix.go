//go:build unix

package cli

import (
	"os"
	"syscall"
)

// lock locks a file for one alone, or for several that only look. It does not
// wait: it fails if another has the lock.
func lock(f *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	return syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
}
