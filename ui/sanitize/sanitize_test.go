package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var hostile = []struct {
	name, in, want string
}{
	{"clipboard write ended by BEL", "a\x1b]52;c;cm0gLXJm\ab", "a␛b"},
	{"clipboard write ended by ST", "a\x1b]52;c;cm0gLXJm\x1b\\b", "a␛b"},
	{"clipboard read", "\x1b]52;c;?\a", "␛"},
	{"window title", "\x1b]0;owned\ahi", "␛hi"},
	{"icon title without an end", "\x1b]1;owned", "␛1;owned"},
	{"link", "\x1b]8;;file:///etc/passwd\aclick\x1b]8;;\a", "␛click␛"},
	{"string without an end keeps the rest", "a\x1b]52;c;aGk=\nrest of\nthe text", "a␛52;c;aGk=\nrest of\nthe text"},
	{"string interrupted by another escape", "\x1b]0;t\x1b[31mred", "␛0;t␛red"},
	{"palette", "\x1b]4;1;rgb:ff/00/00\a", "␛"},
	{"working directory", "\x1b]7;file://host/\a", "␛"},
	{"notification", "\x1b]9;boo\a", "␛"},
	{"inline image", "\x1b]1337;File=inline=1:AAAA\a", "␛"},
	{"clear screen", "\x1b[2Jgone", "␛gone"},
	{"cursor home", "\x1b[Hx", "␛x"},
	{"cursor up and erase", "x\x1b[1A\x1b[2Ky", "x␛y"},
	{"report that would be typed", "\x1b[6n\x1b[c\x1b[>c", "␛"},
	{"alternate screen and mouse", "\x1b[?1049h\x1b[?1003h", "␛"},
	{"colour", "\x1b[31mred\x1b[0m", "␛red␛"},
	{"conceal", "\x1b[8mhidden", "␛hidden"},
	{"cut off in its parameters", "x\x1b[38;2;", "x␛38;2;"},
	{"malformed parameters", "\x1b[1\x01Hx", "␛1␁Hx"},
	{"reset", "\x1bcx", "␛x"},
	{"character set", "\x1b(0lqqk", "␛lqqk"},
	{"keypad", "\x1b=x", "␛x"},
	{"device control", "\x1bP$qm\x1b\\x", "␛x"},
	{"sixel with newlines stays readable", "\x1bPq#0\n~~\x1b\\x", "␛q#0\n~~␛x"},
	{"application command", "\x1b_Gf=100;AAAA\x1b\\x", "␛x"},
	{"privacy message", "\x1b^secret\x1b\\x", "␛x"},
	{"start of string", "\x1bXsecret\x1b\\x", "␛x"},
	{"tmux passthrough", "\x1bPtmux;\x1b\x1b]52;c;aGk=\a\x1b\\x", "␛tmux;␛x"},
	{"eight-bit control sequence", "\u009b2Jx", "␛x"},
	{"eight-bit command", "\u009d0;t\u009cx", "␛x"},
	{"eight-bit next line", "a\u0085b", "a␛b"},
	{"raw eight-bit bytes", "\x9b2Jx", "\ufffd2Jx"},
	{"lone escape at the end", "x\x1b", "x␛"},
	{"double escape", "\x1b\x1b[2J", "␛"},
	{"bell", "ding\a", "ding␇"},
	{"backspace overprints", "safe\b\b\b\bevil", "safe␈evil"},
	{"null", "a\x00b", "a␀b"},
	{"delete", "a\x7fb", "a␡b"},
	{"vertical tab and form feed", "a\v\fb", "a␋b"},
	{"shift out", "a\x0eb", "a␎b"},
	{"xoff", "a\x13b", "a␓b"},
	{"direction override", "user\u202e txt.exe", "user¤ txt.exe"},
	{"isolates", "a\u2066b\u2069c", "a¤b¤c"},
	{"direction mark without such letters", "a\u200fb", "a¤b"},
	{"tag characters", "hi\U000e0069\U000e0067\U000e006e", "hi¤"},
	{"zero-width letters between letters", "pass\u200bword", "pass¤word"},
	{"joiners between letters", "a\u200db\u200cc", "a¤b¤c"},
	{"hidden bits after a letter", "a\ufe00\ufe01\ufe02b", "a¤b"},
	{"hidden bits after an emoji", "😀\U000e0101\U000e0102x", "😀¤x"},
	{"byte order mark inside", "a\ufeffb", "a¤b"},
	{"Hangul filler", "a\u3164b", "a¤b"},
	{"interlinear annotation", "a\ufff9b\ufffac\ufffb", "a¤b¤c¤"},
	{"noncharacter", "a\uffffb", "a¤b"},
	{"stacked marks", "z" + strings.Repeat("\u0301", 50) + "a", "z" + strings.Repeat("\u0301", 6) + "¤a"},
	{"mark without a letter", "\u0301x", "¤x"},
	{"broken rune", "a\xe2\x82b\xff", "a\ufffd\ufffdb\ufffd"},
	{"surrogate", "a\xed\xa0\x80b", "a\ufffd\ufffd\ufffdb"},
	{"overlong", "\xc0\x9bx", "\ufffd\ufffdx"},
	{"line separators", "a\u2028b\u2029c", "a\nb\nc"},
	{"carriage returns", "a\r\nb\rc\r\r\n", "a\nb\nc\n\n"},
	{"progress bar", "10%\r20%\r\n", "10%\n20%\n"},
	{"tab", "a\tb", "a    b"},
	{"byte order mark at the start", "\ufeffa\n\ufeffb", "a\nb"},
	{"soft hyphen", "Donau\u00addampf", "Donaudampf"},
}

func TestTextTakesOutWhatATerminalObeys(t *testing.T) {
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.in); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

var innocent = []string{
	"",
	"plain text\nof two lines\n\n",
	"Grüße, ça va? naïve, coöperate, e\u0301te\u0301",
	"中文、日本語のテキスト、한국어",
	"مرحبا بالعالم می\u200cخواهم",
	"שלום\u200f abc",
	"क्\u200dष और क्\u200cष",
	"ភាសា\u200bខ្មែរ",
	"👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f 1\ufe0f\u20e3 🇩🇪 🏃🏽\u200d♀\ufe0f",
	"葛\U000e0100城",
	"x\u0300\u0301\u0302",
	"box ─│┌ braille ⠀⠁ private \ue0b0",
	"non\u00a0breaking\u202fand\u3000wide spaces",
	"\ufffd is kept",
}

func TestCleanTextStaysAsItIs(t *testing.T) {
	for _, s := range innocent {
		for name, f := range map[string]func(string) string{"Text": Text, "Styled": Styled} {
			if got := f(s); got != s {
				t.Errorf("%s(%q) = %q, want it unchanged", name, s, got)
			}
			if n := testing.AllocsPerRun(10, func() { f(s) }); n != 0 {
				t.Errorf("%s(%q) allocates %v times, want 0", name, s, n)
			}
		}
	}
}

func TestLineIsOneLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{"title", "title"},
		{"two\nlines", "two lines"},
		{"\n\nmany\r\n\r\nlines\n", "many lines"},
		{"a\u2028b", "a b"},
		{"x\x1b]0;t\ay\n", "x␛y"},
		{"\n", ""},
	}
	for _, tt := range tests {
		if got := Line(tt.in); got != tt.want {
			t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestStyledKeepsColoursAndSafeLinks(t *testing.T) {
	kept := []string{
		"\x1b[1;31mred\x1b[0m",
		"\x1b[38;2;1;2;3mrgb\x1b[m",
		"\x1b[4:3mcurly\x1b[m",
		"\x1b]8;id=7;https://example.org/a?b=c\x1b\\text\x1b]8;;\x1b\\",
		"\x1b]8;;mailto:a@example.org\atext\x1b]8;;\a",
		"\x1b]8;;HTTP://example.org\atext\x1b]8;;\a",
	}
	for _, s := range kept {
		if got := Styled(s); got != s {
			t.Errorf("Styled(%q) = %q, want it unchanged", s, got)
		}
	}
	dropped := []struct{ in, want string }{
		{"\x1b]8;;javascript:alert(1)\ax\x1b]8;;\a", "␛x\x1b]8;;\a"},
		{"\x1b]8;;file:///etc/passwd\ax", "␛x"},
		{"\x1b]8;;ssh://host\ax", "␛x"},
		{"\x1b]8;;relative\ax", "␛x"},
		{"\x1b]8;;http://a b\ax", "␛x"},
		{"\x1b]8;;http://раypal.com\ax", "␛x"},
		{"\x1b]8;;http://a", "␛8;;http://a"},
		{"\x1b]52;c;aGk=\a", "␛"},
		{"\x1b[2J\x1b[31mx", "␛\x1b[31mx"},
		{"\x1b[?1m\x1b[>4;2mx", "␛x"},
		{"\u009b31mx", "␛x"},
	}
	for _, tt := range dropped {
		if got := Styled(tt.in); got != tt.want {
			t.Errorf("Styled(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// forbidden says what must never reach the screen, in other words than the
// package does.
func forbidden(s string) (rune, bool) {
	for _, r := range s {
		switch {
		case r == '\n':
		case r < 0x20, 0x7f <= r && r <= 0x9f,
			r == 0xad, r == 0xfeff, r == 0x034f,
			0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f,
			r == 0x2028, r == 0x2029, r == 0x3164, r == 0x115f, r == 0x1160, r == 0xffa0,
			0xfff9 <= r && r <= 0xfffb, 0xe0000 <= r && r <= 0xe00ff,
			r&0xffff >= 0xfffe:
			return r, true
		}
	}
	return 0, false
}

// tallest returns the largest number of marks of the commonest kind in a row.
func tallest(s string) int {
	most, run := 0, 0
	for _, r := range s {
		if run++; r < 0x300 || r > 0x36f {
			run = 0
		}
		most = max(most, run)
	}
	return most
}

func checkText(t interface{ Errorf(string, ...any) }, in string) {
	got := Text(in)
	if !utf8.ValidString(got) {
		t.Errorf("Text(%q) = %q is not UTF-8", in, got)
	}
	if r, bad := forbidden(got); bad {
		t.Errorf("Text(%q) = %q holds %U", in, got, r)
	}
	if n := tallest(got); n > maxStacked {
		t.Errorf("Text(%q) = %q stacks %d marks", in, got, n)
	}
	if again := Text(got); again != got {
		t.Errorf("Text(Text(%q)) = %q, want %q", in, again, got)
	}
	line := Line(in)
	if strings.Contains(line, "\n") {
		t.Errorf("Line(%q) = %q has several lines", in, line)
	}
	if again := Line(line); again != line {
		t.Errorf("Line(Line(%q)) = %q, want %q", in, again, line)
	}
	styled := Styled(in)
	if again := Styled(styled); again != styled {
		t.Errorf("Styled(Styled(%q)) = %q, want %q", in, again, styled)
	}
	if plain := withoutKept(styled); plain != "" {
		if r, bad := forbidden(plain); bad {
			t.Errorf("Styled(%q) = %q holds %U", in, styled, r)
		}
	}
}

// withoutKept takes the sequences that Styled may keep out of s.
func withoutKept(s string) string {
	for _, cut := range []struct{ start, end string }{{"\x1b[", "m"}, {"\x1b]8;", "\a"}, {"\x1b]8;", "\x1b\\"}} {
		for {
			before, after, ok := strings.Cut(s, cut.start)
			if !ok {
				break
			}
			body, rest, ok := strings.Cut(after, cut.end)
			if !ok || strings.ContainsAny(body, "\n\x1b\a") {
				break
			}
			s = before + rest
		}
	}
	return s
}

// pieces are what hostile texts are made of; in random order they meet in ways
// that no list foresees.
var pieces = []string{
	"a", "e", " ", "\n", "\r", "\t", "\x1b", "[", "]", "8;;", "http://x", "31", ";", "m", "J", "\a", "\\", "\x1b\\", "P", "_", "\x00", "\b", "\x7f",
	"\u009b", "\u009c", "\u009d", "\x9b", "\xff", "\xe2\x82", "\u202e", "\u2066", "\u200b", "\u200c", "\u200d", "\u200f", "\ufe0f", "\ufe00", "\U000e0100",
	"\U000e0041", "\u0301", "\u0300", "\ufeff", "\u00ad", "\u2028", "👩", "💻", "❤", "क", "\u094d", "م", "ש", "葛", "\u3164", "\uffff", "¤", "␛", "\ufffd", "᠋", "ᠠ", "1", "\u20e3",
}

func TestTextOfRandomPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkText(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), ""))
	})
}

func TestLinesAreCleanedAloneAsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24)
		a := strings.Join(text.Draw(t, "a"), "") + "\n"
		b := strings.Join(text.Draw(t, "b"), "")
		if got, want := Text(a)+Text(b), Text(a+b); got != want {
			t.Errorf("cleaned alone %q, together %q", got, want)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, tt := range hostile {
		f.Add(tt.in)
	}
	for _, s := range innocent {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkText(t, s) })
}

func BenchmarkText(b *testing.B) {
	inputs := []struct{ name, s string }{
		{"ascii", strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 2000)},
		{"mixed", strings.Repeat("Grüße aus 東京, ça va? 👩\u200d💻 ok\n", 2000)},
		{"coloured", strings.Repeat("\x1b[31mred\x1b[0m and plain text behind it\n", 2000)},
		{"unterminated", strings.Repeat("\x1b]", 50_000)},
		{"unterminated eight-bit", strings.Repeat("\u009d", 50_000)},
		{"zalgo", strings.Repeat("z"+strings.Repeat("\u0301", 50), 1000)},
	}
	for _, in := range inputs {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.s)))
			for b.Loop() {
				Text(in.s)
			}
		})
	}
}
