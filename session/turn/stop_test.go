package turn

import (
	"context"
	"errors"
	"iter"
	"testing"

	"pleat/providers"
)

func TestSendIsStopped(t *testing.T) {
	t.Run("before anything", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := runner(fine(), 2048, Auto)
		r.Conversation = store(t).Begin()
		l := listen(t, r.Send(ctx, "hi"))
		if !errors.Is(l.failed, ErrStopped) || r.Conversation.Head() != nil {
			t.Errorf("failed %v with history %q, want %v and nothing", l.failed, history(r.Conversation.Head()), ErrStopped)
		}
	})
	t.Run("in the middle", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r := runner(hanging(), 2048, Auto)
		var replied Replied
		for e := range r.Send(ctx, "hi") {
			switch e := e.(type) {
			case Delta:
				cancel()
			case Replied:
				replied = e
			}
		}
		if !errors.Is(replied.Err, ErrStopped) || history(r.Conversation.Head()) != "u:hi a:so_far/cut" {
			t.Errorf("reply %+v in %q", replied, history(r.Conversation.Head()))
		}
	})
	t.Run("too late", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p := &answers{reply: func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
			return func(yield func(providers.Chunk, error) bool) {
				yield(piece("all"), nil)
				cancel()
				yield(ended(providers.FinishStop), nil)
			}
		}}
		r := runner(p, 2048, Auto)
		l := listen(t, r.Send(ctx, "hi"))
		if l.replied == nil || l.replied.Err != nil || l.replied.Message.Cut != "" {
			t.Errorf("got %+v, want a complete reply", l.replied)
		}
	})
}

func TestReaderMayLeave(t *testing.T) {
	tests := []struct {
		name  string
		leave func(Event) bool
		want  string
	}{
		{"at once", func(e Event) bool { _, ok := e.(Sent); return ok }, "u:hi"},
		{"in the middle", func(e Event) bool { _, ok := e.(Delta); return ok }, "u:hi a:so_far/cut"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := hanging()
			r := runner(p, 2048, Auto)
			for e := range r.Send(t.Context(), "hi") {
				if tt.leave(e) {
					break
				}
			}
			if got := history(r.Conversation.Head()); got != tt.want {
				t.Errorf("history %q, want %q", got, tt.want)
			}
		})
	}
}
