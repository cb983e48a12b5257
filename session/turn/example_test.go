package turn_test

import (
	"context"
	"fmt"
	"time"

	"pleat/compaction"
	"pleat/providers/offline"
	"pleat/providers/tokens"
	"pleat/session"
	"pleat/session/turn"
)

// One exchange with whatever answers, kept in a conversation.
func ExampleRunner_Send() {
	counter := tokens.For("any")
	r := turn.Runner{
		Backend: turn.Backend{
			Provider: offline.New(offline.Config{}),
			Meter: turn.Meter{
				Count:   func(it session.Item) int { return counter.Message(it.Sent()) },
				Request: counter.Reply(),
			},
		},
		Settings:     turn.Settings{Reserve: 1024, Strategy: "oldest-first", Auto: turn.Auto, Trigger: compaction.DefaultTrigger, Target: compaction.DefaultTarget},
		Conversation: session.Detached(),
		Gate:         new(compaction.Gate),
		Now:          time.Now,
	}
	for e := range r.Send(context.Background(), "The port is 8443.") {
		switch e := e.(type) {
		case turn.Sent:
			fmt.Println("kept")
		case turn.Replied:
			fmt.Println("answered:", e.Err == nil)
		case turn.Failed:
			fmt.Println(e.Err)
		}
	}
	fmt.Println(r.Conversation.Head().Context().Len(), "messages")
	// Output:
	// kept
	// answered: true
	// 2 messages
}
