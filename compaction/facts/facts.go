// Package facts finds the exact values in a text: paths, addresses, commands,
// numbers with their units, dates, identifiers, errors and quotations. They are
// what a summary must not lose and must not make up.
//
// A scanner goes through a text once, token by token, and asks for each what it
// could be; nothing is learnt and nothing is asked of a model, so a text always
// has the same facts. A [Set] gathers those of many messages, and [Compare]
// holds a summary against one:
//
//	covered := facts.Collect(items)
//	receipt := facts.Compare(covered, nil, summary)
//	fmt.Println(receipt.Missing, receipt.Invented)
//
// Values are compared by [Fact.Key], which leaves out what carries no meaning.
package facts

// Kind is what a fact is.
type Kind string

// The kinds of facts.
const (
	Path       Kind = "path"    // of a file, Unix or Windows, with a line number if it has one
	URL        Kind = "url"     // with its scheme, or beginning with www
	Command    Kind = "command" // a line for a shell or a database
	Number     Kind = "number"  // with its unit; see [Find] for those without
	Version    Kind = "version"
	Date       Kind = "date"
	Time       Kind = "time" // a clock time, a range of them, or a date together with one
	Identifier Kind = "identifier"
	Error      Kind = "error" // a code or a message
	Email      Kind = "email"
	Host       Kind = "host" // a name or an IP address, with its port or prefix length
	Quote      Kind = "quote"
)

// Kinds lists all kinds.
var Kinds = []Kind{Path, URL, Command, Number, Version, Date, Time, Identifier, Error, Email, Host, Quote}

// Fact is an exact value in a text.
type Fact struct {
	Kind  Kind   `json:"kind"`
	Text  string `json:"text"`  // verbatim, without the quotes or backticks around it
	Start int    `json:"start"` // where it stands, in bytes
	End   int    `json:"end"`
}

// Find returns the facts of a text in the order in which they stand there. They
// do not overlap. A command, an error message and a quotation are one fact with
// all that is in them, unless a quotation holds nothing but another fact; a date
// with a clock time is one; a number in a name is none. Quotations over 200
// bytes are not facts themselves, but have some.
//
// A number without a unit is a fact if it has a fraction or at least three
// digits, or a word before it such as "port" or "line": counts and the numbers
// of lists are none. Neither are numbers in words.
//
// The time it takes grows with the length of the text, whatever the text is.
func Find(text string) []Fact {
	s := scanner{text: text}
	s.run()
	return s.found
}
