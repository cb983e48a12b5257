package tokens

import "unicode/utf8"

// maxRun is the number of bytes after which an unbroken run is cut, so that
// merging it needs little memory. A cut adds two tokens at most.
const maxRun = 1 << 14

// count returns how many tokens a piece of text takes, as splitting gives it.
func (t *table) count(piece string) int {
	n := 0
	for len(piece) > maxRun {
		end := maxRun
		for !utf8.RuneStart(piece[end]) {
			end--
		}
		n += t.merge(piece[:end])
		piece = piece[end:]
	}
	return n + t.merge(piece)
}

// part is a part of a piece, known by the place of its first byte.
type part struct {
	before, after int32  // the neighbours
	joint         uint32 // rank of this part and the next one taken together
}

// merge counts the tokens of a piece by byte pair encoding: of all neighbours
// that make a token together, those with the lowest rank are joined first, and
// the leftmost of these. A queue finds them, because looking through all parts
// each time would take time by the square of the length.
func (t *table) merge(piece string) int {
	if len(piece) < 2 || t.rank(piece) != none {
		return min(len(piece), 1)
	}
	var someParts [64]part
	var someJoints [64]joint
	parts, next := someParts[:0], queue(someJoints[:0])
	for i := range len(piece) {
		parts = append(parts, part{int32(i - 1), int32(i + 1), none})
	}
	rejoin := func(i int32) {
		p := &parts[i]
		p.joint = none
		if int(p.after) < len(piece) {
			p.joint = t.rank(piece[i:parts[p.after].after])
		}
		if p.joint != none {
			next.push(newJoint(p.joint, i))
		}
	}
	for i := range len(piece) - 1 {
		rejoin(int32(i))
	}
	n := len(piece)
	for len(next) > 0 {
		rank, i := next.pop().split()
		p := &parts[i]
		if p.joint != rank { // what was queued has been joined to something else
			continue
		}
		gone := &parts[p.after]
		gone.joint, p.after = none, gone.after
		if int(p.after) < len(piece) {
			parts[p.after].before = i
		}
		n--
		rejoin(i)
		if p.before >= 0 {
			rejoin(p.before)
		}
	}
	return n
}
