package tokens

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCalibrationLearnsInThreeTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(0, 80).Draw(t, "a")
		f := rapid.Float64Range(0.6, 1.8).Draw(t, "f")
		truth := func(raw int) float64 { return a + f*float64(raw) }
		raw := rapid.IntRange(100, 4000).Draw(t, "first") // three turns of a chat are no smaller
		var c Calibration
		for range rapid.IntRange(3, 12).Draw(t, "turns") {
			noise := rapid.Float64Range(-0.02, 0.02).Draw(t, "noise")
			var ok bool
			if c, ok = c.Observe(raw, int(math.Round(truth(raw)*(1+noise)))); !ok {
				t.Fatalf("did not believe %v tokens for %d", truth(raw), raw)
			}
			raw += rapid.IntRange(raw/10, raw*3/5).Draw(t, "grows by")
		}
		if got, want := float64(c.Estimate(raw)), truth(raw); math.Abs(got-want) > 0.15*want {
			o, g := c.Line()
			t.Errorf("Estimate(%d) = %v, want %v; line %v + %v·raw", raw, got, want, o, g)
		}
	})
}

func TestCalibrationFollowsAChange(t *testing.T) {
	var c Calibration
	for i := range 10 {
		c, _ = c.Observe(1000+100*i, 1500+150*i)
	}
	for i := range 30 { // the user made another model of the same name
		c, _ = c.Observe(2000+100*i, 1400+70*i)
	}
	if got := c.Estimate(5000); got < 3200 || got > 3800 {
		t.Errorf("Estimate(5000) = %d, want about 3500", got)
	}
}

func TestCalibrationIgnoresAbsurdCounts(t *testing.T) {
	var c Calibration
	for i := range 4 {
		c, _ = c.Observe(1000+200*i, 1100+220*i)
	}
	tests := []struct {
		name        string
		raw, actual int
	}{
		{"nothing said", 2000, 0},
		{"negative", 2000, -5},
		{"no request", 0, 100},
		{"only what was not cached", 2000, 14},
		{"half of it cached", 2000, 1100},
		{"the oldest messages dropped", 4000, 2048},
		{"a sum over a session", 2000, 90000},
	}
	for _, tt := range tests {
		after, ok := c.Observe(tt.raw, tt.actual)
		if ok || after.Estimate(3000) != c.Estimate(3000) {
			t.Errorf("%s: believed %v, estimate %d → %d", tt.name, ok, c.Estimate(3000), after.Estimate(3000))
		}
	}
}

func TestExactCalibrationLearnsTheOffset(t *testing.T) {
	c := Calibration{Exact: true}
	for _, raw := range []int{100, 900, 2000} {
		c, _ = c.Observe(raw, raw+7)
		if got := c.Estimate(5000); got != 5007 {
			t.Errorf("after %d: Estimate(5000) = %d, want 5007", raw, got)
		}
	}
	if _, ok := c.Observe(2000, 1500); ok {
		t.Error("believed that a server counts less than an exact counter")
	}
}

func TestCalibrationStartsWithTheCountItself(t *testing.T) {
	var c Calibration
	for _, raw := range []int{-1, 0, 1, 12345} {
		if got := c.Estimate(raw); got != max(0, raw) {
			t.Errorf("Estimate(%d) = %d", raw, got)
		}
	}
}

func TestCalibrationSurvivesJSON(t *testing.T) {
	var c, back Calibration
	for i := range 5 {
		c, _ = c.Observe(137+911*i, 201+1313*i)
	}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &back); err != nil || back != c {
		t.Errorf("%s became %+v, %v; want %+v", data, back, err, c)
	}
}

func FuzzCalibrationIsNeverAbsurd(f *testing.F) {
	f.Add([]byte(`{"seen":3,"weight":1e300,"raw":-1e300}`), 100, 120, 1000)
	f.Add([]byte(`{"seen":1,"weight":1e-9,"raw":1e300,"raw_raw":1e300}`), 1, 1, 1)
	f.Fuzz(func(t *testing.T, data []byte, raw, actual, next int) {
		var c Calibration
		if json.Unmarshal(data, &c) != nil {
			return
		}
		next %= 1 << 30
		c, _ = c.Observe(raw%(1<<30), actual%(1<<30))
		if got := c.Estimate(next); got < 0 || got > 3*max(0, next)+1001 {
			t.Errorf("Estimate(%d) = %d with %+v", next, got, c)
		}
	})
}
