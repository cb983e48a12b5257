package session

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// history draws a chain in which anything may have happened, also what a
// careful program would not do.
func history(t *rapid.T) *Chain {
	var c *Chain
	if rapid.Bool().Draw(t, "system prompt") {
		c = c.Follow(Message{Role: System, Text: "be brief"})
	}
	tip := c
	for i := range rapid.IntRange(1, 40).Draw(t, "events") {
		switch rapid.IntRange(0, 11).Draw(t, "act") {
		case 0, 1, 2:
			c = batch(t, c, i)
		case 3, 4, 5:
			c = c.extend(message(t, i), rapid.Bool().Draw(t, "begins"))
		case 6, 7:
			flag := rapid.SampledFrom([]Flag{Pinned, Excluded, Masked, "unheard of"}).Draw(t, "flag")
			c = c.Append(Mark{Flag: flag, Off: rapid.Bool().Draw(t, "off"), Targets: targets(t, c, "marked")})
		case 8, 9:
			c = c.Append(randomCompaction(t, c, i))
		case 10:
			for _, id := range targets(t, c, "reverted") {
				c = c.Append(Revert{Target: id})
			}
		case 11:
			if rapid.Bool().Draw(t, "undo") {
				c = c.Undo()
			} else {
				c = c.Redo(tip)
			}
			continue
		}
		tip = c
	}
	return c
}

func message(t *rapid.T, i int) Message {
	return Message{
		Role:       rapid.SampledFrom([]Role{System, User, User, User, Assistant, Assistant, Tool}).Draw(t, "role"),
		Text:       rapid.SampledFrom([]string{"", " \n", fmt.Sprint("said ", i), fmt.Sprint(" spaced ", i, "\n")}).Draw(t, "text"),
		ToolCallID: rapid.SampledFrom([]string{"", "0", "gone"}).Draw(t, "call id"),
		Injected:   rapid.IntRange(0, 3).Draw(t, "injected") == 0,
		Reasoning:  "hm",
	}
}

// batch appends calls and their results. Results may be missing, doubled or out
// of order, the reply may be cut off, and something may come in between.
func batch(t *rapid.T, c *Chain, i int) *Chain {
	call := Message{Role: Assistant, Text: rapid.SampledFrom([]string{"", "let me see"}).Draw(t, "call text")}
	n := rapid.IntRange(1, 4).Draw(t, "calls")
	for k := range n {
		arguments := rapid.SampledFrom([]string{"{}", "", `{"half`}).Draw(t, "arguments")
		call.ToolCalls = append(call.ToolCalls, ToolCall{ID: fmt.Sprint(k), Name: "read", Arguments: arguments})
	}
	if rapid.IntRange(0, 4).Draw(t, "cut") == 0 {
		call.Cut = "stopped"
	}
	c = c.Follow(call)
	for _, k := range rapid.SliceOfN(rapid.IntRange(0, n), 0, n+1).Draw(t, "results") {
		if rapid.IntRange(0, 9).Draw(t, "interrupt") == 0 {
			c = c.Follow(message(t, i))
		}
		text := rapid.SampledFrom([]string{"", "short", fmt.Sprintf("%0200d", i)}).Draw(t, "result")
		c = c.Follow(Message{Role: Tool, ToolCallID: fmt.Sprint(k), Text: text, Failed: rapid.Bool().Draw(t, "failed")})
	}
	return c
}

func randomCompaction(t *rapid.T, c *Chain, i int) Compaction {
	e := Compaction{Summary: rapid.SampledFrom([]string{"", fmt.Sprint("summary ", i)}).Draw(t, "summary")}
	ids := slices.DeleteFunc(targets(t, c, "covered"), ID.IsZero)
	for k, id := range ids {
		e.Covers = append(e.Covers, Span{From: ids[k/2], To: id})
	}
	for it := range c.Context().All() { // the usual: summaries fold into the next one
		if it.Compaction != nil && rapid.Bool().Draw(t, "name it") {
			e.Covers = append(e.Covers, Span{From: it.ID, To: it.ID})
		}
	}
	e.Masks = targets(t, c, "masks")
	return e
}

// targets draws ids of messages and compactions, and now and then one that is
// neither.
func targets(t *rapid.T, c *Chain, label string) []ID {
	ids := []ID{{}}
	for it := range c.Context().All() {
		ids = append(ids, it.ID)
	}
	return rapid.SliceOfN(rapid.SampledFrom(ids), 0, 4).Draw(t, label)
}
