package openai

import (
	"net/url"
	"strings"
)

// knownWindows are the windows of OpenAI's own models in tokens, from the pages
// about each model on platform.openai.com; its list of models does not tell. A
// name stands for itself and for its dated and sized variants; the longest that
// fits counts.
var knownWindows = map[string]int{
	"gpt-3.5-turbo":          16_385,
	"gpt-3.5-turbo-instruct": 4_096,
	"gpt-4":                  8_192,
	"gpt-4-32k":              32_768,
	"gpt-4-turbo":            128_000,
	"gpt-4-0125-preview":     128_000,
	"gpt-4-1106-preview":     128_000,
	"gpt-4o":                 128_000,
	"chatgpt-4o-latest":      128_000,
	"gpt-4.1":                1_047_576,
	"gpt-4.5-preview":        128_000,
	"gpt-5":                  400_000,
	"gpt-5-chat-latest":      128_000,
	"o1":                     200_000,
	"o1-mini":                128_000,
	"o1-preview":             128_000,
	"o3":                     200_000,
	"o3-mini":                200_000,
	"o4-mini":                200_000,
}

// knownWindow returns the window of one of OpenAI's models, by whatever router
// it is reached; 0 for others.
func knownWindow(model string) int {
	name := strings.ToLower(strings.TrimPrefix(model, "openai/"))
	best, window := 0, 0
	for known, w := range knownWindows {
		rest, ok := strings.CutPrefix(name, known)
		if ok && (rest == "" || rest[0] == '-' || rest[0] == ':') && len(known) > best {
			best, window = len(known), w
		}
	}
	return window
}

// reasons reports whether one of OpenAI's models thinks before it answers.
func reasons(model string) bool {
	name := strings.ToLower(strings.TrimPrefix(model, "openai/"))
	for _, family := range []string{"o1", "o3", "o4", "gpt-5"} {
		if rest, ok := strings.CutPrefix(name, family); ok && (rest == "" || rest[0] == '-' || rest[0] == '.') {
			return !strings.Contains(name, "chat")
		}
	}
	return false
}

// official reports whether the server is OpenAI's own, or Microsoft's copy:
// those know nothing but their own API.
func official(base *url.URL) bool {
	host := base.Hostname()
	return host == "api.openai.com" || strings.HasSuffix(host, ".openai.com") ||
		strings.HasSuffix(host, ".azure.com")
}
