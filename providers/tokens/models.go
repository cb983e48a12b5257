package tokens

import "strings"

// families maps the models of OpenAI to their encodings. A name belongs to the
// first family that it is, or that it continues with a sign that is neither a
// letter nor a digit.
var families = []struct {
	name     string
	encoding *encoding
}{
	{"gpt-5", o200k},
	{"gpt-4o", o200k},
	{"gpt-4.1", o200k},
	{"gpt-4.5", o200k},
	{"chatgpt-4o", o200k},
	{"o1", o200k},
	{"o3", o200k},
	{"o4", o200k},
	{"gpt-oss", o200k},
	{"gpt-4", cl100k},
	{"gpt-3.5", cl100k},
	{"gpt-35", cl100k}, // as Azure spells it
}

// encodingOf returns the encoding of a model, or nil if it has none that is
// known. Names may carry who provides the model ("openai/gpt-4o") or that it was
// tuned ("ft:gpt-4o:…"). Others publish models whose names merely begin like one
// of OpenAI's; only gpt-oss has the same encoding wherever it comes from.
func encodingOf(model string) *encoding {
	model = strings.ToLower(strings.TrimSpace(model))
	by := ""
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		by, model = model[:i], model[i+1:]
		by = by[strings.LastIndexByte(by, '/')+1:]
	}
	model = strings.TrimPrefix(model, "ft:")
	for _, f := range families {
		rest, ok := strings.CutPrefix(model, f.name)
		if !ok || rest != "" && alphanumeric(rest[0]) {
			continue
		}
		if by == "" || by == "openai" || by == "azure" || f.name == "gpt-oss" {
			return f.encoding
		}
	}
	return nil
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
