package markdown

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marked shows the tokens of code by the first letter of their kind.
func marked(code, language string) string {
	letters := map[token]string{comment: "c", keyword: "k", quoted: "q", number: "n", function: "f", typeName: "t", inserted: "i", deleted: "d"}
	var b strings.Builder
	highlight(code, language, func(s string, t token) {
		if t == other {
			b.WriteString(s)
		} else {
			b.WriteString(letters[t] + "‹" + s + "›")
		}
	})
	return b.String()
}

func TestHighlightTellsTokens(t *testing.T) {
	tests := []struct{ name, language, in, want string }{
		{"go", "go", "func f(x int) error { return nil } // end", "k‹func› f‹f›(x t‹int›) t‹error› { k‹return› n‹nil› } c‹// end›"},
		{"go raw string over lines", "go", "s := `a\n// b\\` + \"c\\\"\" + 'd'", "s := q‹`a\n// b\\`› + q‹\"c\\\"\"› + q‹'d'›"},
		{"go comment over lines", "go", "/* a\n\"b */ x", "c‹/* a\n\"b */› x"},
		{"go comment without an end", "go", "x /* a\nb", "x c‹/* a\nb›"},
		{"field called like a keyword", "js", "a.type = b.default(1)", "a.type = b.k‹default›(n‹1›)"},
		{"numbers", "go", "0x1F + 1_000 + 3.14 + 1e9 + a1", "n‹0x1F› + n‹1_000› + n‹3.14› + n‹1e9› + a1"},
		{"range", "rust", "1..2", "n‹1›..n‹2›"},
		{"python", "python", "@cache\ndef f(self, x: str) -> Foo:\n  # note\n  return f'{x}'", "f‹@cache›\nk‹def› f‹f›(n‹self›, x: t‹str›) -> t‹Foo›:\n  c‹# note›\n  k‹return› q‹f'{x}'›"},
		{"python string over lines", "py", "\"\"\"a\n'b'\n\"\"\" + 1", "q‹\"\"\"a\n'b'\n\"\"\"› + n‹1›"},
		{"javascript template", "ts", "const s: string = css`a\n${b}`", "k‹const› s: t‹string› = cssq‹`a\n${b}`›"},
		{"rust lifetimes", "rust", "fn f<'a>(x: &'a str) -> char { 'x' }", "k‹fn› f<'a>(x: &'a t‹str›) -> t‹char› { q‹'x'› }"},
		{"rust raw string", "rust", `println!(r#"a "b" \"#)`, `f‹println›!(q‹r#"a "b" \"#›)`},
		{"rust comments in comments", "rust", "/* a /* b */ c */ d", "c‹/* a /* b */ c */› d"},
		{"c comments are flat", "c", "/* a /* b */ c", "c‹/* a /* b */› c"},
		{"c", "c++", "#include <x>\nint main() { return 0; }", "k‹#include› <x>\nt‹int› f‹main›() { k‹return› n‹0›; }"},
		{"java", "Java", "String s = \"a\"; // b", "t‹String› s = q‹\"a\"›; c‹// b›"},
		{"kotlin", "kotlin", "val s = \"\"\"a\nb\"\"\"", "k‹val› s = q‹\"\"\"a\nb\"\"\"›"},
		{"shell", "bash", "apt-get install \"$x\" | grep it's # c\nif true; then a#b $HOME; fi", "f‹apt-get› install q‹\"$x\"› | f‹grep› it's c‹# c›\nk‹if› n‹true›; k‹then› a#b t‹$HOME›; k‹fi›"},
		{"dockerfile", "Dockerfile", "FROM go:1.26 AS build", "k‹FROM› go:n‹1.26› k‹AS› build"},
		{"sql", "sql", "SELECT count(*) FROM t WHERE n = 'it''s' -- c", "k‹SELECT› f‹count›(*) k‹FROM› t k‹WHERE› n = q‹'it'›q‹'s'› c‹-- c›"},
		{"json", "json", `{"a": [1, true, "b"]}`, `{t‹"a"›: [n‹1›, n‹true›, q‹"b"›]}`},
		{"yaml", "yaml", "max-size: 3 # c\nurl: https://a.b/#c\nsay: don't", "t‹max-size›: n‹3› c‹# c›\nt‹url›: https://a.b/#c\nt‹say›: don't"},
		{"toml", "toml", "[a]\nb = \"\"\"c\nd\"\"\"", "[a]\nt‹b› = q‹\"\"\"c\nd\"\"\"›"},
		{"html", "html", "<!-- a\nb --><p data-x=\"1\">it's 'so'</p>", "c‹<!-- a\nb -->›<t‹p› f‹data-x›=q‹\"1\"›>it's 'so'</t‹p›>"},
		{"diff", "diff", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z", "k‹--- a\n›k‹+++ b\n›f‹@@ -1 +1 @@\n›d‹-x\n›i‹+y\n› z"},
		{"unknown", "brainwave", "let x = \"a\" # b", "k‹let› x = q‹\"a\"› c‹# b›"},
		{"text", "text", "if \"a\"", "if \"a\""},
		{"none", "", "if \"a\"", "if \"a\""},
		{"quote without an end", "go", "\"a\nif", "\"a\nk‹if›"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := marked(tt.in, tt.language); got != tt.want {
				t.Errorf("highlight(%q, %q) =\n%s\nwant\n%s", tt.in, tt.language, got, tt.want)
			}
		})
	}
}

var codeMarks = []string{
	"a", "Ab", "if", "'", `"`, "`", `"""`, "'''", `r#"`, `"#`, `R"(`, "\\", "//", "/*", "*/", "#", "--", "<!--", "-->", "<", ">", "$", "@", "é", "中", "\n", " ", "1", ".", "(", ":", "=",
}

func TestHighlightKeepsCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := strings.Join(rapid.SliceOfN(rapid.SampledFrom(codeMarks), 0, 30).Draw(t, "code"), "")
		lang := rapid.SampledFrom(languages[:]).Draw(t, "language")
		checkHighlight(t, code, strings.Fields(lang.names + " unknown")[0])
	})
}

func FuzzHighlight(f *testing.F) {
	f.Add("func main() { fmt.Println(`a\nb`, 'c') } // d", "go")
	f.Add("fn f<'a>(x: &'a str) { r#\"b\"# }", "rust")
	f.Fuzz(func(t *testing.T, code, language string) { checkHighlight(t, code, language) })
}

func checkHighlight(t interface{ Errorf(string, ...any) }, code, language string) {
	var got strings.Builder
	highlight(code, language, func(s string, _ token) { got.WriteString(s) })
	if got.String() != code {
		t.Errorf("highlight(%q, %q) emits %q", code, language, got.String())
	}
}

func BenchmarkHighlight(b *testing.B) {
	inputs := []struct{ name, language, s string }{
		{"go=20kB", "go", strings.Repeat("func f(x int) error { return fmt.Errorf(\"a %d\", x) } // note\n", 320)},
		{"quotes=20kB", "rust", strings.Repeat("'", 20_000)},
		{"one line=20kB", "go", strings.Repeat(`"a" `, 5_000)},
	}
	for _, in := range inputs {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.s)))
			for b.Loop() {
				highlight(in.s, in.language, func(string, token) {})
			}
		})
	}
}
