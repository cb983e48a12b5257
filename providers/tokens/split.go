package tokens

// The functions here do what the regular expressions of tiktoken do, in one
// pass and without backtracking. Each returns the length in bytes of the first
// piece of a text that is not empty; no token crosses the end of a piece.
// See tiktoken_ext/openai_public.py in github.com/openai/tiktoken.

// splitCL100K splits as cl100k_base does:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitCL100K(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	c, size := classAt(s)
	if c&letter != 0 {
		return run(s, letter)
	}
	if c&(newline|number) == 0 {
		if n := run(s[size:], letter); n > 0 {
			return size + n
		}
	}
	if n := digits(s); n > 0 {
		return n
	}
	if n := symbols(s); n > 0 {
		return n + run(s[n:], newline)
	}
	return spaces(s)
}

// splitO200K splits as o200k_base does, where U is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
// and W is [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?U*W+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?U+W*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitO200K(s string) int {
	if n := casedWord(s); n > 0 {
		return n + contraction(s[n:])
	}
	if n := digits(s); n > 0 {
		return n
	}
	if n := symbols(s); n > 0 {
		for n < len(s) && (s[n] == '\r' || s[n] == '\n' || s[n] == '/') {
			n++
		}
		return n
	}
	return spaces(s)
}

// casedWord returns the length of a word that changes from upper to lower case
// at most once, with the one rune before it that may belong to it; 0 if s does
// not begin with a word.
func casedWord(s string) int {
	c, size := classAt(s)
	if c&(letter|number|newline) == 0 {
		if n := upperThenLower(s[size:]); n > 0 {
			return size + n
		}
	}
	return upperThenLower(s)
}

// upperThenLower matches U*W+, or else U+W*. Runes without case are in U and
// in W: when no W follows what U took, the last of them has to be the W.
func upperThenLower(s string) int {
	const u, w = upper | caseless | mark, lower | caseless | mark
	n, both := 0, 0
	for {
		c, size := classAt(s[n:])
		if c&u == 0 {
			if c&w != 0 {
				return n + run(s[n:], w)
			}
			break
		}
		n += size
		if c&w != 0 {
			both = n
		}
	}
	if both > 0 {
		return both
	}
	return n
}

// contraction matches (?i:'s|'t|'re|'ve|'m|'ll|'d).
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	a, b := s[1]|0x20, byte(0)
	if len(s) > 2 {
		b = s[2] | 0x20
	}
	switch {
	case a == 's' || a == 't' || a == 'm' || a == 'd':
		return 2
	case a == 'r' && b == 'e', a == 'v' && b == 'e', a == 'l' && b == 'l':
		return 3
	}
	return 0
}

// digits matches \p{N}{1,3}.
func digits(s string) int {
	n := 0
	for range 3 {
		c, size := classAt(s[n:])
		if c&number == 0 {
			break
		}
		n += size
	}
	return n
}

// symbols matches ` ?[^\s\p{L}\p{N}]+`.
func symbols(s string) int {
	lead := 0
	if s[0] == ' ' {
		lead = 1
	}
	if n := runOther(s[lead:], space|letter|number); n > 0 {
		return lead + n
	}
	return 0
}

// spaces matches \s*[\r\n]+|\s+(?!\S)|\s+: up to the last line end, or else all
// but the space that belongs to the next word.
func spaces(s string) int {
	n, last, lines := 0, 0, 0
	for {
		c, size := classAt(s[n:])
		if c&space == 0 {
			break
		}
		n, last = n+size, size
		if c&newline != 0 {
			lines = n
		}
	}
	switch {
	case lines > 0:
		return lines
	case n < len(s) && n > last:
		return n - last
	}
	return n
}
