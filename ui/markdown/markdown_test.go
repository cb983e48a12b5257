package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pleat/themes"
	"pleat/ui/sanitize"
)

var dark = New(themes.Dark())

// seen is what is on the screen, without styles.
func seen(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func TestRenderLaysOut(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     string
	}{
		{"nothing", " \n\n", 20, ""},
		{"headings", "# One\n\n## Two\ntext", 20, "One\n\nTwo\n\ntext"},
		{"emphasis", "a **b** *c* ~~d~~ ***e***", 40, "a b c d e"},
		{"line breaks are kept", "roses\nviolets", 40, "roses\nviolets"},
		{"wrapped", "the quick brown fox", 10, "the quick\nbrown fox"},
		{"list hangs", "- one two three\n- four", 9, "• one two\n  three\n• four"},
		{"numbers hang", "9. one two\n10. three four", 9, "9. one\n   two\n10. three\n    four"},
		{"start of a list", "3) a\n4) b", 9, "3. a\n4. b"},
		{"tasks", "- [x] done\n- [ ] open it", 9, "[✓] done\n[ ] open\n    it"},
		{"lines of an item", "- one\n  two\n- three", 20, "• one\n  two\n• three"},
		{"paragraphs of an item", "- one\n\n  two\n\n- three", 20, "• one\n\n  two\n• three"},
		{"nested list", "- a\n  - b c d e f\n", 9, "• a\n  • b c d\n    e f"},
		{"quote", "> one two three", 9, "│ one two\n│ three"},
		{"nested quote", "> a\n>> b c d", 8, "│ a\n│\n│ │ b c\n│ │ d"},
		{"code keeps spaces", "```\nif  x {\n    y\n}\n```", 20, "  if  x {\n      y\n  }"},
		{"code is cut where the line is full", "```\nabcdefgh\n```", 6, "  abcd\n  efgh"},
		{"code behind a sentence", "```well, this\nx\n```", 40, "```well, this\nx\n```"},
		{"code that is indented far", "```\n        x\n```", 6, "x"},
		{"code keeps escapes and entities", "```\na\\*b &lt; &#27;\n```", 40, "  a\\*b &lt; &#27;"},
		{"code with many spaces is cut", "    #      #", 5, "  #\n\n   #"},
		{"code with words behind its language", "```go | x\ny\n```", 40, "```go | x\ny\n```"},
		{"code that is not closed", "```go\nx := 1", 40, "  x := 1"},
		{"code that has not begun", "```go", 40, "```go"},
		{"indented code", "    a  b", 40, "  a  b"},
		{"code in a sentence", "`a\\*b` and `&lt;` and ``a`b``", 40, "a\\*b and &lt; and a`b"},
		{"escapes", `\*a\* C:\dir \&lt; \\`, 40, `*a* C:\dir &lt; \`},
		{"entities", "&lt;b&gt; &amp;amp; &eacute; &#x41;", 40, "<b> &amp; é A"},
		{"HTML is text", "List<String> <b>x</b>\n\n<div>\ny\n</div>", 40, "List<String> <b>x</b>\n\n<div>\ny\n</div>"},
		{"comments are text", "<!-- note -->", 40, "<!-- note -->"},
		{"link", "see [docs](https://example.org/a)", 40, "see docs https://example.org/a"},
		{"anchor loses nothing", "see [docs](#part)", 40, "see [docs](#part)"},
		{"title loses nothing", `[a](http://b "note")`, 40, `[a](http://b "note")`},
		{"link definition loses nothing", "[a]: http://b\n", 40, "[a]: http://b"},
		{"address", "<https://example.org> me@example.org", 60, "https://example.org me@example.org"},
		{"image", "![cat](http://a/c.png)", 60, "Image: cat → http://a/c.png"},
		{"addresses in a sentence", "(see http://localhost:80/a_b_c(d), www.a.org/~x.) x@y.org.", 80, "(see http://localhost:80/a_b_c(d), www.a.org/~x.) x@y.org."},
		{"address in entities", "&lt;http://a.b/c&gt; http:// www.", 60, "<http://a.b/c> http:// www."},
		{"address with parameters", "http://a.b/?x=1&y=\\_2;", 60, "http://a.b/?x=1&y=_2;"},
		{"address in Chinese", "见http://a.b http://a.b/c，然后", 60, "见http://a.b http://a.b/c，然后"},
		{"image without words", "![](http://a/c.png \"t\")", 60, "Image → http://a/c.png \"t\""},
		{"nothing but blanks", "&#32;", 60, "&#32;"},
		{"no table", "a | b\nc | d\n|-|", 40, "a | b\nc | d\n|-|"},
		{"table below a sentence", "Look:\na | b\n--|--\n1 | 2", 40, "Look:\n\n a │ b\n───┼───\n 1 │ 2"},
		{"alignments", "|l|c|r|\n|:--|:-:|--:|\n|one|two|three|\n|a|b|c|", 40, " l   │  c  │     r\n─────┼─────┼───────\n one │ two │ three\n a   │  b  │     c"},
		{"bars in code in a table", "|a|b|\n|-|-|\n|`x|y`|`z \\| w`|\n|p \\| q|", 40, " a     │ b\n───────┼───────\n x|y   │ z | w\n p | q │"},
		{"cells of several lines", "|a|b|\n|-|-|\n|one|some words here|", 18, " a   │ b\n─────┼────────────\n one │ some words\n     │ here"},
		{"table too narrow", "|a b|c d|\n|-|-|\n|one two|three four|", 12, "a b │ c d\none two │\n  three four"},
		{"not a task", "- [x]y\n- [x](http://b)", 40, "• [x]y\n• x http://b"},
		{"numbered task", "1. [ ] one three", 14, "1. [ ] one\n       three"},
		{"empty item", "- a\n-\n- b", 9, "• a\n•\n• b"},
		{"code in an item", "1. a\n\n   ```\n   b\n   ```\n\n   c", 40, "1. a\n     b\n\n   c"},
		{"link that is its own text", "[http://a.b](http://a.b) [x@y.z](mailto:x@y.z)", 60, "http://a.b x@y.z"},
		{"rule", "a\n\n---\n\nb", 5, "a\n\n─────\n\nb"},
		{"Chinese", "中文没有空格的**长句子**", 8, "中文没有\n空格的长\n句子"},
		{"Arabic", "**مرحبا** بالعالم", 20, "مرحبا بالعالم"},
		{"emoji", "👩\u200d💻👩\u200d💻", 2, "👩\u200d💻\n👩\u200d💻"},
		{"one cell", "# a中", 1, "a\n□"},
		{"no width", "ab", -1, "a\nb"},
		{"not closed", "**bold `code", 40, "**bold `code"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := seen(dark.Render(tt.in, tt.width)); got != tt.want {
				t.Errorf("Render(%q, %d) shows\n%s\nwant\n%s", tt.in, tt.width, got, tt.want)
			}
		})
	}
}

func TestRenderObeysNobody(t *testing.T) {
	tests := []struct{ name, in string }{
		{"raw clipboard write", "\x1b]52;c;aGk=\a"},
		{"entities", "&#27;]52;c;aGk=&#7; &#x1b;[2J &#155;2J"},
		{"entities in a table", "| a |\n|---|\n| &#27;]0;t&#7; |"},
		{"entities in a link", "[&#27;]0;t&#7;](http://a&#27;]0;t&#7;)"},
		{"entities in code", "`&#27;[2J`\n\n```\n&#27;[2J\n```"},
		{"entities in a heading", "# &#27;c"},
		{"link to a script", "[x](javascript:alert(1)) <javascript:alert(1)>"},
		{"link to a file", "[x](file:///etc/passwd)"},
		{"direction override", "a &#x202e; b"},
		{"marks that markup kept apart", "a" + strings.Repeat("\u0301", 9) + "**" + strings.Repeat("\u0301", 9) + "b**"},
		{"link with a control character", "[x](http://a\u009b2J)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, line := range dark.Render(tt.in, 60) {
				checkHarmless(t, line)
				if clean := sanitize.Styled(line); clean != line {
					t.Errorf("line is %q, want %q", line, clean)
				}
			}
		})
	}
}

// checkHarmless wants no control characters but those of colours and of links
// to the web.
func checkHarmless(t interface{ Errorf(string, ...any) }, line string) {
	rest := line
	for {
		_, seq, ok := strings.Cut(rest, "\x1b")
		if !ok {
			break
		}
		switch {
		case strings.HasPrefix(seq, "["):
			n := strings.IndexFunc(seq[1:], func(r rune) bool { return !strings.ContainsRune("0123456789;", r) })
			if n < 0 || seq[1+n] != 'm' {
				t.Errorf("line %q has a sequence other than colours", line)
			}
		case strings.HasPrefix(seq, "]8;"):
			_, address, _ := strings.Cut(seq[3:], ";")
			if !strings.HasPrefix(address, "\a") && !strings.HasPrefix(address, "http") && !strings.HasPrefix(address, "mailto:") {
				t.Errorf("line %q has a link to something else than the web", line)
			}
		default:
			t.Errorf("line %q has a foreign sequence", line)
		}
		rest = seq
	}
	for _, r := range line {
		if r < ' ' && r != 0x1b && r != '\a' || 0x7f <= r && r <= 0x9f || 0x202a <= r && r <= 0x202e {
			t.Errorf("line %q has %U", line, r)
		}
	}
}

// checkPens wants every line to start and end without a style, for other
// things are drawn beside it.
func checkPens(t interface{ Errorf(string, ...any) }, line string) {
	var style, link bool
	for _, seq := range sequences.FindAllString(line, -1) {
		switch {
		case strings.HasPrefix(seq, "\x1b["):
			style = seq != "\x1b[m"
		default:
			link = seq != "\x1b]8;;\a"
		}
	}
	if style || link {
		t.Errorf("line %q leaves a style (%t) or a link (%t) behind", line, style, link)
	}
}

var sequences = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b]8;[^\a]*\a")

const tour = `# Rotating *tokens*

Use a **short** lifetime, see [RFC 6749](https://example.org/rfc?x=1#s) &mdash; or List<String>.
中文没有空格的长句子，需要在单元格边界换行。 مرحبا بالعالم 👩‍💻 e` + "\u0301" + `

- first item, long enough to be wrapped on most screens
  goes on here
  1. nested \*escaped\*
     > quoted **inside**
- [x] done

| Name | Größe | 说明 |
|:-----|------:|:----:|
| ` + "`a` | 12 | **bold** and [link](http://x.y) |" + `
| 中文 | 3 | long cell that has to be wrapped somewhere |

> quote
> > deeper ~~gone~~

` + "```go\nfunc main() {\n\tfmt.Println(\"héllo\", `x\\*y`, 42) // 中文注释\n}\n```" + `

---
    indented   code

https://example.org/a/very/long/address/that/cannot/be/broken/at/any/space/at/all.html
`

func TestEveryPrefixKeepsItsText(t *testing.T) {
	for i := 0; i < len(tour); i += 61 {
		checkRender(t, tour[:i], 40)
	}
	for _, part := range strings.Split(tour, "\n\n") {
		for i := range part {
			checkRender(t, part[:i], 20+i%2*60) // in turn
		}
	}
}

func TestEveryWidthIsKept(t *testing.T) {
	for width := 1; width <= 300; width += 1 + width/20 {
		checkRender(t, tour, width)
	}
}

// checkRender checks everything that holds for any text at any width.
func checkRender(t interface{ Errorf(string, ...any) }, text string, width int) {
	lines := dark.Render(text, width)
	checkWidth(t, lines, width)
	for _, line := range lines {
		checkHarmless(t, line)
		checkPens(t, line)
		if clean := sanitize.Styled(line); clean != line {
			t.Errorf("Render(%q, %d) has the line %q, clean it is %q", text, width, line, clean)
		}
	}
	if n := len(lines); n > 0 && (lines[0] == "" || lines[n-1] == "") {
		t.Errorf("Render(%q, %d) has a blank line at an end", text, width)
	}
	if width == 1 { // wide characters cannot be shown
		return
	}
	var have census
	have.count(seen(lines))
	if missing := have.missing(lettersOnly(text)); missing != "" {
		t.Errorf("Render(%q, %d) loses %q:\n%s", text, width, missing, seen(lines))
	}
}

// markup holds the words of the tests' texts that are markup.
var markup = strings.NewReplacer("mdash", "", "&lt;", "", "[x]", "")

// lettersOnly leaves out digits, since lists may be numbered anew.
func lettersOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, fence.ReplaceAllString(markup.Replace(flat(s)), ""))
}

// fence is the start of a block of code and the language it names.
var fence = regexp.MustCompile("(?m)(```+|~~~+) *[^ \n`]*$")

// flat is s as plain text on one very wide screen.
func flat(s string) string { return strings.Join(Plain(s, 1<<20), "\n") }

// missing returns the letters and digits that s has more often than c.
func (c *census) missing(s string) string {
	var missing []rune
	for _, r := range s {
		if !strings.ContainsRune(string(missing), r) && !c.atLeast(strings.Repeat(string(r), strings.Count(s, string(r)))) {
			missing = append(missing, r)
		}
	}
	return string(missing)
}

var marks = append([]string{
	"# ", "## ", "- ", "1. ", "> ", "> > ", "    ", "```", "```go\n", "`", "*", "**", "~~", "[", "](", ")", "![", "<", ">", "|", "|-|-|\n", "|\n", "---\n", "===\n",
	"&lt;", "&#27;", "\\", "- [x] ", "http://a.b/c", "<b>", "<!--", "a|b\n-|-\n", "x@y.z", "\U0010fffd",
}, words...)

func TestRenderOfRandomMarkdown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(marks), 0, 30).Draw(t, "marks"), "")
		checkRender(t, text, rapid.IntRange(1, 60).Draw(t, "width"))
	})
}

func FuzzRender(f *testing.F) {
	f.Add(tour, 40)
	f.Add("| a | b |\n|---|---|\n| `a \\| b` | 中 |", 10)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 1 + (width&0x7fffffff)%300
		lines := dark.Render(text, width)
		checkWidth(t, lines, width)
		for _, line := range lines {
			checkHarmless(t, line)
			checkPens(t, line)
		}
	})
}

func TestTablesLoseNoText(t *testing.T) {
	tables := []string{
		"| a | b |\n|---|---|\n| 1 | 2 |",
		"| a | b |\n|---|---|\n| `x | y` | 2 |",
		"| a | b |\n|---|---|\n| `x \\| y` | 2 |",
		"| a | b |\n|---|---|\n| 1 | 2 | three | four |",
		"| a | b |\n|---|---|\n| one |",
		"| 名称 | 说明 |\n|---|---|\n| 中文 | 没有空格的长句子需要换行 |",
		"| e | t |\n|---|---|\n| 👩‍💻 | 🇩🇪 flag |",
		"| long header number one | long header number two |\n|---|---|\n| a cell with many words in it | another |",
		"| u |\n|---|\n| https://example.org/a/very/long/address |",
		"| l |\n|---|\n| [text](http://example.org/path) ![i](http://p.q) |",
		"| " + strings.Repeat("c | ", 30) + "\n|" + strings.Repeat("---|", 30) + "\n| " + strings.Repeat("v | ", 30),
		"| a | b |\n|:-:|--:|\n| **x** <br> z | ~~y~~ |\n\ntext after",
		"- item\n\n  | a | b |\n  |---|---|\n  | inside | list |",
	}
	for i, table := range tables {
		for _, width := range []int{20, 40, 80} {
			t.Run(fmt.Sprintf("%d/width=%d", i, width), func(t *testing.T) {
				checkRender(t, table, width)
			})
		}
	}
	want := " a │ b\n───┼───\n 1 │ 2"
	if got := seen(dark.Render(tables[0], 40)); got != want {
		t.Errorf("table shows\n%s\nwant\n%s", got, want)
	}
}

func TestRenderKeepsColoursOfItsTheme(t *testing.T) {
	code := "```go\nfunc main() {}\n```"
	for _, theme := range []themes.Theme{themes.Dark(), themes.Light(), themes.Dark()} {
		got := strings.Join(New(theme).Render(code, 40), "\n")
		if want := "38;2;" + rgb(theme.Code.Keyword); !strings.Contains(got, want) {
			t.Errorf("%s: %q has not the keyword's colour %s", theme.Name, got, want)
		}
	}
	heading := strings.Join(New(themes.Light()).Render("# T", 40), "")
	if want := "38;2;" + rgb(themes.Light().Accent); !strings.Contains(heading, want) {
		t.Errorf("heading %q has not the accent %s", heading, want)
	}
	if got := dark.Render("prose", 40); !slices.Equal(got, []string{"prose"}) {
		t.Errorf("prose is %q, want the terminal's own colour", got)
	}
}

// What is printed while laying out would show in the middle of the screen.
func TestRenderPrintsNothing(t *testing.T) {
	printed := filepath.Join(t.TempDir(), "stdout")
	f, err := os.Create(printed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stdout := os.Stdout
	os.Stdout = f
	dark.Render(tour+"\n[a]: http://b\n\n<p>x</p>\n\nterm\n: definition\n\nnote[^1]\n\n[^1]: foot", 40)
	os.Stdout = stdout
	if got, err := os.ReadFile(printed); err != nil || len(got) > 0 {
		t.Errorf("printed %q, %v", got, err)
	}
}

func TestRenderTogether(t *testing.T) {
	want := dark.Render(tour, 60)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := dark
			if i%2 == 1 {
				theme := themes.Dark()
				theme.Code.Keyword = fmt.Sprintf("#0000%02x", i)
				r = New(theme)
			}
			for range 3 {
				got := r.Render(tour, 60)
				if seen(got) != seen(want) || r == dark && !slices.Equal(got, want) {
					t.Error("lines differ when rendered at the same time")
				}
			}
		})
	}
	wg.Wait()
}

func TestRenderOfMonstrousTextEndsSoon(t *testing.T) {
	monsters := []struct{ name, s string }{
		{"quotes", strings.Repeat("> ", 1000) + "x"},
		{"quotes at half the width", strings.Repeat("> ", 30) + "x"},
		{"quotes at the cap", strings.Repeat("> ", maxDepth) + strings.Repeat("word ", 200)},
		{"lists", strings.Repeat("- ", 1000) + "x"},
		{"nested lists", nested(100)},
		{"long list", strings.Repeat("- x\n", 20_000)},
		{"long table", "|a|b|\n|-|-|\n" + strings.Repeat("|1|2|\n", 9_000)},
		{"wide table", strings.Repeat("|a", 5000) + "|\n" + strings.Repeat("|-", 5000) + "|\n"},
		{"brackets", strings.Repeat("[", 4_000)},
		{"links", strings.Repeat("[a](", 10_000)},
		{"images", strings.Repeat("![a](b ", 10_000)},
		{"stars", strings.Repeat("*a ", 4_000)},
		{"underscores", strings.Repeat("_a__b", 2_000)},
		{"ticks", strings.Repeat("`a``b", 2_000)},
		{"angles", strings.Repeat("<a ", 4_000)},
		{"entities", strings.Repeat("&#27;", 30_000)},
		{"backslashes", strings.Repeat(`\`, 20_000)},
		{"one line", strings.Repeat("x", 20_000)},
		{"code", "```go\n" + strings.Repeat("x := 1\n", 9_000) + "```"},
		{"code without a language", "```\n" + strings.Repeat("int x = 1;\n", 2_000) + "```"},
		{"emphasis in emphasis", strings.Repeat("**a *b ", 2_000) + strings.Repeat("* **", 2_000)},
		{"larger than the cap", strings.Repeat("words and *more* words ", 2*maxBytes/23)},
		{"lines", strings.Repeat("\n- x", 100_000)},
		{"table that grows", strings.Repeat("|a", 15_000) + "\n" + strings.Repeat("|-", 15_000) + strings.Repeat("\n|", 9_000)},
		{"rules of tables", strings.Repeat("a\n|-|\n", 4_000)},
		{"bars in code", "|a|b|\n|-|-|\n|" + strings.Repeat("`\\|`|", 1_900)},
		{"bars in one code", "|a|b|\n|-|-|\n|`" + strings.Repeat("\\|", 1_900) + "`|"},
		{"quotes in code", "```rust\n" + strings.Repeat("'a \"b' ", 7_000)},
		{"one long string", "```go\n" + strings.Repeat("\"\" ", 15_000)},
		{"comments in code", "```rust\n" + strings.Repeat("/*", 25_000)},
		{"tags", "```html\n" + strings.Repeat("<a '", 15_000)},
		{"styles", strings.Repeat("**a** ", 10_000)},
		{"styles in a cell", "|a|\n|-|\n|" + strings.Repeat("**a** ", 10_000) + "|"},
		{"addresses", strings.Repeat("http://a.b/c ", 4_000)},
		{"mail", strings.Repeat("a@b.c ", 10_000)},
		{"at", strings.Repeat("a@", 25_000)},
		{"definitions", strings.Repeat("[a]: b\n", 3_000)},
		{"fences", strings.Repeat("```\n", 3_000)},
		{"brackets and text", strings.Repeat("[a ", 20_000)},
		{"images without an end", strings.Repeat("![", 25_000)},
		{"strikes", strings.Repeat("~~a ", 15_000)},
		{"ticks of every length", ticks(300)},
	}
	for _, m := range monsters {
		t.Run(m.name, func(t *testing.T) {
			done := make(chan []string)
			go func() { done <- dark.Render(m.s, 60) }()
			select {
			case lines := <-done:
				checkWidth(t, lines, 60)
			case <-time.After(time.Minute): // milliseconds are usual; what explodes takes years
				t.Fatal("still rendering after a minute")
			}
		})
	}
}

func ticks(most int) string {
	var b strings.Builder
	for i := range most {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	return b.String()
}

func nested(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "%s- x\n", strings.Repeat("  ", i))
	}
	return b.String()
}

func BenchmarkRender(b *testing.B) {
	kilobyte := tour[:strings.Index(tour, "---\n    ")]
	sizes := []struct {
		name string
		s    string
	}{
		{"mixed=1kB", kilobyte},
		{"mixed=20kB", strings.Repeat(kilobyte+"\n\n", 20_000/len(kilobyte))},
		{"prose=20kB", strings.Repeat(strings.Repeat("Some **words** of a reply. ", 20)+"\n\n", 37)},
	}
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(len(size.s)))
			for b.Loop() {
				dark.Render(size.s, 80)
			}
		})
	}
}
