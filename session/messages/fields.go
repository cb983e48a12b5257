package messages

import (
	"strings"

	"pleat/session"
)

// fields are those of a message that mean something here.
type fields struct {
	role, id, tool string
	text           string
	calls          []session.ToolCall
	attached       int // tokens

	content, roleAt, idAt, callsAt span // none if the field is missing
}

// fields reads the object of a message.
func (r *reader) fields() (fields, error) {
	var f fields
	once := make(names, 0, 6)
	err := r.object(func(key span) error {
		name := r.text(key)
		at := r.at
		var err error
		switch name {
		case "role":
			f.role, err = r.optional("the role")
			f.roleAt = span{at, r.at}
		case "content":
			err = r.content(&f)
			f.content = span{at, r.at}
		case "tool_calls":
			f.calls, err = r.calls(f.calls)
			f.callsAt = span{at, r.at}
		case "function_call":
			f.calls, err = r.legacyCall(f.calls)
			f.callsAt = span{at, r.at}
		case "tool_call_id":
			f.id, err = r.optional(name)
			f.idAt = span{at, r.at}
		case "name":
			f.tool, err = r.optional(name)
		default:
			_, err := r.value()
			return err
		}
		if err != nil {
			return err
		}
		return once.add(r, name, key)
	})
	return f, err
}

// content reads what a message says.
func (r *reader) content(f *fields) error {
	if r.next() != '[' {
		var err error
		if c := r.next(); c == '"' || c == 'n' {
			f.text, err = r.optional("the content")
			return err
		}
		return r.wrong("the content", "a string, null, or an array of parts")
	}
	var text []string
	err := r.array(func(int) error {
		if r.next() != '{' {
			return r.wrong("a part of the content", "an object")
		}
		p, err := r.part()
		if p.isText {
			text = append(text, p.text)
		}
		f.attached += p.tokens
		return err
	})
	f.text = strings.Join(text, "")
	return err
}

// What is attached takes so many tokens; OpenAI's guide "Images and vision",
// costs of gpt-4o.
const (
	attachment    = 765
	lowResolution = 85
)

// part is one of the parts of a message's content.
type part struct {
	span
	isText bool
	text   string
	tokens int // of a part that is no text
}

// part reads one part of a content. A refusal is text, in a field of its own.
func (r *reader) part() (part, error) {
	p := part{span: span{from: r.at}}
	var sort string
	low := false
	text := map[string]string{}
	once := make(names, 0, 3)
	err := r.object(func(key span) error {
		name := r.text(key)
		from := r.at
		var err error
		switch name {
		case "type":
			sort, err = r.optional("the type of a part")
		case "text", "refusal":
			var at span
			if at, err = r.value(); err == nil && r.data[from] == '"' {
				text[name] = r.text(at)
			}
		case "image_url":
			low, err = r.lowDetail()
		default:
			_, err := r.value()
			return err
		}
		if err != nil {
			return err
		}
		return once.add(r, name, key)
	})
	p.to = r.at
	if err != nil {
		return p, err
	}
	switch said, ok := text[sort]; {
	case sort == "":
		return p, r.fail(p.from, "a part of the content has no type")
	case ok:
		p.isText, p.text = true, said
	case sort == "text" || sort == "refusal":
		return p, r.fail(p.from, "a part of type %q has no string %q", sort, sort)
	case low:
		p.tokens = lowResolution
	default:
		p.tokens = attachment
	}
	return p, nil
}

// lowDetail reads the reference to an image and reports whether only a coarse
// version of it is to be looked at.
func (r *reader) lowDetail() (bool, error) {
	if r.next() != '{' {
		_, err := r.value()
		return false, err
	}
	low := false
	err := r.object(func(key span) error {
		at, err := r.value()
		if err == nil && r.data[at.from] == '"' && at.to-at.from < 8 && r.text(key) == "detail" {
			low = r.text(at) == "low"
		}
		return err
	})
	return low, err
}
