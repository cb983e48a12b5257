package messages

import "pleat/session"

// legacyID is the id of a call in the form that OpenAI used before there were
// tool calls, which has none: one call in a message, answered by a message of
// the role "function".
const legacyID = "function_call"

// calls reads the tool calls of a message.
func (r *reader) calls(calls []session.ToolCall) ([]session.ToolCall, error) {
	switch r.next() {
	case 'n':
		_, err := r.value()
		return calls, err
	case '[':
	default:
		return nil, r.wrong("tool_calls", "an array")
	}
	err := r.array(func(int) error {
		if r.next() != '{' {
			return r.wrong("a tool call", "an object")
		}
		from := r.at
		c, err := r.call()
		switch {
		case err != nil:
			return err
		case c.ID == "":
			return r.fail(from, "a tool call has no id")
		}
		calls = append(calls, c)
		return nil
	})
	return calls, err
}

// call reads a call of a function or of a custom tool.
func (r *reader) call() (session.ToolCall, error) {
	var c session.ToolCall
	from, named := r.at, false
	once := make(names, 0, 4)
	err := r.object(func(key span) error {
		name := r.text(key)
		var err error
		switch name {
		case "id":
			c.ID, err = r.optional("the id of a tool call")
		case "function", "custom":
			if r.next() != '{' {
				return r.wrong("the "+name+" of a tool call", "an object")
			}
			err = r.function(&c)
			named = true
		default:
			_, err := r.value()
			return err
		}
		if err != nil {
			return err
		}
		return once.add(r, name, key)
	})
	if err == nil && !named {
		return c, r.fail(from, "a tool call has no function")
	}
	return c, err
}

// function reads which function is called, with what. Arguments that are no
// string, as some servers write them, are taken as they stand.
func (r *reader) function(c *session.ToolCall) error {
	from := r.at
	once := make(names, 0, 3)
	err := r.object(func(key span) error {
		name := r.text(key)
		switch name {
		case "name":
			var err error
			if c.Name, err = r.optional("the name of a function"); err != nil {
				return err
			}
		case "arguments", "input":
			at, err := r.value()
			if err != nil {
				return err
			}
			switch r.data[at.from] {
			case '"':
				c.Arguments = r.text(at)
			case '{':
				c.Arguments = string(r.data[at.from:at.to])
			case 'n':
			default:
				return r.fail(at.from, "the arguments of a call are %s, want a string", kind(r.data[at.from]))
			}
		default:
			_, err := r.value()
			return err
		}
		return once.add(r, name, key)
	})
	if err == nil && c.Name == "" {
		return r.fail(from, "a tool call has no name of a function")
	}
	return err
}

func (r *reader) legacyCall(calls []session.ToolCall) ([]session.ToolCall, error) {
	switch r.next() {
	case 'n':
		_, err := r.value()
		return calls, err
	case '{':
		c := session.ToolCall{ID: legacyID}
		err := r.function(&c)
		return append(calls, c), err
	}
	return nil, r.wrong("function_call", "an object")
}
