package session

import "context"

// Way is one way that a conversation has taken, by where it ends.
type Way struct {
	Branch
	End *Chain

	// Within says that another way has all of its messages: what sets it apart is
	// only what was compacted, marked or renamed on it, and undone since. The way
	// to the tip is never within another.
	Within bool
}

// Ways returns all ways of the conversation as [Conversation.Branches] does, the
// newest first. One that cannot be loaded is left out. Of those with the same
// messages all but one are within it: that to the tip if it is among them, else
// the newest.
func (c *Conversation) Ways(ctx context.Context) ([]Way, error) {
	branches, err := c.Branches(ctx)
	if err != nil {
		return nil, err
	}
	var ways []Way
	for _, b := range branches {
		end, err := c.Find(ctx, b.Tip)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			ways = append(ways, Way{Branch: b, End: end})
		}
	}
	markWithin(ways, c.Tip().ID())
	return ways, nil
}

func markWithin(ways []Way, tip ID) {
	stands := map[ID]int{} // by the last message, for all ways that end with it
	for i, w := range ways {
		last := w.End.lastMessage().ID()
		switch at, seen := stands[last]; {
		case !seen:
			stands[last] = i
		case w.Tip == tip:
			ways[at].Within, stands[last] = true, i
		default:
			ways[i].Within = true
		}
	}
	for _, w := range ways {
		for n := w.End.lastMessage().Parent().lastMessage(); n != nil; n = n.Parent().lastMessage() {
			if at, ok := stands[n.ID()]; ok && ways[at].Tip != tip {
				ways[at].Within = true
			}
		}
	}
	if at, ok := stands[ID{}]; ok && ways[at].Tip != tip {
		ways[at].Within = true // it has no message at all
	}
}

// lastMessage returns the history up to its last message, nil if there is none.
func (c *Chain) lastMessage() *Chain {
	for ; c != nil; c = c.parent {
		if _, ok := c.event.(*Message); ok {
			return c
		}
	}
	return nil
}
