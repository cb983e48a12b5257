package tokens

import (
	"strings"
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// reference returns tiktoken-go's encoder, which follows OpenAI's own but takes
// ten times the memory and quadratic time.
var reference = map[string]func() (*tiktoken.Tiktoken, error){
	"cl100k_base": sync.OnceValues(func() (*tiktoken.Tiktoken, error) { return newReference("cl100k_base") }),
	"o200k_base":  sync.OnceValues(func() (*tiktoken.Tiktoken, error) { return newReference("o200k_base") }),
}

var useLoader = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

func newReference(name string) (*tiktoken.Tiktoken, error) {
	useLoader()
	return tiktoken.GetEncoding(name)
}

func wantSame(t *testing.T, e *encoding, s string) {
	t.Helper()
	ref, err := reference[e.name]()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.count(s), len(ref.EncodeOrdinary(s)); got != want {
		t.Errorf("%s: count(%q) = %d, want %d as tiktoken counts", e.name, s, got, want)
	}
}

var tricky = []string{
	"", " ", "  ", "\n", "\r\n\r\n", " \n \n  x", "a", "a  b", "a\u00a0\u2003b", "\t\tif x {\n\t\t\treturn\n\t}\n\n\n",
	"don't DON'T we'll I'D they'Ve 's 'x '", "HTTPServer getURLFor iPhone ABC中DEFg éÉß ǅ ʰa",
	"1234567 3.14159 ½ ٣٤٥ Ⅻ 1a2b", "e\u0301a\u0301 \u0301\u0301x", "path/to//file.go:12\n///\n/", "<|endoftext|><|im_start|>",
	"数据库连接失败,请重试。这是一个没有空格的句子", "こんにちは、世界。カタカナー", "안녕하세요 세계", "👩‍👩‍👧‍👦👍🏽🇩🇪 ❤️", "\x00\x01\x7f", "bad \xff\xfe\xf0\x9f utf8 \xc3",
	"สวัสดีครับ", "नमस्ते दुनिया", "مرحبا بالعالم", "Привет, МИР", "\u200b\u200d\ufeff", "-----\n=====\n", "a'\u017f b'S",
}

func TestCountIsTiktokens(t *testing.T) {
	for _, e := range []*encoding{o200k, cl100k} {
		for _, s := range tricky {
			wantSame(t, e, s)
		}
		wantSame(t, e, strings.Join(tricky, " "))
	}
}

func FuzzCountIsTiktokens(f *testing.F) {
	for _, s := range tricky {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<10 { // longer runs are cut
			return
		}
		wantSame(t, o200k, s)
		wantSame(t, cl100k, s)
	})
}
