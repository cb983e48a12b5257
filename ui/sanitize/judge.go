package sanitize

import (
	"unicode"
	"unicode/utf8"
)

const (
	maxStacked = 6 // combining marks on one base; Tibetan and Hebrew need as many
	maxJoined  = 8 // characters joined into one; the longest emoji have four

	zeroWidthSpace     = '\u200b'
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	softHyphen         = '\u00ad'
	byteOrderMark      = '\ufeff'
)

type verdict int

const (
	stays    verdict = iota
	goes             // and leaves a mark
	vanishes         // without a mark
)

// judge says whether r, which is no control character of ASCII, may stay
// between what was kept before it and rest, the text behind it.
func (h *neighbourhood) judge(r rune, rest string) verdict {
	switch {
	case r == '\n' || ' ' <= r && r < 0x7f || isPlainLetter(r):
		return stays
	case r == softHyphen, r == byteOrderMark && h.prev == 0:
		return vanishes
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner, r == zeroWidthSpace:
		return stayIf(h.joins(rest))
	case r == '\u200e' || r == '\u200f' || r == '\u061c':
		return stayIf(isRightToLeft(h.prev) || isRightToLeft(first(rest)))
	case isVariationSelector(r):
		return stayIf(h.varies(r))
	case unicode.In(r, unicode.Mn, unicode.Me):
		return stayIf(h.prev != 0 && h.stacked < maxStacked && !unicode.Is(blank, r))
	}
	return stayIf(!isInvisible(r))
}

func stayIf(ok bool) verdict {
	if ok {
		return stays
	}
	return goes
}

// keep records that r was written.
func (h *neighbourhood) keep(r rune) {
	switch {
	case r == '\n':
		*h = neighbourhood{}
		return
	case r < 0x300 || isPlainLetter(r):
		h.stacked, h.joined = 0, 0
	case unicode.In(r, unicode.Mn, unicode.Me):
		h.stacked++
	case h.prev == zeroWidthJoiner:
		h.joined++
		h.stacked = 0
	case r != zeroWidthJoiner:
		h.stacked, h.joined = 0, 0
	}
	h.prev, h.marked = r, false
}

// isPlainLetter reports whether r is a common letter of a script without
// joiners. Most text needs no more than this to be judged.
func isPlainLetter(r rune) bool {
	return 0xc0 <= r && r <= 0x24f || 0x3b1 <= r && r <= 0x3c9 || 0x410 <= r && r <= 0x44f ||
		0x3041 <= r && r <= 0x3096 || 0x30a1 <= r && r <= 0x30fa || 0x4e00 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3
}

// joins reports whether a joiner (or a zero-width space) has work to do here:
// between two emoji, or inside a word of a script that is written with them.
func (h *neighbourhood) joins(rest string) bool {
	next := first(rest)
	if h.joined >= maxJoined {
		return false
	}
	return isComplex(h.prev) && isComplex(next) && unicode.IsLetter(next) ||
		isEmojiPart(h.prev) && isEmoji(next)
}

// varies reports whether variation selector r may follow what was kept: one
// per character, and only where it chooses between known shapes.
func (h *neighbourhood) varies(r rune) bool {
	switch {
	case r == '\ufe0e' || r == '\ufe0f':
		return isEmoji(h.prev) || h.prev == '#' || h.prev == '*' || '0' <= h.prev && h.prev <= '9'
	case r <= '\u180f':
		return unicode.Is(unicode.Mongolian, h.prev) && unicode.IsLetter(h.prev)
	default:
		return unicode.Is(unicode.Han, h.prev) || r < 0xe0100 && unicode.Is(unicode.Sm, h.prev)
	}
}

func isVariationSelector(r rune) bool {
	return '\u180b' <= r && r <= '\u180d' || r == '\u180f' ||
		'\ufe00' <= r && r <= '\ufe0f' || 0xe0100 <= r && r <= 0xe01ef
}

// blank holds the letters and marks that no font shows.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x2060, Hi: 0x206f, Stride: 1}, // word joiner, invisible operators, isolates
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // halfwidth Hangul filler
		{Lo: 0xfff0, Hi: 0xfffb, Stride: 1}, // interlinear annotation and unassigned
	},
	R32: []unicode.Range32{
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}, // tags and unassigned ignorables
	},
}

// isInvisible reports whether r shows nothing by itself or means nothing.
func isInvisible(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp), unicode.Is(blank, r):
		return true
	case r&0xfffe == 0xfffe, 0xfdd0 <= r && r <= 0xfdef: // noncharacters
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isComplex reports whether r belongs to a script that uses joiners, or writes
// no spaces and marks its line breaks with zero-width ones: Arabic to Myanmar,
// Khmer, Mongolian and their relatives.
func isComplex(r rune) bool {
	in := 0x0600 <= r && r <= 0x109f || 0x1700 <= r && r <= 0x1cff ||
		0xa800 <= r && r <= 0xabff || 0x11000 <= r && r <= 0x11fff
	return in && (unicode.IsLetter(r) || unicode.IsMark(r))
}

func isRightToLeft(r rune) bool {
	in := 0x0590 <= r && r <= 0x08ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r <= 0x10fff
	return in && unicode.IsLetter(r)
}

func isEmoji(r rune) bool {
	return r == '©' || r == '®' || r >= 0x2000 && (unicode.IsSymbol(r) || unicode.IsPunct(r))
}

// isEmojiPart reports whether r ends an emoji that a joiner may continue.
func isEmojiPart(r rune) bool {
	return isEmoji(r) || r == '\ufe0f'
}

func first(s string) rune {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return 0
	}
	return r
}
