package ui

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"pleat/compaction"
	"pleat/session/turn"
)

// TestChoicesAreTheSameOnlyIfAllIs holds for settings that are still to come, too.
func TestChoicesAreTheSameOnlyIfAllIs(t *testing.T) {
	if !(Choices{}).Same(Choices{Settings: turn.Settings{Params: compaction.Params{}}}) {
		t.Error("parameters that are not there are not the same as none")
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Choices]()) {
		var c Choices
		switch v := reflect.ValueOf(&c).Elem().FieldByIndex(f.Index); v.Kind() {
		case reflect.Struct:
			continue // its fields come by themselves
		case reflect.String:
			v.SetString("other")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int:
			v.SetInt(1)
		case reflect.Float64:
			v.SetFloat(1)
		case reflect.Map:
			c.Params = compaction.Params{"size": "7"}
		default:
			t.Fatalf("there is no other value for %s", f.Name)
		}
		if c.Same(Choices{}) || (Choices{}).Same(c) {
			t.Errorf("%s does not count", f.Name)
		}
	}
}

func TestWhatIsChangedIsKeptForTheNextTime(t *testing.T) {
	var at Choices // what a store would have
	kept := 0
	begin := func() Options {
		o := options(says("ok"), long())
		at = Choices{Settings: o.Settings, Theme: "dark"}
		o.Theme = "dark"
		o.Keep = func(_ context.Context, was, now Choices) error {
			if !was.Same(at) {
				t.Errorf("kept %+v in place of %+v, while %+v is stored", now, was, at)
			}
			kept++
			at = now
			return nil
		}
		return o
	}
	drive(t, begin(), 110, 34, func(d *driver) {
		d.settle()
		if kept > 0 {
			t.Errorf("%+v is kept though nothing was changed", at)
		}
		for range 3 { // at once
			d.update(keyPress("f3"))
		}
		d.settle()
		d.ask("/strategy window size=7")
		d.ask("/auto auto")
		d.ask("/set trigger 90%")
		d.ask("/set reserve 700")
		d.ask("/theme light")
		d.ask("/mouse on")
		want := d.m.choices()
		if !at.Same(want) || at.Strategy != "window" || at.Params["size"] != "7" || at.Auto != turn.Auto || at.Trigger != 0.9 || at.Reserve != 700 || at.Theme != "light" || !at.Mouse {
			t.Errorf("%+v is kept, want %+v", at, want)
		}
		before := kept
		d.ask("/strategy window size=7")
		if kept != before {
			t.Error("what was not changed is kept again")
		}
	})
}

func TestAChatBeginsWithWhatWasKept(t *testing.T) {
	o := options(says("ok"), long())
	open, choices := o.Open, Choices{Settings: o.Settings, Theme: "light", Mouse: true}
	choices.Strategy, choices.Auto = "window", turn.Off
	o.Open = func(ctx context.Context) (Opened, error) {
		opened, err := open(ctx)
		opened.Choices = &choices
		return opened, err
	}
	o.Keep = func(context.Context, Choices, Choices) error { return errors.New("the disk is full") }
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		if got := d.m.choices(); !got.Same(choices) {
			t.Errorf("it begins with %+v, want %+v", got, choices)
		}
		d.sees("window", "auto off")
		d.ask("/strategy mask")
		d.sees("cannot be kept for the next time", "the disk is full")
		if d.m.runner.Strategy != "mask" {
			t.Error("what cannot be kept does not hold either")
		}
	})
}

// TestWhoIsFasterThanTheStoreIsHeard checks that what was kept does not undo what
// the user has chosen before it was read.
func TestWhoIsFasterThanTheStoreIsHeard(t *testing.T) {
	o := options(says("ok"), long())
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.press("f3")
		chosen, kept := d.m.choices(), d.m.given
		kept.Strategy = "none"
		d.run(d.m.begin(&kept))
		if got := d.m.choices(); !got.Same(chosen) {
			t.Errorf("%+v is in use, want %+v", got, chosen)
		}
	})
}
