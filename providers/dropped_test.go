package providers

import "testing"

func TestDroppedNeedsAClearDifference(t *testing.T) {
	for _, tt := range []struct {
		expected, counted int
		want              bool
	}{
		{900, 149, true}, {8000, 3000, true}, {8000, 4100, false}, {900, 900, false}, {900, 1200, false},
		{900, 0, false}, {0, 149, false}, {100, 40, false}, {900, -1, false},
	} {
		if got := Dropped(tt.expected, tt.counted); got != tt.want {
			t.Errorf("Dropped(%d, %d) = %v, want %v", tt.expected, tt.counted, got, tt.want)
		}
	}
}
