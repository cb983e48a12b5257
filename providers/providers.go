// Package providers says what Pleat needs of a program that runs a language
// model, and its subpackages talk to the ones there are.
//
// A reply is a stream of [Chunk] values. It is complete only if the server said
// so: a stream that merely stops ends with an error that wraps [ErrCut], and
// what came before it is still good to keep.
//
//	for chunk, err := range p.Stream(ctx, req) {
//		if err != nil {
//			return err
//		}
//		fmt.Print(chunk.Text)
//	}
package providers

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"pleat/session"
)

// Provider is one server, or what stands in for one. Its methods are safe for
// concurrent use.
type Provider interface {
	// Name is what the user calls the provider: "ollama", "openai", "offline".
	Name() string

	// Stream asks for a reply. It yields chunks until one with Done, or one
	// error, and then ends; cancelling ctx ends it at once with ctx's error.
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]

	// Models lists what the server can run, each model once.
	Models(ctx context.Context) ([]Model, error)

	// Window finds out how many tokens the server accepts for a model. An
	// error never prevents a chat: the window is unknown then.
	Window(ctx context.Context, model string) (Window, error)
}

// Detailer is a [Provider] whose list of models does not tell all that the server
// knows.
type Detailer interface {
	// Details finds out whether some models of the list are loaded, and their
	// windows. It asks about a few at once, and yields each model as soon as more
	// is known of it, so perhaps several times, in any order. What cannot be found
	// out is not told of. Cancelling ctx ends it.
	Details(ctx context.Context, models []Model) iter.Seq[Model]
}

// Hinter is a [Provider] that may know something the user should know too.
type Hinter interface {
	// Hint returns what that is, on one line, such as that there is a better
	// way to talk to the server; "" if nothing. It may ask the server.
	Hint(ctx context.Context) string
}

// Request is what a model is asked.
type Request struct {
	Model     string
	Messages  []session.Message // as [session.Context.Project] returns them
	Window    int               // tokens for input and output together; 0 leaves it to the server
	MaxTokens int               // limit of the reply in tokens; 0 for none
	NoThink   bool              // ask a reasoning model not to reason
	KeepAlive string            // how long the server keeps the model loaded: "10m", "-1"; "" is the provider's default
	Tools     []Tool            // that the model may call; none for a model that cannot call any, see [Window]
}

// Tool is something that a model may call in a reply.
type Tool struct {
	Name        string
	Description string          // for the model
	Parameters  json.RawMessage // a JSON Schema of one object
}

// Chunk is a piece of a reply. Any of its parts may be empty.
type Chunk struct {
	Text      string
	Reasoning string
	ToolCalls []session.ToolCall // complete ones, with an id each
	Status    string             // what the user waits for, such as "loading the model"; not a part of the reply
	Usage     *session.Usage     // nil until the server says

	// Toolless says that the server refuses the tools of the request, and was
	// asked without them.
	Toolless bool

	// How long the server took to read the prompt, as far as it had not read it
	// before, and to write the reply; 0 until it says.
	Read, Wrote time.Duration

	Done   bool   // the reply is complete; the last chunk
	Finish string // with Done: why it ended
}

// Why a complete reply ended.
const (
	FinishStop   = "stop"       // the model was done
	FinishLength = "length"     // it ran into MaxTokens or the end of the window
	FinishTools  = "tool_calls" // it wants tools to be run
)

// Model is one that a server can run.
type Model struct {
	Name   string
	Size   int64     // bytes on disk; 0 if unknown
	Family string    // "llama", "qwen3"; "" if unknown
	At     time.Time // last changed; zero if unknown
	Loaded bool      // in memory, ready to answer; false also where the server does not tell
	Window Window    // as far as the list tells; see [Detailer]
}

// Once returns models without those that a list has had already, by their names, and
// without those that have none and cannot be asked for. The first of a name stays. It
// changes what it is given.
func Once(models []Model) []Model {
	seen := map[string]bool{}
	return slices.DeleteFunc(models, func(m Model) bool {
		again := seen[m.Name]
		seen[m.Name] = true
		return again || strings.TrimSpace(m.Name) == ""
	})
}

// Window is how many tokens a server accepts for a model, as far as each source
// tells; 0 where it does not.
type Window struct {
	Requested  int // what we ask for in every request
	Loaded     int // what the server has allocated
	Configured int // what the model's parameters on the server say
	Trained    int // what the model was trained for: a ceiling

	Thinks bool // the model can reason
	Tools  bool // the model can call tools
}

// Size returns the number of tokens that counts and where it comes from:
// "requested", "loaded", "configured", "trained"; 0 and "unknown" if no source
// tells. The model's training caps every other source.
func (w Window) Size() (tokens int, source string) {
	for _, s := range []struct {
		tokens int
		source string
	}{{w.Requested, "requested"}, {w.Loaded, "loaded"}, {w.Configured, "configured"}, {w.Trained, "trained"}} {
		if s.tokens <= 0 {
			continue
		}
		if w.Trained > 0 && s.tokens > w.Trained {
			return w.Trained, "trained"
		}
		return s.tokens, s.source
	}
	return 0, "unknown"
}

// ErrCut is the error of a reply that stopped before the server said that it
// was complete.
var ErrCut = errors.New("the reply was cut off")

// Error is what went wrong with a server, in words for the user.
type Error struct {
	Tried  string        // "chat with qwen3 at http://127.0.0.1:11434/api/chat"
	Status int           // of HTTP; 0 if there was no answer
	Reason string        // what the server or the network said, on one line
	Hint   string        // the way out; "" if none is known
	After  time.Duration // when the server wants to be asked again; 0 if it did not say
	Err    error         // the cause, for errors.Is; may be nil
}

// Error returns the whole story on one line.
func (e *Error) Error() string {
	s := "cannot " + e.Tried + ": " + e.Reason
	if e.Hint != "" {
		s += " · " + e.Hint
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
