package chat_test

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"pleat/compaction"
	"pleat/compaction/chat"
	"pleat/session"
)

func user(text string) session.Message { return session.Message{Role: session.User, Text: text} }

func reply(text string) session.Message { return session.Message{Role: session.Assistant, Text: text} }

// summing stands for a model that sums up: it sends one answer and says that it
// is complete.
func summing(text string) compaction.Ask {
	return func(context.Context, compaction.Prompt) iter.Seq2[compaction.Piece, error] {
		return func(yield func(compaction.Piece, error) bool) {
			yield(compaction.Piece{Text: text, Done: true, Finish: compaction.FinishStop}, nil)
		}
	}
}

// A chat may own a strategy that runs whenever a message is added. Here it keeps
// the system prompt and the last two messages.
func ExampleChat() {
	ctx := context.Background()
	c, err := chat.New(chat.Setup{Size: new(2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range []session.Message{
		{Role: session.System, Text: "Be brief."},
		user("What is a pleat?"), reply("A fold in cloth."),
		user("And a crease?"), reply("A line from folding."),
	} {
		if c, err = c.Add(ctx, m); err != nil {
			fmt.Println(err) // the message is there all the same
		}
	}
	view, err := c.View()
	if err != nil {
		fmt.Println(err) // what must be sent does not fit
		return
	}
	for _, m := range view.Project() {
		fmt.Println(m.Role, m.Text)
	}
	fmt.Println(c.Chain().Context().At(1).Message.Text, "is still there.")
	// Output:
	// system Be brief.
	// user And a crease?
	// assistant A line from folding.
	// What is a pleat? is still there.
}

// A strategy that asks a model goes behind a threshold.
func ExampleSetup_threshold() {
	ctx := context.Background()
	inner, err := compaction.New("summarize", compaction.Params{"keep": "1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := chat.New(chat.Setup{
		Strategy: compaction.Threshold(inner, 100, 0),
		Ask:      summing("They talked about cloth."),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, m := range []session.Message{
		user("What is a pleat?"), reply("A fold. " + strings.Repeat("It is a fold. ", 20)),
		user("And a crease?"), reply("A line. " + strings.Repeat("It is a line. ", 20)),
	} {
		if c, err = c.Add(ctx, m); err != nil {
			fmt.Println(err)
		}
		if e, ok := c.Chain().Event().(session.Compaction); ok {
			fmt.Printf("after message %d: %d → %d tokens, %q\n", i+1, e.Before, e.After, e.Summary)
		}
	}
	// Output:
	// after message 4: 151 → 89 tokens, "They talked about cloth."
}

// The caller may compact between turns: a key was pressed, or the model called
// for it. Undo takes it back.
func ExampleChat_Compact() {
	ctx := context.Background()
	c, err := chat.New(chat.Setup{Ask: summing("A pleat is a fold.")})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range []session.Message{
		user("What is a pleat?"), reply("A fold. " + strings.Repeat("It is a fold. ", 20)),
		user("And a crease?"), reply("A line from folding."),
	} {
		if c, err = c.Add(ctx, m); err != nil {
			fmt.Println(err)
		}
	}
	s, err := compaction.New("summarize", compaction.Params{"keep": "2", "pin": "system"})
	if err != nil {
		fmt.Println(err)
		return
	}
	short, err := c.Compact(ctx, s)
	if err != nil {
		fmt.Println(err) // and short is c
		return
	}
	for it := range short.Chain().Context().Live() {
		fmt.Printf("%q\n", it.Sent().Text)
	}
	fmt.Println(short.Chain().Undo() == c.Chain())
	// Output:
	// "[CONTEXT SUMMARY]\nA pleat is a fold."
	// "And a crease?"
	// "A line from folding."
	// true
}

// A ReAct loop begins with its goal and compacts between its steps, so that the
// model always sees the goal and the last step.
func ExampleChat_Between() {
	ctx := context.Background()
	c, err := chat.New(chat.Setup{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := compaction.New("window", compaction.Params{"size": "2", "pin": "react"})
	if err != nil {
		fmt.Println(err)
		return
	}
	add := func(m session.Message) {
		if c, err = c.Add(ctx, m); err != nil {
			fmt.Println(err)
		}
	}
	script := []string{"search", "read", "final_answer"} // what the model calls, step by step
	add(chat.Goal("Find out when the bridge was built.", script...))
	for step, tool := range script {
		view, err := c.View()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("step %d: the model sees %d messages\n", step+1, len(view.Project()))
		id := fmt.Sprint("call-", step)
		add(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: id, Name: tool, Arguments: "{}"}}})
		add(session.Message{Role: session.Tool, ToolCallID: id, Text: "what " + tool + " found"})
		if tool == "final_answer" {
			break
		}
		if c, err = c.Between(ctx, s, nil); err != nil {
			fmt.Println(err) // the loop goes on with what there is
		}
	}
	// Output:
	// step 1: the model sees 1 messages
	// step 2: the model sees 3 messages
	// step 3: the model sees 3 messages
}
