package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestAnEditedSummaryIsAppliedAndSaysSo(t *testing.T) {
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.opens()
		d.press("e")
		d.sees("edit the summary", "esc keep")
		d.write("Keep the flag. ")
		d.press("esc")
		d.settle()
		d.sees("2 of 2", "edited by you", "Keep the flag. ## Goal")
		d.press("<")
		d.settle()
		d.lacks("Keep the flag")
		d.sees("1 of 2")
		d.press(">", "enter")
		d.settle()
		if got := d.summed(); !strings.HasPrefix(got, "Keep the flag. ## Goal") {
			t.Errorf("the model gets %q", got)
		}
		d.press("tab", "[")
		d.sees("edited")
	})
}

func TestAnEditIsGivenUpOnlyWhenAskedTwice(t *testing.T) {
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.opens()
		d.press("e", "ctrl+c")
		d.sees("enter apply") // nothing was changed, so nothing is asked
		d.press("e", "z", "ctrl+c")
		d.sees("ctrl+c again gives up", "z## Goal")
		d.press("y", "ctrl+c")
		d.sees("zy## Goal")
		d.press("ctrl+c")
		d.settle()
		d.sees("enter apply")
		d.lacks("zy##", "of 2")
	})
}

func TestASummaryThatMayNotStandIsRefusedAndKept(t *testing.T) {
	tests := []struct{ name, text, why string }{
		{"blank", "", "an empty summary would lose all that it stands for"},
		{"no smaller", strings.Repeat("what about the cookie store? ", 1000), "nothing to gain"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
				d.opens()
				d.press("e")
				for range 8 {
					d.press("ctrl+k", "ctrl+k")
				}
				d.update(tea.PasteMsg{Content: tt.text})
				d.press("esc")
				d.settle()
				d.sees(tt.why, "e goes on editing", "2 of 2")
				d.press("enter")
				d.sees("no summary to apply")
				if compactions(d) != 0 {
					t.Error("it was applied")
				}
				d.press("e")
				d.write("Keep the flag.")
				d.press("ctrl+a")
				if got := d.m.dialog().(*summaryEditor).area.Value(); !strings.Contains(got, strings.TrimRight(tt.text, " ")) {
					t.Errorf("the text is gone: %d bytes", len(got))
				}
				d.press("ctrl+c", "ctrl+c", "<")
				d.settle()
				d.press("enter")
				d.settle()
				if compactions(d) != 1 {
					t.Error("the version before could not be applied")
				}
			})
		})
	}
}

func TestWhatWasEditedIsNotDroppedUnasked(t *testing.T) {
	edited := func(d *driver) {
		d.opens()
		d.press("e")
		d.write("Mine. ")
		d.press("esc")
		d.settle()
	}
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		edited(d)
		d.press("esc")
		d.sees("again drops it", "Mine. ## Goal")
		d.press("j", "esc")
		d.sees("again drops it")
		d.press("tab")
		d.sees("ready: ")
		d.press("esc")
		d.sees("again drops it")
		d.press("f2")
		d.settle()
		d.sees("Mine. ## Goal", "2 of 2")
		d.press("esc", "esc")
		d.sees("left as it was")
		if d.m.candidate != nil {
			t.Error("it is still there")
		}
	})
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		edited(d)
		d.press("f3")
		d.settle()
		d.sees("compact: window", "3 of 3")
		d.press("<")
		d.settle()
		d.sees("compact: summarize", "Mine. ## Goal")
	})
}

func TestAnEditSurvivesAnUndo(t *testing.T) {
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.opens()
		d.press("e")
		d.write("Mine. ")
		for range 8 { // under what the plan covers
			d.send(d.m.undo()())
		}
		d.sees("edit the summary", "Mine. ## Goal")
		d.press("esc")
		d.settle()
		d.sees("has changed since this was planned", "r plan again", "Mine. ## Goal")
		d.press("enter")
		if compactions(d) != 0 {
			t.Fatal("what does not fit was applied")
		}
		d.press("r")
		d.settle()
		d.sees("Mine. ## Goal", "edited by you")
		d.press("enter")
		d.settle()
		if got := d.summed(); !strings.HasPrefix(got, "Mine. ## Goal") {
			t.Errorf("the model gets %q", got)
		}
	})
}

func TestTheSummaryCanBeWrittenInAnEditor(t *testing.T) {
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", editorThat(t, `printf 'From \033[2J elsewhere.\n' > "$1"`))
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.opens()
		cmd, _ := d.m.dialog().key(d.m, keyPress("e"), "ctrl+x e")
		msg := cmd().(editMsg)
		if text, _ := os.ReadFile(msg.file); !strings.HasPrefix(string(text), "## Goal") {
			t.Errorf("the editor gets %q", text)
		}
		d.send(msg.done(msg.editor.Run()))
		d.sees("From ␛ elsewhere.", "esc keep")
		d.press("esc")
		d.settle()
		d.sees("edited by you", "From ␛ elsewhere.")
		d.draft("")
	})
}

func TestWhatIsTypedAtTheEndOfASummaryShows(t *testing.T) {
	drive(t, summing(says(summaryText)), 60, 18, func(d *driver) {
		d.opens()
		d.press("e")
		for range 40 {
			d.press("down")
		}
		d.press("end")
		for i := range 60 {
			word := fmt.Sprintf(" word%d", i)
			d.write(word)
			d.sees(word[1:])
			if d.m.cursor == nil {
				t.Fatalf("there is no caret:\n%s", d.screen())
			}
		}
		d.press("up", "up", "down")
		d.sees("word59")
	})
}

func TestNothingThatIsTooLongForASummaryIsLost(t *testing.T) {
	editorValue := func(d *driver) string { return d.m.dialog().(*summaryEditor).area.Value() }
	t.Run("from the editor", func(t *testing.T) {
		t.Setenv("VISUAL", "")
		t.Setenv("EDITOR", editorThat(t, `head -c 300000 /dev/zero | tr '\0' q > "$1"`))
		drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
			d.opens()
			cmd, _ := d.m.dialog().key(d.m, keyPress("e"), "ctrl+x e")
			msg := cmd().(editMsg)
			d.send(msg.done(msg.editor.Run()))
			d.sees("## Goal", "300000 bytes are too many for a summary")
			if got := d.m.composer.text(); got != strings.Repeat("q", 300_000) {
				t.Errorf("the draft has %d bytes, want all that was written", len(got))
			}
		})
	})
	t.Run("pasted bit by bit", func(t *testing.T) {
		drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
			d.opens()
			d.press("e")
			part := strings.Repeat("p", 60_000)
			d.send(tea.PasteMsg{Content: part})
			d.send(tea.PasteMsg{Content: part})
			d.sees("nothing was pasted")
			if got := editorValue(d); !strings.HasPrefix(got, part+"## Goal") {
				t.Errorf("the summary has %d bytes, want the first paste before what was there", len(got))
			}
		})
	})
	t.Run("on a narrow screen", func(t *testing.T) {
		drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
			d.opens()
			d.press("e")
			d.send(tea.PasteMsg{Content: strings.Repeat("p", 60_000)})
			d.press("esc")
			d.settle()
			d.send(tea.WindowSizeMsg{Width: 5, Height: 34})
			d.press("e")
			if got := editorValue(d); !strings.HasPrefix(got, "ppp") || !strings.Contains(got, "p## Goal") {
				t.Errorf("the editor has %d bytes, want all of the summary", len(got))
			}
		})
	})
}
