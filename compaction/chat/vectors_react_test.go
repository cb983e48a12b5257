package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/session"
)

func vectorsReactLoop(t *testing.T) tally {
	return runVectors(t, "mellea_react_loop", nil, func(t *testing.T, v vector) error {
		var in struct {
			Turns []string
			Goal  string
		}
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		var s Setup
		var between compaction.Strategy
		for name, use := range map[string]func(compaction.Inline){"context": func(i compaction.Inline) { s.Strategy = i }, "compactor": func(i compaction.Inline) { between = i }} {
			text, given := v.Params[name].(string)
			if !given {
				continue
			}
			if inner, ok := strings.CutPrefix(text, "ChatContext("); ok {
				text = strings.TrimSuffix(inner, ")")
			}
			i, err := v.inlineOf(t, text)
			if err != nil {
				return err
			}
			use(i)
		}
		c, err := New(s)
		if err != nil {
			return err
		}
		most := len(in.Turns)
		if n, ok := v.Params["loop_budget"].(float64); ok {
			most = int(n)
		}
		l := &loop{turns: in.Turns, most: most, between: between}
		c, err = l.run(t.Context(), c, in.Goal)
		got := map[string]any{"per_turn_compactions": l.compactions, "model_saw": l.saw}
		if err != nil {
			got["error"] = "RuntimeError"
		} else {
			got["answer"], got["final_kinds"] = "done", kinds(c.Chain().Context())
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(v.Expected)
		if string(a) != string(b) {
			return fmt.Errorf("got %s, want %s", a, b)
		}
		return nil
	})
}

// loop is a ReAct loop whose model calls the given tools one after another.
type loop struct {
	turns       []string
	most        int
	between     compaction.Strategy // nil for none
	saw         [][]string
	compactions []map[string]int
}

func (l *loop) run(ctx context.Context, c Chat, goal string) (Chat, error) {
	l.compactions = []map[string]int{}
	c, err := c.Add(ctx, Goal(goal, "search", "final_answer"))
	for i := 0; err == nil; i++ {
		if i == l.most {
			return c, errors.New("the loop has no step left")
		}
		var view session.Context
		if view, err = c.View(); err != nil {
			break
		}
		l.saw = append(l.saw, kinds(view))
		id := strconv.Itoa(i)
		step := []session.Message{injected("<thought " + id + ">"), calling(id), result(id, "result of "+id)}
		step[1].ToolCalls[0].Name = l.turns[i]
		for _, m := range step {
			if c, err = c.Add(ctx, m); err != nil {
				return c, err
			}
		}
		if l.turns[i] == "final_answer" {
			return c, nil
		}
		if l.between != nil {
			before := len(kinds(c.Chain().Context()))
			c, err = c.Between(ctx, l.between, nil)
			l.compactions = append(l.compactions, map[string]int{"before": before, "after": len(kinds(c.Chain().Context()))})
		}
	}
	return c, err
}

// kinds says what the model gets in the words of the cases.
func kinds(ctx session.Context) []string {
	var words []string
	for it := range ctx.Live() {
		switch m := it.Message; {
		case compaction.IsGoal(it):
			words = append(words, "ReactInitiator")
		case m.Role == session.Tool:
			words = append(words, "ToolMessage")
		case m.Role == session.Assistant:
			words = append(words, "ComputedModelOutputThunk")
		default:
			words = append(words, "ReactThought")
		}
	}
	return words
}
