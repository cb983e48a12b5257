package turn

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"pleat/providers"
	"pleat/session"
)

// tool is something that the model may call.
type tool interface {
	// name is what calls name it.
	name() string

	// schema says to the model what the tool is for and what it takes.
	schema() providers.Tool

	// call does what a call with these arguments asks for, and returns what the
	// model is told. A call that failed has changed nothing. It ends soon after
	// ctx does.
	call(ctx context.Context, arguments string) (result string, failed bool)
}

// largestTools is which part of the room for a request the schemas of tools may
// take: one in so many tokens. In a smaller window they would crowd out what they
// are there to save. The user is told that it is a quarter.
const largestTools = 4

// Offering returns r as its turns are run: its meter counts the schemas of the
// tools that the model is offered. Those are none where the user has switched them
// off, the model cannot call any, or its window is too small for them. It counts,
// so it may take a while.
func (r Runner) Offering() Runner {
	r.Meter.Schemas, _ = r.equipment()
	return r
}

// WithoutTools returns why the model is offered no tools, as the end of a sentence
// that names it; "" if it is offered some. It counts, so it may take a while.
func (r Runner) WithoutTools() string {
	_, why := r.equipment()
	return why
}

// equipment returns what the schemas take that the model is offered, by our own
// counter, or why it is offered none.
func (r Runner) equipment() (schemas int, without string) {
	switch {
	case !r.Tools.On():
		return 0, "tools are switched off"
	case !r.Window.Tools:
		return 0, "it cannot call any"
	}
	schemas, limit := r.schemaTokens(), r.limit()
	if n := r.Meter.correction().of(schemas); limit > 0 && n*largestTools > limit {
		return 0, fmt.Sprintf("they would take %d tokens of the %d that a request may have, more than a quarter", n, limit)
	}
	return schemas, ""
}

// ToolTokens returns what the schemas of the tools that a model could be offered
// take of a request, in tokens. It may take a while.
func (r Runner) ToolTokens() int { return r.Meter.correction().of(r.schemaTokens()) }

// schemaTokens is ToolTokens by our own counter.
func (r Runner) schemaTokens() int {
	var all strings.Builder
	for _, t := range r.schemas() {
		all.WriteString(t.Name + ": " + t.Description + "\n" + string(t.Parameters) + "\n")
	}
	return r.Meter.Count(session.Item{Message: &session.Message{Role: session.System, Text: all.String()}})
}

// schemas returns those of all tools.
func (r Runner) schemas() []providers.Tool {
	var list []providers.Tool
	for _, t := range (&loop{Runner: r}).kit() {
		list = append(list, t.schema())
	}
	return list
}

// offered returns the tools that go into a request: those that the meter counts.
func (r Runner) offered() []providers.Tool {
	if r.Meter.Schemas == 0 {
		return nil
	}
	return r.schemas()
}

// property is an argument of a tool, as a JSON Schema has it.
type property struct {
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Enum        []string `json:"enum,omitempty"`
	Minimum     *int     `json:"minimum,omitempty"`
	Maximum     *int     `json:"maximum,omitempty"`
}

// object returns the JSON Schema of the arguments of a tool.
func object(properties map[string]property, required ...string) json.RawMessage {
	schema, err := json.Marshal(struct {
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
	}{"object", properties, required})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return schema
}
