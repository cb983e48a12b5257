package turn

import (
	"pleat/session"
)

// Share is what one item takes of the next request.
type Share struct {
	ID     session.ID
	Row    int // its place in the transcript when all is folded, from 0
	Kind   Kind
	Tokens int  // as [Meter.Item] counts them
	Sent   bool // false: the user excluded it, and Tokens is what it would take
}

// Shares returns the shares of what the model gets, and of what the user
// excluded, in the order of the transcript.
func (t Meter) Shares(x session.Context) []Share {
	correct := t.correction()
	shares := make([]Share, 0, x.Len())
	row := -1
	for it := range x.Rows() {
		row++
		if live := it.Live(); live || it.Excluded {
			shares = append(shares, Share{
				ID: it.ID, Row: row, Kind: t.kindOf(x.Glance(it.Index)), Tokens: correct.of(t.Count(it)), Sent: live,
			})
		}
	}
	return shares
}
