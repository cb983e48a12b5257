package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// checkOut refuses a file for the result that cannot be written, before any work
// is done for it.
func checkOut(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("cannot write the result: %s is a folder · name a file", path)
	}
	if dir := filepath.Dir(path); !exists(dir) {
		return usagef("cannot write the result: there is no folder %s · make it first", dir)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// deliver writes a result to a file, or to out if path is "".
func deliver(ctx context.Context, out io.Writer, path string, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var err error
	if path == "" {
		err = write(out)
	} else {
		err = replaceFile(path, func(w io.Writer) error { return write(whileWanted(ctx, w)) })
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("cannot write the result: %w", err)
	}
	return errors.Join(err, ctx.Err())
}

// whileWanted returns a writer to w that fails when ctx is done.
func whileWanted(ctx context.Context, w io.Writer) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return w.Write(p)
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// replaceFile gives a file new contents, all at once: until they are complete on
// disk, what was there before stays. It keeps the permissions of the file, and
// the link if path is one. What is no file, such as a pipe or a device, is
// written to as it is.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o666) // without what the user's umask takes away
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return writeInto(path, write)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	err = write(f)
	if err == nil && info != nil {
		err = f.Chmod(mode)
	}
	if err = finish(f, err); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// finish closes a file, and before that sees to it that its contents are on disk
// if err, from writing them, is nil. It returns the first error.
func finish(f *os.File, err error) error {
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func writeInto(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
