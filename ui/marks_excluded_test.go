package ui

import "testing"

// TestMarksOfWhatIsExcludedSayWhatTheyComeTo holds that a mark which changes nothing
// that is sent says so.
func TestMarksOfWhatIsExcludedSayWhatTheyComeTo(t *testing.T) {
	for _, tt := range []struct{ before, command, sees string }{
		{"/exclude 5", "/pin 5", "#5 pinned, but it stays excluded: the model gets nothing of it · ctrl+x u undoes it"},
		{"/exclude 2", "/mask 3", "#3 masked, but it stays excluded: the model gets nothing of it"},
		{"/exclude 5", "/pin 5-6", "2 messages pinned, but 1 excluded: the model gets nothing of those"},
		{"/pin 6", "/pin 5", "#5 pinned · ctrl+x u undoes it"},
	} {
		t.Run(tt.command, func(t *testing.T) {
			drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
				d.settle()
				d.ask(tt.before)
				d.ask(tt.command)
				d.sees(tt.sees)
			})
		})
	}
}
