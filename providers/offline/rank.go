package offline

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pleat/session"
)

// BM25, with less weight on length than the usual 0.75: a whole sentence is a
// better answer than a fragment. A term counts once in a passage, since passages
// are so short that a second time says nothing.
const (
	k1 = 1.2
	b  = 0.25
)

const (
	maxQuotes  = 4
	candidates = 64   // lines that are looked at closely
	minWords   = 8    // of a passage, for its length: a lone word is not an answer
	coverage   = 0.4  // share of the question's weight that an answer must have
	nearBest   = 0.55 // share of the best score that further quotes must have

	unsaid = 0.3 // of a value or a pair of letters that nobody said; such a pair mostly lies across two words

	recent   = 0.1 // how much more the newest message counts than the oldest: later decisions replace earlier ones
	asking   = 0.5 // of an answer that is a question itself
	ofSystem = 0.8 // of the system prompt, which is about how to talk
)

// statistics are what BM25 needs to know about the passages.
type statistics struct {
	lines int
	words int
	with  []int // number of lines with each term
}

// idf returns how much a term tells, by how rare it is. One that was never said
// counts like one that was said once, or it would outweigh all that was.
func (s statistics) idf(term int) float64 {
	n := float64(max(1, s.with[term]))
	return math.Log(1 + (max(n, float64(s.lines))-n+0.5)/(n+0.5))
}

// scorer scores passages for one question.
type scorer struct {
	query    *query
	value    []float64 // of each term
	total    float64   // of all terms
	length   float64   // mean number of words
	messages int
}

func newScorer(q *query, s statistics, messages int) *scorer {
	r := &scorer{query: q, length: max(minWords, float64(s.words)/float64(max(1, s.lines))), messages: messages}
	for t, w := range q.weights {
		if s.with[t] == 0 && (t < len(q.values) || q.pairs&(1<<t) != 0) {
			w *= unsaid
		}
		r.value = append(r.value, w*s.idf(t))
		r.total += r.value[t]
	}
	return r
}

// share returns how much of the question a passage has, from 0 to 1.
func (r *scorer) share(m match) float64 {
	var sum float64
	each(m.exact, func(t int) { sum += r.value[t] })
	each(m.forms, func(t int) { sum += formWeight * r.value[t] })
	return sum / r.total
}

func (r *scorer) score(p passage, text string) float64 {
	words := float64(max(minWords, p.match.words))
	s := r.share(p.match) * (k1 + 1) / (1 + k1*(1-b+b*words/r.length))
	s *= 1 + recent*float64(p.message)/float64(r.messages)
	if p.role == session.System {
		s *= ofSystem
	}
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		s *= asking
	}
	return s
}

// search returns the passages that answer the question, the best first.
func (c conversation) search() []passage {
	q := parse(c.question)
	if q.empty() {
		return nil
	}
	lines, stats := c.matching(q)
	r := newScorer(q, stats, len(c.messages))
	for i := range lines {
		p := &lines[i]
		p.score = r.score(*p, p.text(c))
	}
	slices.SortStableFunc(lines, byScore)
	return r.choose(c, c.parts(r, lines[:min(len(lines), candidates)]))
}

// byScore puts the better passage first, of equals the later one.
func byScore(x, y passage) int {
	return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(y.message, x.message), cmp.Compare(x.from, y.from))
}

// matching returns the lines that have anything of the query.
func (c conversation) matching(q *query) ([]passage, statistics) {
	stats := statistics{with: make([]int, len(q.weights))}
	var lines []passage
	for p := range c.lines() {
		p.match = q.match(p.text(c), nil)
		if p.match.words > 0 {
			stats.lines++
			stats.words += p.match.words
		}
		if p.match.terms() != 0 {
			each(p.match.terms(), func(t int) { stats.with[t]++ })
			lines = append(lines, p)
		}
	}
	return lines, stats
}

// parts returns what of the lines can be quoted, scored by itself.
func (c conversation) parts(r *scorer, lines []passage) []passage {
	question := fold(c.question)
	var out []passage
	for _, line := range lines {
		text := c.messages[line.message].Text
		for p := range parts(text, line) {
			p = r.shorten(text, p)
			p.match = r.query.match(p.text(c), nil)
			if r.share(p.match) < coverage || strings.Contains(question, fold(p.text(c))) {
				continue // an answer that says no more than the question is none
			}
			p.score = r.score(p, p.text(c))
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, byScore)
	return out
}

// fold returns text so that only its words count in a comparison.
func fold(text string) string {
	var s strings.Builder
	s.WriteByte(' ')
	eachWord(text, false, func(from, to int) {
		s.WriteString(strings.ToLower(text[from:to]))
		s.WriteByte(' ')
	})
	return s.String()
}

// choose takes the best passages, none of them twice.
func (r *scorer) choose(c conversation, ranked []passage) []passage {
	var out []passage
	seen := map[string]bool{}
	for _, p := range ranked {
		if len(out) == maxQuotes || p.score < nearBest*ranked[0].score {
			break
		}
		if key := fold(p.text(c)); !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}
