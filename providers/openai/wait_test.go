package openai

import (
	"net/http"
	"testing"
	"time"
)

func TestInWordsSpeaksLikePeople(t *testing.T) {
	now := time.Date(2026, 11, 30, 13, 20, 0, 0, time.FixedZone("here", 3600))
	tests := []struct {
		d    time.Duration
		want string
	}{
		{0, "now"},
		{time.Second, "in 1 second, at 13:20:01"},
		{59 * time.Second, "in 59 seconds, at 13:20:59"},
		{10 * time.Minute, "in 10 minutes, at 13:30"},
		{3 * time.Hour, "in 3 hours, at 16:20"},
		{5 * time.Hour, "in 5 hours, at 18:20"},
		{20 * time.Hour, "in 20 hours, on Tuesday at 09:20"},
		{18 * 24 * time.Hour, "in 18 days, on 18 December at 13:20"},
		{447*time.Hour + 13*time.Minute + 54*time.Second, "in 19 days, on 19 December at 04:33"},
	}
	for _, tt := range tests {
		if got := inWords(tt.d, now); got != tt.want {
			t.Errorf("inWords(%v) = %q, want %q", tt.d, got, tt.want)
		}
	}
}

func TestRetryAfterReadsTexts(t *testing.T) {
	now := time.Date(2026, 11, 30, 13, 20, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"Please try again in 7m12s. Visit":                    7*time.Minute + 12*time.Second,
		"Please try again in 20s":                             20 * time.Second,
		"Please retry in 34.5s.":                              34500 * time.Millisecond,
		"try again in 120ms":                                  120 * time.Millisecond,
		"Try again in 30 seconds":                             30 * time.Second,
		"quota resets at 2026-11-30T14:20:00Z":                time.Hour,
		`{"resets_at":"2026-11-30T15:20:00+01:00"}`:           time.Hour,
		"quota reset at 2020-01-01T00:00:00Z":                 0,
		"try again in a while":                                0,
		"try again in 99999999999999999999999999999999999h":   0,
		"try again in 999999999999999999999999999999 seconds": farAway,
		"": 0,
	} {
		if got := retryAfter(http.Header{}, text, now); got != want {
			t.Errorf("retryAfter(%q) = %v, want %v", text, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("18000", "")
	f.Add("NaN", "try again in 5s")
	f.Add("Sat, 01 Jan 2050 00:00:00 GMT", "reset at 2026-11-30T14:20:00Z")
	now := time.Date(2026, 11, 30, 13, 20, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, header, text string) {
		if d := retryAfter(http.Header{"Retry-After": {header}}, text, now); d < 0 || d > farAway {
			t.Errorf("retryAfter(%q, %q) = %v", header, text, d)
		}
	})
}
