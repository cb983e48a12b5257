//go:build !unix

package cli

import "os"

// lock finds every file free here, so that every other program counts as ended.
func lock(*os.File, bool) error { return nil }
