package ui

import "pleat/compaction"

// legend explains the signs of one part of the screen.
type legend struct {
	title string
	in    place // where somebody looks at it
	signs []explained
}

// explained is a sign or a word, and what it means.
type explained struct{ what, means string }

// legends are all there are, in the order in which help lists them.
var legends = []legend{
	{"signs beside messages", inTranscript | inPreview, []explained{
		{"▌", "pinned: compaction leaves it alone. The system prompt and the first request are, unless the pin of the strategy lets them go"},
		{"≡", "a summary stands for several messages"},
		{"┆", "folded: stored, not sent"},
		{"▒", "masked: sent as one line"},
		{"×", "excluded: not sent"},
		{"‹2/3›", "the second of three ways that the conversation took from here"},
	}},
	{"signs of the bar", inContext, []explained{
		{"█ ▓ ≡ ▒ ░", "system prompt, pinned, summaries, tool results, chat"},
		{"+ · ┊ # %", "draft, free, kept for the reply, request overhead, tool schemas"},
		{"╎ |", "compaction goes down to here, is due from here"},
		{"≈ ≤ ?", "estimated, at most, not known"},
	}},
	{"signs of the timeline", inTimeline, []explained{
		{"▲ ◆", "the selected step, the present"},
		{"≡ ↶", "a compaction, and its revert"},
		{"▌ ▒ ×", "something was pinned, masked, excluded"},
		{"─ ·", "below the columns: done, undone"},
		{"2.1k|", "┄ from here compaction is due: the trigger"},
		{"8.2k┊", "─ the window, where more than that was in it"},
		{"8.2k┤", "the size that fills the chart"},
	}},
	{"signs of the comparison", inCompare | inParams, []explained{
		{"•", "the strategy in use"},
		{"!", "misses the target"},
		{"≤ ≈", "at most, since the summary is not written yet; about"},
		{"?", "not known without the model"},
	}},
	{"signs of the values", inValues, []explained{
		{"!", "in the summary, but nowhere in the conversation"},
		{"✗", "missing: the model does not get it any more"},
		{"✓", "missing in the summary, listed below it"},
		{"=", "kept word for word"},
		{"▸ ▾", "what is kept is folded away, is shown"},
	}},
}

// glossary are the words that the screen uses, strategies apart.
var glossary = []explained{
	{"summary", "a text that the model gets in place of several messages; they are all kept inside"},
	{"fold", "to put messages into a summary; open it to see them, revert it to have them sent again"},
	{"pin", "to keep a message word for word, whatever is compacted"},
	{"mask", "to send one line in place of a tool result"},
	{"exclude", "not to send a message any more; it stays here"},
	{"way", "what came after a message once; saying something else there begins another, and none is lost"},
	{"window", "the tokens that the model reads at once"},
	{"reserve", "the tokens of the window that are kept free for the reply"},
	{"trigger", "the share of the rest over which compaction is due"},
	{"target", "the share of it that compaction comes down to"},
	{"values", "what must stay exact, such as paths, numbers, dates, commands; 9/12 is how many of all the model still gets"},
	{"re-reads", "tokens that the server must process again, since the beginning that it remembers has changed"},
}

// legends explains the signs of the places that are wanted.
func (h *manual) legends(wanted func(place) bool) {
	for _, l := range legends {
		if wanted(l.in) {
			h.head(l.title)
			h.explain(l.signs)
		}
	}
}

// vocabulary explains the words of the screen, and the strategies.
func (h *manual) vocabulary() {
	h.head("words")
	h.explain(glossary)
	h.head("strategies")
	for _, s := range compaction.All() {
		h.entry(explainedWidth, s.Name, s.Help)
	}
}

// explainedWidth holds any name of a strategy.
const explainedWidth = 20

func (h *manual) explain(list []explained) {
	for _, e := range list {
		h.entry(12, e.what, e.means)
	}
}
