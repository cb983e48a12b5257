package ui

import (
	"strings"
	"testing"
)

func TestWordsAreMarkedWhereTheyStand(t *testing.T) {
	tests := []struct{ text, query, want string }{
		{"the cookie and a Cookie", "cookie", "the «cookie» and a «Cookie»"},
		{"this is it", "is", "this «is» it"},
		{"unfold it", "old", "unf«old» it"},
		{"a b", "b a", "«a» «b»"},
		{"cookies", "cookie cook", "«cookie»s"},
		{"前の漢字です", "漢字", "前の«漢字»です"},
		{"ÄRGER", "ärger", "«ÄRGER»"},
		{"nothing", "cafe", "nothing"},
		{"", "x", ""},
	}
	for _, tt := range tests {
		if got := string(markWords([]rune(tt.text), strings.Fields(tt.query))); got != tt.want {
			t.Errorf("%q in %q is %q, want %q", tt.query, tt.text, got, tt.want)
		}
	}
}

func FuzzMarkedWordsAreTheTextAndSigns(f *testing.F) {
	f.Add("the cookie and a Cookie", "cookie a")
	f.Add("İstanbul ﬁ ß", "i ss")
	f.Fuzz(func(t *testing.T, text, query string) {
		if strings.ContainsAny(text, "«»") {
			return
		}
		text = strings.ToValidUTF8(text, "")
		marked := string(markWords([]rune(text), strings.Fields(query)))
		if got := strings.NewReplacer("«", "", "»", "").Replace(marked); got != text {
			t.Errorf("%q is marked as %q", text, marked)
		}
		if strings.Count(marked, "«") != strings.Count(marked, "»") {
			t.Errorf("%q has signs without an end", marked)
		}
	})
}
