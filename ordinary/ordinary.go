// Package ordinary reads files at places that the user fills, such as a folder of
// settings, without trusting that what is there comes to an end.
//
// A pipe has no beginning until somebody writes into it, and a device may have no
// end: reading either would hold up the program or take all of its memory.
package ordinary

import (
	"fmt"
	"io"
	"os"
)

// Check refuses what is at path if that is no ordinary file, nor a link to one.
func Check(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder, not an ordinary file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not an ordinary file", path)
	}
	return nil
}

// ReadFile returns what is in the ordinary file at path, of at most a number of
// bytes.
func ReadFile(path string, most int) ([]byte, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := Read(f, most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// Read returns all that r has, of at most a number of bytes.
func Read(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("larger than %d bytes: is it the right file?", most)
	}
	return data, err
}
