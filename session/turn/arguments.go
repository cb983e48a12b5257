package turn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// arguments are what a call gives a tool, by name. Those that are null are not
// there.
type arguments map[string]json.RawMessage

// readArguments reads the arguments of a call, of which a tool takes those with
// certain names. What is wrong with them is said so that a model can mend it.
func readArguments(text string, names ...string) (arguments, error) {
	want := "the arguments are one JSON object with " + strings.Join(names, ", ")
	dec := json.NewDecoder(strings.NewReader(text))
	var a arguments
	if err := dec.Decode(&a); err != nil || a == nil {
		return nil, errors.New(want)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New(want + ", and nothing after it")
	}
	for name, value := range a {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no argument %q · %s", firstRunes(name, 40), want)
		}
		if bytes.Equal(value, []byte("null")) {
			delete(a, name)
		}
	}
	return a, nil
}

// text returns an argument that is a text; "" if it is not there.
func (a arguments) text(name string) (string, error) {
	value, ok := a[name]
	if !ok {
		return "", nil
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return "", fmt.Errorf("%s is a text, not %s", name, firstRunes(string(value), 40))
	}
	return strings.TrimSpace(s), nil
}

// needed returns an argument that is a text and must be there.
func (a arguments) needed(name, what string) (string, error) {
	s, err := a.text(name)
	if err == nil && s == "" {
		err = fmt.Errorf("%s is missing: %s", name, what)
	}
	return s, err
}

// number returns an argument that is a whole number in a range, and whether it is
// there.
func (a arguments) number(name string, from, to int) (n int, given bool, err error) {
	value, ok := a[name]
	if !ok {
		return 0, false, nil
	}
	var f float64 // 3.0 is a whole number too
	if json.Unmarshal(value, &f) != nil || f != math.Trunc(f) || f < float64(from) || f > float64(to) {
		return 0, false, fmt.Errorf("%s is a whole number from %d to %d, not %s", name, from, to, firstRunes(string(value), 40))
	}
	return int(f), true, nil
}

// firstRunes returns the beginning of a text, at most n code points of it.
func firstRunes(s string, n int) string {
	at := 0
	for i := range s {
		if at == n {
			return s[:i] + "…"
		}
		at++
	}
	return s
}
