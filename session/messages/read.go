package messages

import (
	"bytes"
	"slices"
	"strings"

	"pleat/session"
)

// reader makes a list of a text.
type reader struct {
	scanner
	list  *List
	batch batch
}

// document reads the whole text.
func (r *reader) document() error {
	if bytes.HasPrefix(r.data, mark) {
		r.at = len(mark)
	}
	var err error
	switch c := r.next(); c {
	case '[':
		err = r.messages()
	case '{':
		err = r.body()
	case 0:
		if r.at >= len(r.data) {
			return r.fail(r.at, "it is empty, want a JSON array of messages or an object with \"messages\"")
		}
		fallthrough
	default:
		if _, err := r.value(); err != nil {
			return err
		}
		return r.fail(0, "it is %s, want an array of messages or an object with \"messages\"", kind(c))
	}
	if err != nil {
		return err
	}
	if r.next(); r.at < len(r.data) {
		return r.fail(r.at, "something follows after the end of the list")
	}
	return nil
}

// body reads the object of a request, which has the messages in it.
func (r *reader) body() error {
	from, once := r.at, names{}
	err := r.object(func(key span) error {
		name := r.text(key)
		switch name {
		case "messages", "model", "tools":
			if err := once.add(r, name, key); err != nil {
				return err
			}
		}
		switch name {
		case "messages":
			if c := r.next(); c != '[' {
				return r.wrong(`"messages"`, "an array")
			}
			return r.messages()
		case "model":
			at, err := r.value()
			if err == nil && r.data[at.from] == '"' {
				r.list.model = r.text(at)
			}
			return err
		case "tools":
			at, err := r.value()
			if err == nil && r.data[at.from] == '[' {
				r.list.tools = at
			}
			return err
		}
		_, err := r.value()
		return err
	})
	if err == nil && r.list.open == 0 {
		return r.fail(from, `the object has no "messages"`)
	}
	return err
}

// names are the fields of an object that were met. One that is there twice has
// no meaning that all programs agree on.
type names []string

func (n *names) add(r *reader, name string, key span) error {
	if slices.Contains(*n, name) {
		return r.fail(key.from, "the field %q is there twice", name)
	}
	*n = append(*n, name)
	return nil
}

// wrong is the error of a value of another kind than is wanted.
func (r *reader) wrong(what, want string) error {
	from := r.at
	if _, err := r.value(); err != nil {
		return err
	}
	return r.fail(from, "%s is %s, want %s", what, kind(r.data[from]), want)
}

// messages reads the array.
func (r *reader) messages() error {
	from := r.at
	r.list.open = r.at + 1
	err := r.array(func(i int) error {
		r.message = i + 1
		if r.next() != '{' {
			return r.wrong("the message", "an object")
		}
		return r.entry()
	})
	if err != nil {
		return err
	}
	r.message = 0
	if r.list.Len() == 0 {
		return r.fail(from, "there are no messages in it")
	}
	return nil
}

// entry reads one message and adds it to the list.
func (r *reader) entry() error {
	from := r.at
	f, err := r.fields()
	if err != nil {
		return err
	}
	e := entry{span: span{from, r.at}, content: f.content, attached: f.attached}
	m, err := r.checked(from, f)
	if err != nil {
		return err
	}
	r.add(e, m)
	return nil
}

// add appends a message to the list and its chain.
func (r *reader) add(e entry, m session.Message) {
	l := r.list
	place := int32(len(l.entries))
	l.entries = append(l.entries, e)
	link := (*session.Chain).Follow
	if m.Role == session.User {
		link = (*session.Chain).Append
	}
	summary, ok := earlierSummary(e, m)
	m.Injected = ok || m.Role == session.User && strings.HasPrefix(m.Text, session.SummaryHeading)
	l.chain = link(l.chain, m)
	l.items = append(l.items, place)
	if ok {
		id := l.chain.ID()
		l.chain = l.chain.Follow(session.Compaction{Covers: []session.Span{{From: id, To: id}}, Summary: summary})
		l.items = append(l.items, place)
	}
}

// earlierSummary returns the summary that a message carries, and whether it
// does. The message with the summary says the same as the one that was read.
func earlierSummary(e entry, m session.Message) (string, bool) {
	if m.Role != session.User || e.attached > 0 {
		return "", false
	}
	summary, ok := strings.CutPrefix(m.Text, session.SummaryHeading+"\n")
	return summary, ok && strings.TrimSpace(summary) != ""
}
