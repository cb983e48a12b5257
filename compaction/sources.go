package compaction

import (
	"iter"
	"math"
	"strings"

	"pleat/compaction/facts"
	"pleat/session"
)

// Source is a line of a summary, and the message that it most likely comes from.
type Source struct {
	Line string
	From session.ID // zero if no message says anything like it
}

// Sources returns the lines of the summary of compaction id, blank ones and
// headings left out, with the message of those it covers that each one comes
// from: the one that has the line word for word, or else most of its exact values
// and of its rare words. It reads all that is covered.
func Sources(ctx session.Context, id session.ID) []Source {
	it, ok := ctx.Get(id)
	if !ok || it.Compaction == nil {
		return nil
	}
	var x sourceIndex
	x.read(beneath(ctx, id))
	var list []Source
	for line := range strings.SplitSeq(it.Compaction.Text(), "\n") {
		line = strings.TrimSpace(line)
		if bare := unmarked(line); bare != "" && !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, ":") {
			list = append(list, Source{line, x.find(bare)})
		}
	}
	return list
}

// beneath walks the messages that a compaction covers, those in the summaries
// that it replaced included.
func beneath(ctx session.Context, id session.ID) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) { under(ctx, id, yield) }
}

func under(ctx session.Context, id session.ID, yield func(session.Item) bool) bool {
	for it := range ctx.Under(id) {
		if it.Compaction != nil && !under(ctx, it.ID, yield) {
			return false
		}
		if it.Message != nil && !yield(it) {
			return false
		}
	}
	return true
}

// sourceIndex finds messages by their words.
type sourceIndex struct {
	ids   []session.ID
	texts []string
	words map[string][]int // the messages that have a word, in order
}

func (x *sourceIndex) read(items iter.Seq[session.Item]) {
	x.words = map[string][]int{}
	for it := range items {
		text, at := it.Message.Text, len(x.ids)
		x.ids, x.texts = append(x.ids, it.ID), append(x.texts, text)
		for word := range strings.FieldsSeq(text) {
			word = bareWord(word)
			if in := x.words[word]; word != "" && (len(in) == 0 || in[len(in)-1] != at) {
				x.words[word] = append(in, at)
			}
		}
	}
}

// exactWeight is how many rare words an exact value counts for.
const exactWeight = 3

// find returns the message that a line comes from.
func (x *sourceIndex) find(line string) session.ID {
	scores := make([]float64, len(x.ids))
	rare := math.Log(float64(len(x.ids) + 1))
	for word := range strings.FieldsSeq(line) {
		in := x.words[bareWord(word)]
		for _, at := range in {
			scores[at] += rare - math.Log(float64(len(in)))
		}
	}
	exact := facts.Find(line)
	best, most := -1, 0.0
	for at, text := range x.texts {
		for _, f := range exact {
			if strings.Contains(text, f.Text) {
				scores[at] += exactWeight * rare
			}
		}
		if strings.Contains(text, line) {
			scores[at] += float64(len(line)) * rare
		}
		if scores[at] > most {
			best, most = at, scores[at]
		}
	}
	if best < 0 {
		return session.ID{}
	}
	return x.ids[best]
}
