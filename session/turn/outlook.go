package turn

import (
	"pleat/compaction"
	"pleat/session"
)

// Outlook knows what a context takes, and says what it would take with one more
// message, without counting the context again. It does not change.
type Outlook struct {
	meter    Meter
	parts    Parts // by our own counter
	readings []reading
}

// reading is what the server's count for a reply says of the context.
type reading struct {
	tokens  int  // of the request and the reply
	counted bool // nothing in tokens is estimated
	after   int  // what came after the reply, by our own counter
}

// Outlook looks at the context of c.
func (t Meter) Outlook(c *session.Chain) Outlook {
	parts := t.parts(c.Context())
	return Outlook{meter: t, parts: parts, readings: t.readings(c, parts.sum())}
}

// Measure measures the context as it is.
func (o Outlook) Measure() Measure { return o.with(0) }

// With returns how many tokens the request would take in which the user says
// text next. [Runner.Send] goes by the same number.
func (o Outlook) With(text string) (tokens int) {
	next := session.Item{Message: &session.Message{Role: session.User, Text: text}}
	return o.with(o.meter.Count(next)).Tokens
}

// with measures the context with a message after it that we count as next.
func (o Outlook) with(next int) Measure {
	t, parts := o.meter, o.parts
	parts.Chat += next
	m := Measure{Exact: t.Exact}
	if parts.sum()+t.Schemas == 0 { // what any request takes counts from the first message on
		return m
	}
	m.Tokens = t.corrected(parts.sum() + t.besides())
	correct := t.correction()
	if tokens, exact, ok := best(o.readings, correct, next); ok {
		m.Tokens, m.Exact = tokens, t.Exact || exact
	}
	parts = correct.parts(parts)
	parts.Request, parts.Schemas = correct.overhead(t.Request), correct.of(t.Schemas)
	m.Parts = parts.scaled(m.Tokens)
	return m
}

// best returns the size of a context, and of what we count as next after it,
// by the readings of it. The largest holds: a server that counts less for more
// leaves something out, such as what it had cached.
func best(readings []reading, correct correction, next int) (tokens int, exact, ok bool) {
	for _, r := range readings {
		if size := r.tokens + correct.of(r.after+next); size > tokens {
			tokens, exact = size, r.counted && r.after+next == 0
		}
	}
	return tokens, exact, len(readings) > 0
}

// readings returns those that hold for the context of c, which we count as raw:
// of the replies since anything but a message changed it.
func (t Meter) readings(c *session.Chain, raw int) []reading {
	var readings []reading
	correct := t.correction()
	after := 0
	for it := range compaction.Unchanged(c) {
		own := t.Count(it)
		if m := *it.Message; t.believes(m, raw-after-own) {
			said, counted := added(m, correct.of(own))
			schemas := correct.of(t.Schemas - m.Usage.Schemas) // tools may have been switched since
			readings = append(readings, reading{m.Usage.Prompt + said + schemas, counted && schemas == 0, after})
		}
		after += own
	}
	return readings
}
