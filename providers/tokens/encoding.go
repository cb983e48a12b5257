package tokens

import (
	"sync"
	"unicode/utf8"
)

// encoding is one of OpenAI's ways to make tokens of text.
type encoding struct {
	name  string
	split func(string) int
	table func() (*table, error) // loads it on the first call
}

var (
	o200k  = newEncoding("o200k_base", splitO200K)
	cl100k = newEncoding("cl100k_base", splitCL100K)
)

func newEncoding(name string, split func(string) int) *encoding {
	return &encoding{name, split, sync.OnceValues(func() (*table, error) { return loadTable(name + ".tiktoken") })}
}

// count returns the number of tokens in s, of which bytes that are not UTF-8
// become replacement characters, as they do on the way to a server.
func (e *encoding) count(s string) int {
	t, err := e.table()
	if err != nil {
		return estimate(s)
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	n := 0
	for len(s) > 0 {
		end := e.split(s)
		n += t.count(s[:end])
		s = s[end:]
	}
	return n
}
