package tokens

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

const mega = 1 << 20

// worst holds a megabyte each of what makes tokenizers slow.
var worst = map[string]string{
	"one letter":  strings.Repeat("a", mega),
	"han":         random(mega/3, func(r *rand.Rand) rune { return 0x4E00 + r.Int32N(3000) }),
	"base64":      base64.StdEncoding.EncodeToString([]byte(random(mega*3/8, func(r *rand.Rand) rune { return 0x80 + r.Int32N(0x700) }))),
	"emoji":       random(mega/4, func(r *rand.Rand) rune { return 0x1F300 + r.Int32N(0x350) }),
	"dashes":      strings.Repeat("-", mega),
	"spaces":      strings.Repeat(" ", mega),
	"line ends":   strings.Repeat("\n", mega),
	"upper lower": strings.Repeat("aB", mega/2),
	"letters":     random(mega, func(r *rand.Rand) rune { return 'a' + r.Int32N(26) }),
}

func random(n int, letter func(*rand.Rand) rune) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range n {
		b.WriteRune(letter(r))
	}
	return b.String()
}

// A quarter of each text is enough: time by the square of the length would be
// minutes for it, and it is 0.1 s on an idle machine.
func TestNothingIsSlow(t *testing.T) {
	for _, c := range []*Counter{counterOf(o200k), counterOf(cl100k), For("llama3.2")} {
		c.Warm()
		for name, s := range worst {
			s = strings.ToValidUTF8(s[:len(s)/4], "")
			start := time.Now()
			if c.Text(s) == 0 {
				t.Errorf("%s counts 0 tokens in %s", c.Name(), name)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%s took %v for a quarter of a megabyte of %s", c.Name(), took, name)
			}
		}
	}
}

func BenchmarkText(b *testing.B) {
	inputs := map[string]string{"prose": strings.Repeat(samples["english"], 100), "code": strings.Repeat(samples["code"], 100)}
	for _, name := range []string{"one letter", "han", "base64", "emoji"} {
		inputs[name+" 1 MB"] = worst[name]
	}
	for _, c := range []*Counter{counterOf(o200k), counterOf(cl100k), For("llama3.2")} {
		c.Warm()
		for name, s := range inputs {
			b.Run(c.Name()+"/"+strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					c.Text(s)
				}
			})
		}
	}
}
