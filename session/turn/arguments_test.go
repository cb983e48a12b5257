package turn

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestArgumentsSayWhatIsWrong(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{``, "one JSON object with query, limit"},
		{`null`, "one JSON object"},
		{`"query"`, "one JSON object"},
		{`[{"query":"a"}]`, "one JSON object"},
		{`{"query":"a"`, "one JSON object"},
		{`{"query":"a"}{}`, "and nothing after it"},
		{`{"query":"a","size":3}`, `there is no argument "size" · the arguments are one JSON object with query, limit`},
		{`{"Query":"a"}`, `there is no argument "Query"`},
		{`{}`, "query is missing: what to find"},
		{`{"query":"  "}`, "query is missing"},
		{`{"query":null}`, "query is missing"},
		{`{"query":7}`, "query is a text, not 7"},
		{`{"query":{"a":"` + strings.Repeat("é", 100) + `"}}`, "query is a text, not {\"a\":\"" + strings.Repeat("é", 34) + "…"},
		{`{"query":"a","limit":0}`, "limit is a whole number from 1 to 20, not 0"},
		{`{"query":"a","limit":21}`, "limit is a whole number from 1 to 20, not 21"},
		{`{"query":"a","limit":1e300}`, "limit is a whole number"},
		{`{"query":"a","limit":2.5}`, "limit is a whole number from 1 to 20, not 2.5"},
		{`{"query":"a","limit":"5"}`, `limit is a whole number from 1 to 20, not "5"`},
		{`{"query":"a","limit":3.0}`, ""},
		{`{"query":"a","limit":null}`, ""},
		{` {"query":"a"} `, ""},
	} {
		err := checkSearch(tt.in)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.in, err, tt.want)
		}
	}
}

// checkSearch reads arguments as a search does.
func checkSearch(text string) error {
	a, err := readArguments(text, "query", "limit")
	if err != nil {
		return err
	}
	if _, err := a.needed("query", "what to find"); err != nil {
		return err
	}
	_, _, err = a.number("limit", 1, 20)
	return err
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"query":"a","limit":3}`, `{"query":null}`, `{"limit":1e999}`, `{"a":`, "null", "\xff", `{"query":"\ud800"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := readArguments(text, "query", "limit")
		if err == nil && !json.Valid([]byte(text)) {
			t.Fatalf("%q is taken for JSON", text)
		}
		if err == nil {
			query, wrong := a.text("query")
			n, given, unfit := a.number("limit", 1, 20)
			if wrong == nil && !utf8.ValidString(query) {
				t.Errorf("query %q is no text", query)
			}
			if unfit == nil && given && (n < 1 || n > 20) {
				t.Errorf("limit %d is out of range", n)
			}
			err = checkSearch(text)
		}
		if err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 400) {
			t.Errorf("error %q is not one short line", err)
		}
	})
}
