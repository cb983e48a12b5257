package providers

// slack is what templates and estimates of short conversations are off by, in
// tokens.
const slack = 64

// Dropped reports whether a server seems to have left out a part of what it was
// sent: it counted less than half of the tokens that were expected. Estimates
// for unknown tokenizers are off by a third, so nearer numbers prove nothing.
// Servers from before truncating could be forbidden are the ones to catch; a
// number that is unknown, 0, is never a reason.
func Dropped(expected, promptTokens int) bool {
	return promptTokens > 0 && expected-promptTokens > slack && promptTokens < expected/2
}
