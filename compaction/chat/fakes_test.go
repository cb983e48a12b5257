package chat

import (
	"context"
	"iter"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/compaction/compactiontest/history"
	"pleat/session"
)

var (
	size     = history.Size
	one      = history.One
	user     = history.User
	system   = history.System
	reply    = history.Reply
	injected = history.Injected
	calling  = history.Calling
	result   = history.Result
	texts    = history.Texts

	long = strings.TrimSpace(strings.Repeat("data ", 20))
)

// model sums up: it says one answer after another, the last one again and again,
// or fails, and remembers what it was asked.
type model struct {
	answers []string
	err     error
	asked   []compaction.Prompt
}

func (m *model) ask(ctx context.Context, p compaction.Prompt) iter.Seq2[compaction.Piece, error] {
	m.asked = append(m.asked, p)
	return func(yield func(compaction.Piece, error) bool) {
		err := m.err
		if stopped := ctx.Err(); stopped != nil {
			err = stopped
		}
		if err != nil {
			yield(compaction.Piece{}, err)
			return
		}
		text := m.answers[min(len(m.asked), len(m.answers))-1]
		yield(compaction.Piece{Text: text, Done: true, Finish: compaction.FinishStop}, nil)
	}
}

func mustNew(t testing.TB, name string, p compaction.Params) compaction.Strategy {
	t.Helper()
	s, err := compaction.New(name, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustInline(t testing.TB, name string, p compaction.Params) compaction.Inline {
	t.Helper()
	s, err := compaction.NewInline(name, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustChat(t testing.TB, s Setup) Chat {
	t.Helper()
	c, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// added adds messages and fails the test if one of them fails.
func added(t testing.TB, c Chat, messages ...session.Message) Chat {
	t.Helper()
	for _, m := range messages {
		var err error
		if c, err = c.Add(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	return c
}
