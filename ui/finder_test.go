package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// stood fails unless a message is selected, and the words that were found show as
// those that the user has come to.
func (d *driver) stood(number, words string) {
	d.Helper()
	if got := d.m.selectedNumbers(); got != number {
		d.Errorf("%s is selected, want %s:\n%s", got, number, d.screen())
	}
	if got := d.here(); got != words {
		d.Errorf("%q is marked, want %q:\n%s", got, words, d.screen())
	}
}

// here returns what is marked as the place that the user has come to: the text on the
// screen that is reversed and bold.
func (d *driver) here() string { return d.reversed(true) }

// reversed returns the texts on the screen that are reversed, and bold or not.
func (d *driver) reversed(bold bool) string {
	var out strings.Builder
	for _, part := range strings.Split(d.m.View().Content, "\x1b[")[1:] {
		sgr, text, ok := strings.Cut(part, "m")
		attributes, _, _ := strings.Cut(";"+sgr, ";38;")
		if ok && strings.HasSuffix(attributes, ";7") && strings.Contains(attributes+";", ";1;") == bold {
			out.WriteString(text)
		}
	}
	return out.String()
}

func TestTheTranscriptGoesToWhatIsTyped(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.write("a draft")
			d.press("tab", "/")
			d.sees("find:")
			d.write("coo")
			d.settle()
			d.stood("#10", "coo") // from the end, the newest
			d.sees("find: coo", "3 of 3")
			d.press("up")
			d.sees("2 of 3")
			d.stood("#5", "coo")
			d.press("up", "up")
			d.sees("3 of 3 · wrapped")
			d.press("down")
			d.sees("1 of 3 · wrapped")
			d.stood("#2", "coo")
			d.press("enter")
			d.lacks("find:")
			d.stood("#2", "coo")
			d.sees("1 of 3")
			d.press("n")
			d.sees("2 of 3")
			d.stood("#5", "coo")
			d.press("n", "n")
			d.sees("1 of 3 · wrapped at the end")
			d.press("N")
			d.sees("3 of 3 · wrapped at the top")
			d.press("N", "N")
			d.sees("1 of 3")
			d.press("esc")
			d.draft("a draft")
			if got := d.here(); got != "" {
				t.Errorf("%q is still marked", got)
			}
			d.press("tab", "g", "n")
			d.sees("1 of 3")
			framed(d, d.m)
		})
	}
}

func TestWordsAreFoundFromTheSelectedRowOn(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/goto 30")
		d.press("/")
		d.write("Question")
		d.settle()
		d.stood("#31", "Question")
		d.press("esc")
		d.press("G", "k", "/")
		d.write("careful")
		d.settle()
		d.sees("1 of 1", "careful") // none follows: the last one before
		d.press("esc", "g", "/")
		d.write("it is read")
		d.settle()
		d.sees("1 of 360")
		d.stood("#12", "it is read")
		for range 12 {
			d.press("down")
		}
		d.sees("13 of 360")
		d.stood("#14", "it is read")
	})
}

func TestTheLineForWordsNamesTheKeysThatDoSomething(t *testing.T) {
	tests := []struct {
		words         string
		stays, others bool // that enter does, and to go to other places
	}{
		{"", false, false}, {"zebra", false, false}, {"careful", true, false}, {"it is read", true, true},
	}
	for _, tt := range tests {
		drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
			d.settle()
			d.press("tab", "/")
			d.write(tt.words)
			d.settle()
			lines := strings.Split(d.screen(), "\n")
			foot := lines[len(lines)-1]
			if strings.Contains(foot, "stay there") != tt.stays || strings.Contains(foot, "↓ next") != tt.others || !strings.Contains(foot, "esc back") {
				t.Errorf("for %q the last line is %q", tt.words, foot)
			}
			d.press("enter")
			if got := strings.Contains(d.screen(), "n and N go to"); got != tt.others {
				t.Errorf("after %q the keys to other places are named: %v:\n%s", tt.words, got, d.screen())
			}
		})
	}
}

// TestEscReturnsToWhereTheUserWas does so from every point of a search.
func TestEscReturnsToWhereTheUserWas(t *testing.T) {
	points := [][]string{
		{}, {"c"}, {"c", "o", "o"}, {"c", "o", "o", "up"}, {"c", "o", "o", "up", "up", "down"}, {"x", "y", "z"},
		{"c", "o", "o", "z"}, {"c", "backspace"}, {"c", "o", "ctrl+u"}, {"c", "o", "pgup"}, {"W", "h", "o"}, {"f", "u", "n", "c"}, {"c", "f1", "esc"},
	}
	for _, size := range sizesShown {
		for _, keys := range points {
			for _, settled := range []bool{true, false} {
				drive(t, withStrategy(options(says(summaryText), long()), "summarize"), size.width, size.height, func(d *driver) {
					d.compacts()
					d.press("tab", "k", "k", "k")
					before, lines := len(d.m.transcript.open), strings.Split(d.screen(), "\n")
					d.press("/")
					for _, key := range keys {
						d.press(key)
						if settled {
							d.settle()
						}
					}
					d.press("esc")
					d.settle()
					after := strings.Split(d.screen(), "\n")
					if got, want := strings.Join(after[:len(after)-1], "\n"), strings.Join(lines[:len(lines)-1], "\n"); got != want || len(d.m.transcript.open) != before {
						t.Errorf("%d×%d: after %q, esc leads to\n%s\nand not to\n%s", size.width, size.height, keys, got, want)
					}
					if d.m.find != nil || d.here() != "" {
						t.Errorf("after %q, what was given up is still found", keys)
					}
				})
			}
		}
	}
}

// TestKeysOfFindArePressedTwice presses each of them twice before anything comes of it.
func TestKeysOfFindArePressedTwice(t *testing.T) {
	tests := []struct {
		key   string
		shows string
		at    string
	}{
		{"c", "find: occ  not found", "#10"}, {"up", "find: o  24 of 26", "#10"}, {"down", "find: o  2 of 26 · wrapped", "#1"}, {"tab", "find: o  2 of 26 · wrapped", "#1"},
		{"enter", "26 of 26 · n and N", "#10"}, {"backspace", "> a draft", "#10"}, {"ctrl+u", "find:", "#10"}, {"esc", "> a draft", "#10"},
		{"ctrl+c", "> ", "#10"}, {"pgup", "find: o  26 of 26", "#10"}, {"/", "find: o//  not found", "#10"},
	}
	for _, tt := range tests {
		drive(t, options(says("ok"), story()), 110, 12, func(d *driver) {
			d.settle()
			d.write("a draft")
			d.press("tab", "/")
			d.update(keyPress("o"))
			d.update(keyPress(tt.key))
			d.update(keyPress(tt.key))
			d.settle()
			d.sees(tt.shows)
			framed(d, d.m)
			if got := d.m.selectedNumbers(); got != tt.at {
				t.Errorf("after %s twice, %s is selected, want %s:\n%s", tt.key, got, tt.at, d.screen())
			}
		})
	}
}

// TestNoWordsAreLeftByErasing holds that the line is left as by esc.
func TestNoWordsAreLeftByErasing(t *testing.T) {
	drive(t, options(says("ok"), story()), 60, 18, func(d *driver) {
		d.settle()
		d.press("tab", "/", "c", "backspace")
		d.sees("find:")
		d.press("backspace")
		d.lacks("find:")
		d.press("/", "enter")
		d.lacks("find:")
		if !d.m.transcript.focused {
			t.Error("the keys are not in the transcript")
		}
		d.press("n")
		d.sees("nothing was looked for yet · / finds words")
	})
}

func TestAllThatWasSaidIsFound(t *testing.T) {
	for _, tt := range []struct {
		name, words string
		status      string
		number      string
		here        string
	}{
		{"a reply", "switch", "1 of 1", "#5", "switch"},
		{"a reply through its markup", "verify both cookies", "1 of 1", "#5", "verify both cookies"},
		{"reasoning", "who reads", "1 of 1", "#2", "Who reads"},
		{"a call", "192.0.2.20", "1 of 1", "#2", "192.0.2.20"},
		{"a tool result", "package auth", "1 of 1", "#3", "package auth"},
		{"the end of a long tool result", "func f() { return }", "60 of 60", "#3", "func f() { return }"},
		{"what is excluded", "never mind", "1 of 1", "#8", "Never mind"},
		{"wide", "小明", "2 of 2", "#7", "小明"},
		{"what is no capital", "oidc", "1 of 1", "#1", "OIDC"},
		{"a capital", "Oidc", "not found", "#10", ""},
		{"the system prompt", "engineer", "1 of 1", "", "engineer"},
	} {
		for _, size := range sizesShown {
			t.Run(fmt.Sprintf("%s/%dx%d", tt.name, size.width, size.height), func(t *testing.T) {
				drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
					d.settle()
					d.press("tab", "/")
					d.write(tt.words)
					d.settle()
					d.sees(tt.status)
					if tt.name == "a call" && size.width < 60 {
						tt.here = "" // it is cut off before that
					}
					d.stood(tt.number, tt.here)
				})
			})
		}
	}
}

// TestFoldedPartsAreFoundAndOpened holds that a summary is opened only for what is in
// it, and folded again for what is not.
func TestFoldedPartsAreFoundAndOpened(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, withStrategy(options(says(summaryText), long()), "summarize"), size.width, size.height, func(d *driver) {
			d.compacts()
			d.press("tab", "/")
			d.write("Question 3:")
			d.settle()
			d.sees("1 of 1", "┆›you")
			if d.here() != "Question3:" && d.here() != "Question 3:" {
				t.Errorf("%q is marked:\n%s", d.here(), d.screen())
			}
			d.press("ctrl+u")
			d.write("then switch. The") // in the summary itself
			d.settle()
			d.sees("1 of 1", "│", "≡")
			d.press("ctrl+u")
			d.write("Answer 29")
			d.settle()
			d.sees("1 of 1")
			if n := len(d.m.transcript.open); n != 0 {
				t.Errorf("%d rows are still open for what was found before", n)
			}
			d.press("ctrl+u")
			d.write("Question 3:")
			d.settle()
			d.press("enter", "n")
			d.sees("1 of 1 · wrapped at the end")
			d.press("}", "N")
			d.sees("1 of 1")
			d.lacks("wrapped")
			if len(d.m.transcript.open) == 0 {
				t.Errorf("the summary is folded again:\n%s", d.screen())
			}
		})
	}
}

func TestSummariesInSummariesAreFoundAndOpened(t *testing.T) {
	c := dialogue(12)
	id := func(n int) session.ID { it, _ := c.Context().Numbered(n); return it.ID }
	fold := func(summary string, covers ...session.Span) session.ID {
		c = c.Append(session.Compaction{Strategy: "summarize", Covers: covers, Summary: summary})
		return c.ID()
	}
	inner := fold("the first 4 in short", session.Span{From: id(1), To: id(4)})
	fold("the first 8 in short", session.Span{From: inner, To: inner}, session.Span{From: id(5), To: id(8)})
	drive(t, options(says("ok"), c), 110, 34, func(d *driver) {
		d.settle()
		d.press("tab", "/")
		for _, tt := range []struct {
			words, number string
			open          int
		}{{"2 What", "#3", 2}, {"first 4 in", "#1-4", 2}, {"first 8 in", "#1-8", 1}, {"6 What", "#7", 1}, {"10 What", "#11", 0}} {
			d.write(tt.words)
			d.settle()
			d.stood(tt.number, tt.words)
			if n := len(d.m.transcript.open); n != tt.open {
				t.Errorf("for %q, %d rows are open, want %d:\n%s", tt.words, n, tt.open, d.screen())
			}
			d.press("ctrl+u")
		}
	})
}

func TestMaskedResultsAreFound(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/mask 3")
		d.press("tab", "/")
		d.write("package auth")
		d.settle()
		d.stood("#3", "package auth")
		d.press("esc")
		d.lacks("package auth")
	})
}

func TestWordsThatReadLikeACommandAreToldWhereCommandsAre(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("tab", "/")
			d.write("pin 3")
			d.settle()
			d.sees("pin 3", ": takes commands")
			d.press("ctrl+u")
			d.write("xyzzy")
			d.settle()
			d.sees("not found")
			d.lacks("takes commands")
			d.press("ctrl+u")
			d.write("/compact")
			d.press("enter") // before anything was found
			d.settle()
			d.lacks("find:")
			d.sees("“/compact”: not found · : takes")
			if !d.m.transcript.focused || d.m.find != nil {
				t.Errorf("words that stand nowhere are looked for again:\n%s", d.screen())
			}
			d.press(":")
			d.draft("/")
		})
	}
}

func TestWhatIsNotFoundLeavesTheWordsBefore(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.press("tab", "/")
		d.write("cookie")
		d.press("enter")
		d.settle()
		d.sees("3 of 3")
		d.press("/")
		d.write("xyzzy")
		d.press("enter")
		d.settle()
		d.sees("“xyzzy”: not found")
		d.stood("#10", "cookie")
		d.press("/", "O", "I", "esc", "N")
		d.sees("2 of 3")
		d.stood("#5", "cookie")
	})
}

func TestFindInWords(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.ask("/find COOKIE")
			d.sees("“COOKIE”: not found")
			d.draft("")
			if d.m.transcript.focused {
				t.Error("nothing was found, and the keys have moved")
			}
			d.ask("/find cookie")
			d.sees("3 of 3")
			d.stood("#10", "cookie")
			d.press("N")
			d.stood("#5", "cookie")
			d.ask(":find flag")
			d.stood("#10", "flag")
			d.press("esc")
			d.ask("/find")
			d.sees("find:")
			d.write("王")
			d.settle()
			d.sees("2 of 2")
			d.press("esc")
			d.draft("")
			if d.m.transcript.focused {
				t.Error("the keys are not where they were")
			}
		})
	}
}

// TestStaleFindingsAreDropped holds that what is found for words that are no longer
// typed, or in a history that has gone on, changes nothing.
func TestStaleFindingsAreDropped(t *testing.T) {
	m := opened(t, story())
	m.Update(keyPress("tab"))
	m.Update(keyPress("/"))
	var late []tea.Msg
	for _, key := range []string{"c", "o", "x", "y"} {
		m.Update(keyPress(key))
		f := dialogOf[*finder](m).find
		late = append(late, placesMsg{to: f, scan: f.scans, of: m.head, said: []foundIn{{id: m.head.ID(), n: 1}}, total: 1})
	}
	f := dialogOf[*finder](m)
	late = append(late[:3], placesMsg{to: f.find, scan: f.find.scans - 1, total: 7})
	top := m.transcript.cursor
	for _, msg := range late {
		m.Update(msg)
	}
	if f.find.of != nil || f.find.total != 0 || m.transcript.paint.lit != nil || m.transcript.cursor != top {
		t.Errorf("what is found late counts: %+v", f.find)
	}
	m.Update(keyPress("esc"))
	m.Update(placesMsg{to: f.find, scan: f.find.scans, of: m.head, said: []foundIn{{id: m.head.ID(), n: 1}}, total: 1})
	if m.find != nil || m.transcript.paint.lit != nil {
		t.Error("what was given up is found")
	}
}

func TestTheScanOfWordsThatAreGoneEnds(t *testing.T) {
	m := opened(t, dialogue(100))
	m.Update(keyPress("tab"))
	m.Update(keyPress("/"))
	m.Update(keyPress("p"))
	scan := dialogOf[*finder](m).find.scan(m)
	m.Update(keyPress("e"))
	if msg := scan(); msg != nil {
		t.Errorf("it brings %T", msg)
	}
}

func TestAKeyForTheNextPlaceIsKeptTillTheFirstIsFound(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("tab", "g", "/")
		for _, r := range "it is read" {
			d.update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		d.update(keyPress("down"))
		d.update(keyPress("enter"))
		d.update(keyPress("n"))
		d.update(keyPress("n"))
		d.settle()
		d.sees("4 of 360")
		d.stood("#12", "it is read")
	})
}

func TestWordsAreFoundWhileAReplyStreams(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(&scripted{window: 8192, reply: inPieces(60, "a new cookie is more than an old one\n", 100*time.Millisecond)}, story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.write("go")
			d.press("enter")
			d.pass(time.Second)
			d.press("tab", "/")
			d.write("cookie")
			d.pass(time.Second)
			d.sees("3 of 3")
			d.stood("#10", "cookie")
			d.pass(time.Second)
			d.stood("#10", "cookie") // whatever comes below
			d.settle()
			d.sees("3 of 63") // the reply is said now, and counts
			d.stood("#10", "cookie")
			d.press("down")
			d.sees("4 of 63")
			d.stood("#12", "cookie")
			d.press("enter")
			d.ask("iagain") // the history goes on, and n looks through it again
			d.press("tab", "g", "n")
			d.settle()
			d.sees("1 of 123")
			framed(d, d.m)
		})
	}
}

// TestWhatIsFoundStaysOnTheScreenWhateverItsSize resizes with the line open and after.
func TestWhatIsFoundStaysOnTheScreenWhateverItsSize(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("tab", "/")
		d.write("func f() { return }")
		d.settle()
		d.sees("60 of 60")
		for i, taken := range []bool{false, true} {
			if taken {
				d.press("enter", "N", "N")
			}
			for _, size := range []struct{ width, height int }{{60, 18}, {40, 10}, {200, 60}, {44, 12}, {20, 5}, {110, 34}} {
				d.send(tea.WindowSizeMsg{Width: size.width, Height: size.height})
				framed(d, d.m)
				if got := d.here(); size.height > 5 && got != "func f() { return }" {
					t.Errorf("%d×%d, %d: %q is marked:\n%s", size.width, size.height, i, got, d.screen())
				}
			}
		}
	})
}

func TestAPasteIsFoundAsOneLine(t *testing.T) {
	drive(t, options(says("ok"), story()), 60, 18, func(d *driver) {
		d.settle()
		d.press("tab", "/")
		d.send(tea.PasteMsg{Content: "verify\r\nboth\x1b[31m"})
		d.sees("find: verify both␛", "not found")
		d.press("backspace")
		d.settle()
		d.sees("1 of 1")
		d.send(tea.PasteMsg{Content: strings.Repeat("漢字 ", 5000)})
		d.sees("not found")
		framed(d, d.m)
		d.press("esc")
		d.draft("")
	})
}

// TestForeignTextIsFoundAsItShows holds that sequences in it part no words, and reach
// no terminal.
func TestForeignTextIsFoundAsItShows(t *testing.T) {
	c := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "a \x1b]52;c;cm0=\acookie \x1b[31mred"})
	drive(t, options(says("ok"), c), 60, 18, func(d *driver) {
		d.settle()
		d.press("tab", "/")
		d.write("␛cookie ␛red")
		d.settle()
		d.sees("1 of 1")
		d.stood("#1", "␛cookie ␛red")
		if s := d.m.View().Content; strings.Contains(s, "\x1b]52") || strings.Contains(s, "\x1b[31m") {
			t.Errorf("the terminal is sent %q", s)
		}
	})
}

func TestWhatIsFoundIsMarkedWithoutColours(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.press("tab", "/")
		d.write("小明")
		d.settle()
		if got := d.reversed(false); got != "小明" {
			t.Errorf("%q is marked besides, want the other place", got)
		}
		d.stood("#7", "小明")
		d.press("up")
		d.stood("#6", "小明")
	})
}

// TestOtherDialogsEndTheFindLine holds that the screen is as before then.
func TestOtherDialogsEndTheFindLine(t *testing.T) {
	for _, key := range []string{"f2", "f4", "f6", "ctrl+x h"} {
		drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
			d.settle()
			d.press("tab", "/")
			d.write("OIDC")
			d.settle()
			d.press(strings.Fields(key)...)
			d.settle()
			d.lacks("find:")
			if d.m.transcript.paint.lit != nil {
				t.Errorf("after %s, words are still marked:\n%s", key, d.screen())
			}
			d.press("esc")
			d.settle()
			if got := d.m.selectedNumbers(); d.m.dialog() != nil || !d.m.transcript.focused || got != "#70" {
				t.Errorf("after %s and esc, %s is selected:\n%s", key, got, d.screen())
			}
		})
	}
}

func TestASelectionGrowsToWhatIsFound(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/goto 5")
		d.press("v", "/")
		d.write("rollback")
		d.press("enter")
		d.settle()
		if got := d.m.selectedNumbers(); got != "#5-9" {
			t.Errorf("%s is selected, want #5-9:\n%s", got, d.screen())
		}
	})
}

func TestTheKeysOfFindAreRemapped(t *testing.T) {
	o := remapped(t, map[string][]string{"find": {"f"}, "find-next": {"J"}, "find-previous": {"K"}, "transcript-command": {"/"}})
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.ask("one cookie")
		d.ask("two cookies")
		d.press("tab", "f")
		d.write("cookie")
		d.press("enter")
		d.settle()
		d.sees("5 of 5 · J and K go to the next and the previous")
		d.press("K")
		d.sees("4 of 5")
		d.press("f")
		d.write("pin 1")
		d.settle()
		d.sees("not found · / takes commands here")
		d.press("esc", "/")
		d.draft("/")
	})
}

func TestHelpHasTheKeysOfFind(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 200, func(d *driver) {
		d.settle()
		d.press("tab", "f1")
		for _, line := range []string{":", "/", "n", "N"} {
			what := map[string]string{":": "command", "/": "find", "n": "next found", "N": "previous found"}[line]
			if !strings.Contains(strings.Join(strings.Fields(d.screen()), " "), " "+line+" "+what+" ") {
				t.Errorf("help does not have %s %s:\n%s", line, what, d.screen())
			}
		}
		d.sees("/find [words]")
	})
}
