package offline

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"pleat/providers"
	"pleat/session"
)

// perToken is how many bytes of text a token has, about, where nobody counts.
const perToken = 4

// pieces cuts a text into words, each with the blanks and marks that follow it.
func pieces(text string) []string {
	var out []string
	start, at := 0, 0
	for seg := words.FromString(text); seg.Next(); {
		word := seg.Value()
		if r, _ := utf8.DecodeRuneInString(word); at > start && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			out = append(out, text[start:at])
			start = at
		}
		at += len(word)
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// limit returns the longest beginning of a reply that takes at most maxTokens,
// 0 for no limit, and why the reply ends there.
func (p *Provider) limit(words []string, maxTokens int) ([]string, string) {
	if maxTokens <= 0 || p.size(words) <= maxTokens {
		return words, providers.FinishStop
	}
	over := func(n int) bool { return p.size(words[:n+1]) > maxTokens }
	return words[:sort.Search(len(words), over)], providers.FinishLength
}

// size returns the tokens of a reply's text, without what a message costs
// besides: servers count replies like that.
func (p *Provider) size(words []string) int {
	text := strings.Join(words, "")
	if p.cfg.Count == nil {
		return (len(text) + perToken - 1) / perToken
	}
	return max(0, p.cfg.Count(session.Message{Role: session.Assistant, Text: text})-
		p.cfg.Count(session.Message{Role: session.Assistant}))
}

// usage counts a request and its reply; nil where nobody can.
func (p *Provider) usage(messages []session.Message, words []string) *session.Usage {
	if p.cfg.Count == nil {
		return nil
	}
	u := session.Usage{Completion: p.size(words)}
	for _, m := range messages {
		u.Prompt += p.cfg.Count(m)
	}
	return &u
}
