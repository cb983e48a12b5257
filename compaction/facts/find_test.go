package facts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func found(text string) (out []string) {
	for _, f := range Find(text) {
		out = append(out, string(f.Kind)+" "+f.Text)
	}
	return out
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   string
		want []string
	}{
		{"nothing", "", nil},
		{"counts, ordinals and lists are none", "1. First, two of the 3 files.\n2. The 2nd one, step 3.\n- 5 tests, 12 eggs", nil},
		{"numbers in words are none", "three hundred and twelve", nil},
		{"headings are none", "## Files Modified\n\n### 2. Next Steps", nil},
		{"brands and common codes are none", "GitHub, PostgreSQL and JavaScript in UTF-8 on amd64", nil},
		{"apostrophes quote nothing", "the users' data isn't Bob's", nil},
		{"slashes between words are no path", "and/or, he/she, input/output, 24/7", nil},
		{"a URL is no path", "see https://example.com/a/b?q=1,2#x.", []string{"url https://example.com/a/b?q=1,2#x"}},
		{"a URL in brackets", "(https://en.example.org/wiki/Go_(game))", []string{"url https://en.example.org/wiki/Go_(game)"}},
		{"a URL in markdown", "[docs](https://example.com/x), then", []string{"url https://example.com/x"}},
		{"a path with its line", "at src/main.go:42:7, and a/b.py:10-20.", []string{"path src/main.go:42:7", "path a/b.py:10-20"}},
		{"Windows", `C:\Users\x\a.txt and \\srv\share\b`, []string{`path C:\Users\x\a.txt`, `path \\srv\share\b`}},
		{"a number in a name is none", "worker-12 user_5000 sha256", []string{"identifier worker-12", "identifier user_5000"}},
		{"a command holds its path", "$ cat /etc/hosts | grep db", []string{"command cat /etc/hosts | grep db"}},
		{"a command in backticks", "run `git push -f origin main` now", []string{"command git push -f origin main"}},
		{"a sentence is no command", "make sure that it works\ngo to the shop\ngit is a tool", nil},
		{"a command as a line", "kubectl get pods -n web\ngo test ./...", []string{"command kubectl get pods -n web", "command go test ./..."}},
		{"a quotation that is a fact", `open "/etc/hosts" and '10.0.0.1:80'`, []string{"path /etc/hosts", "host 10.0.0.1:80"}},
		{"a quotation", `he said "never on a Friday" and “no way”`, []string{"quote never on a Friday", "quote no way"}},
		{"the names of fields are none", `{"port": 8080, "mode": "safe mode"}`, []string{"number 8080", "quote safe mode"}},
		{"units", "5 GB, 5GB, 3.5 ms, 12 %, $5, 5 €, 1,234.5 kg", []string{"number 5 GB", "number 5GB", "number 3.5 ms", "number 12 %", "number $5", "number 5 €", "number 1,234.5 kg"}},
		{"labels", "port 22, line 7, exit code 1, HTTP 404", []string{"number 22", "number 7", "error exit code 1", "error HTTP 404"}},
		{"dates", "2026-12-03, 3 Dec 2026, December 3, 2026, 03.12.2026", []string{"date 2026-12-03", "date 3 Dec 2026", "date December 3, 2026", "date 03.12.2026"}},
		{"a range of times", "02:00-04:00 UTC on 2026-12-03", []string{"time 02:00-04:00 UTC", "date 2026-12-03"}},
		{"errors", "panic: boom at 5\nit says ECONNREFUSED.", []string{"error panic: boom at 5", "error ECONNREFUSED"}},
		{"versions", "v1.2.3, 2.0.1-rc.1, Go 1.26", []string{"version v1.2.3", "version 2.0.1-rc.1", "version 1.26"}},
		{"addresses", "a.b@example.org, ::1, db.lan:5432", []string{"email a.b@example.org", "host db.lan:5432"}},
		{"names", "userID, user_id, parseHeader(x), PROJ-12, #99, 0xdeadbeef, --dry-run", []string{"identifier userID", "identifier user_id", "identifier parseHeader", "identifier PROJ-12", "identifier #99", "identifier 0xdeadbeef", "identifier --dry-run"}},
		{"invalid UTF-8", "\xff5 GB\xff /etc/\xffx", []string{"number 5 GB", "path /etc/"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := found(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("Find(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

// check holds what must be true of the facts of any text.
func check(t rapid.TB, text string) {
	t.Helper()
	all := Find(text)
	end := 0
	for _, f := range all {
		switch {
		case f.Start < end || f.End <= f.Start || f.End > len(text):
			t.Fatalf("%q: %+v overlaps or lies outside", text, f)
		case text[f.Start:f.End] != f.Text:
			t.Fatalf("%q: %+v is not verbatim", text, f)
		case inRune(text, f.Start) || inRune(text, f.End):
			t.Fatalf("%q: %+v cuts a character", text, f)
		case strings.TrimSpace(f.Text) != f.Text:
			t.Fatalf("%q: %+v has space around it", text, f)
		case !slices.Contains(Kinds, f.Kind):
			t.Fatalf("%q: %+v has no kind", text, f)
		}
		end = f.End
	}
	if !slices.Equal(all, Find(text)) {
		t.Fatalf("%q: found something else the second time", text)
	}
}

// inRune reports whether a place is inside of a character. Bytes that belong to
// no character, of text that is no valid UTF-8, may be parted anywhere.
func inRune(text string, at int) bool {
	for from := max(0, at-utf8.UTFMax+1); from < at; from++ {
		if r, n := utf8.DecodeRuneInString(text[from:]); r != utf8.RuneError && from+n > at {
			return true
		}
	}
	return false
}

// pieces are what means something to the scanner.
var pieces = []string{
	"0", "1", "9", "12", "2026", "30", "1000", ".", ",", ":", "/", `\`, "-", "_", "@", "#", "$", "=", "+", "'", "\"", "`", "```", "(", ")", "[", "]", "<", "|", "*", "~", "%",
	" ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u202f", "a", "B", "x", "h", "T", "e", "to ", "bis ", "am", "pm", "Uhr", "GB", "km/h", "per day", "€", "EUR ", "½", "×", "10^", "−", "–", "→",
	"Dec", "Sonntag,", "mai ", "de ", "th", "年", "月", "日", "時", "分", "円", "に", "「", "」", "“", "”", "«", "»", "„", "é", "ß", "\xff", "\xe5", "://", "www.", "http", "go", "v",
	"git ", "$ ", "=> ", "SELECT ", ";", "sh\n", "error: ", "FATAL ", "HTTP ", "exit code ", "Error", "Exception", "panic: ", "port ", "Gate ", "code=", "GB29", "LH ", ".go", ".com", "0x", "deadbeef", ".(*", ").", "::", "U+", "m2", "°C", "ª", "²", "٣", "😀",
}

func row(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, label), "")
}

// TestFindHoldsForAnyRow puts the pieces together in every order chance will have.
func TestFindHoldsForAnyRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		check(t, row(t, "text"))
	})
}

func FuzzFind(f *testing.F) {
	for _, m := range readMarked(f, "marked") {
		f.Add(m.text)
	}
	f.Add("0\\")
	f.Add("\"'`«„//..::@@##$5 1,2,3 \xff\xf0 é9月")
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

// hostile are texts made to be slow, of about n bytes each.
func hostile(n int) map[string]string {
	texts := map[string]string{}
	for _, unit := range []string{
		"a", "A", "0", "1", ".", "/", "\"", "'", "`", "\\", "-", "_", ":", ",", " ", "\n", "(", "[", "@", "#", "$", "=", "é", "日", "“", "«", "\xff",
		"1,", "1.", "1 ", "1:", "a.", "a/", "a ", "\"a ", "'a ", "`a ", "$ ", "://", "a://", "a@", "1-", "1 h ", "0x", "::", "A1", "a_", "日1", "E: ", "(\"", "panic: ", "+1 ", "1 000 ", "Mon, ", "FATAL ", "a://(", ".(*", "```\n", "git ", "1/", "=> ", "1:2:", "$1,", "aB", "IBAN GB29 ",
	} {
		texts[unit] = strings.Repeat(unit, n/len(unit))
	}
	return texts
}

func TestHostileTextTakesLinearTime(t *testing.T) {
	const n = 1 << 16
	for unit, text := range hostile(n) {
		start := time.Now()
		Find(text)
		if took := time.Since(start); took > 3*time.Second { // linear time is a hundredth of it, on a busy machine a twentieth
			t.Errorf("%d bytes of %q took %v", n, unit, took)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	texts := map[string]string{}
	for _, m := range readMarked(b, "marked") {
		switch m.name {
		case "server-log", "recipe", "code-review", "japanese-chinese":
			texts[m.name] = m.text
		}
	}
	texts["prose"] = strings.Repeat("It was a bright cold day in April, and the clocks were striking thirteen. Nobody had asked for the report that lay on the table, and nobody would. ", 20)
	for name, text := range texts {
		text := strings.Repeat(text, 1+100_000/len(text))
		b.Run(fmt.Sprintf("%s/kB=%d", name, len(text)/1000), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Find(text)
			}
		})
	}
}

func BenchmarkFindHostile(b *testing.B) {
	for unit, text := range hostile(1 << 20) {
		b.Run(fmt.Sprintf("%q", unit), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Find(text)
			}
		})
	}
}
