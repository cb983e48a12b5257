package turn

import (
	"context"
	"errors"
	"iter"
	"testing"

	"pleat/providers"
	"pleat/session"
)

func TestRetry(t *testing.T) {
	user := session.Message{Role: session.User, Text: "hi"}
	reply := session.Message{Role: session.Assistant, Text: "old"}
	cut := session.Message{Role: session.Assistant, Text: "ol", Cut: "stopped"}
	system := session.Message{Role: session.System, Text: "be brief"}
	call := session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "ls", Arguments: "{}"}}}
	result := session.Message{Role: session.Tool, ToolCallID: "1", Text: "a.go"}
	tests := []struct {
		name   string
		before []session.Message
		p      *answers
		after  string
		sent   string // what the model got
		undone string // after one undo
	}{
		{"nothing", nil, fine(), "", "", ""},
		{"nothing but a system prompt", []session.Message{system}, fine(), "s:be_brief", "", ""},
		{"no reply", []session.Message{user}, fine(), "u:hi a:hello_you", "hi", ""},
		{"a reply that was cut", []session.Message{user, cut}, fine(), "u:hi (a:ol/cut) a:hello_you", "hi", "u:hi a:ol/cut"},
		{"a complete reply", []session.Message{user, reply}, fine(), "u:hi (a:old) a:hello_you", "hi", "u:hi a:old"},
		{"a result of a tool", []session.Message{user, call, result}, fine(), "u:hi a: t:a.go a:hello_you", "hi  a.go", ""},
		{"in vain", []session.Message{user, reply}, saying(errors.New("down")), "u:hi a:old", "hi", ""},
		{"in part", []session.Message{user, reply}, saying(errors.New("down"), piece("ne")), "u:hi (a:old) a:ne/cut", "hi", "u:hi a:old"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := runner(tt.p, 2048, Auto)
			for _, m := range tt.before {
				fill(t, r.Conversation, m)
			}
			l := listen(t, r.Retry(t.Context()))
			if got := history(r.Conversation.Head()); got != tt.after {
				t.Errorf("history %q, want %q", got, tt.after)
			}
			if l.replied == nil && l.failed == nil {
				t.Error("the turn has no end")
			}
			if tt.sent == "" {
				if len(tt.p.asked) > 0 {
					t.Errorf("asked for a reply to nothing: %v", tt.p.asked)
				}
				return
			}
			if got := texts(tt.p.asked[0]); got != tt.sent {
				t.Errorf("sent %q, want %q", got, tt.sent)
			}
			if tt.undone == "" {
				return
			}
			if head, err := r.Conversation.Undo(t.Context()); err != nil || history(head) != tt.undone {
				t.Errorf("undo gives %q, %v, want %q", history(head), err, tt.undone)
			}
		})
	}
}

// TestRetryOfAnUndoneMessage has the user take the message back while another
// reply to it comes: redo leads to that one.
func TestRetryOfAnUndoneMessage(t *testing.T) {
	p := fine()
	r := runner(p, 2048, Off)
	fill(t, r.Conversation, session.Message{Role: session.User, Text: "hi"})
	fill(t, r.Conversation, session.Message{Role: session.Assistant, Text: "old"})
	inner := p.reply
	p.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		if _, err := r.Conversation.Undo(ctx); err != nil {
			t.Error(err)
		}
		return inner(ctx, req)
	}
	if l := listen(t, r.Retry(t.Context())); len(l.notices) != 1 {
		t.Errorf("got %v, want a notice", l.events)
	}
	if head, err := r.Conversation.Redo(t.Context()); err != nil || history(head) != "u:hi (a:old) a:hello_you" {
		t.Errorf("redo gives %q, %v", history(head), err)
	}
}
