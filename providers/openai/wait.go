package openai

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxTries = 3
	maxWait  = time.Minute          // for all tries of one request together
	farAway  = 366 * 24 * time.Hour // a server that says more does not mean it
)

// pause is how long to wait after a failed try if the server does not say.
func pause(try int) time.Duration { return time.Duration(try*try) * 2 * time.Second }

var (
	inText = pattern(`(?i)(?:try again|retry|retry after|available|resets?)(?: \w+)? in (\d+(?:\.\d+)?(?:ms|h|m|s)(?:\d+(?:\.\d+)?(?:ms|h|m|s))*|\d+(?:\.\d+)? ?seconds?)\b`)
	atText = pattern(`(?i)reset\w*(?: at|")?[: "]+(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))`)
)

// retryAfter returns how long a server wants to be left alone, from its headers
// or the text of its error; 0 if it does not say, or not in a way that makes
// sense.
func retryAfter(h http.Header, text string, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return span(ms, time.Millisecond)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return span(s, time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return span(at.Sub(now).Seconds(), time.Second)
	}
	if m := inText().FindStringSubmatch(text); m != nil {
		number, _, _ := strings.Cut(strings.Replace(m[1], "second", " ", 1), " ")
		if s, err := strconv.ParseFloat(number, 64); err == nil {
			return span(s, time.Second)
		}
		if d, err := time.ParseDuration(m[1]); err == nil {
			return span(d.Seconds(), time.Second)
		}
	}
	if m := atText().FindStringSubmatch(text); m != nil {
		if at, err := time.Parse(time.RFC3339, m[1]); err == nil {
			return span(at.Sub(now).Seconds(), time.Second)
		}
	}
	return 0
}

// span is n units of time, within reason.
func span(n float64, unit time.Duration) time.Duration {
	switch {
	case math.IsNaN(n) || n <= 0:
		return 0
	case n > float64(farAway/unit):
		return farAway
	}
	return time.Duration(n * float64(unit))
}

// inWords says when a wait of d that begins now is over: "in 5 hours, at 18:20".
func inWords(d time.Duration, now time.Time) string {
	at := now.Add(d)
	clock := at.Format("15:04")
	switch {
	case d < time.Second:
		return "now"
	case d < 90*time.Second:
		return "in " + count(d, time.Second, "second") + ", at " + at.Format("15:04:05")
	case d < 90*time.Minute:
		return "in " + count(d, time.Minute, "minute") + ", at " + clock
	case d < 48*time.Hour && at.YearDay() == now.YearDay():
		return "in " + count(d, time.Hour, "hour") + ", at " + clock
	case d < 48*time.Hour:
		return "in " + count(d, time.Hour, "hour") + at.Format(", on Monday at 15:04")
	}
	return "in " + count(d, 24*time.Hour, "day") + at.Format(", on 2 January at 15:04")
}

func count(d, unit time.Duration, name string) string {
	n := int(math.Round(float64(d) / float64(unit)))
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}

// inShort is a wait of at most a minute: "3 s".
func inShort(d time.Duration) string {
	return fmt.Sprintf("%d s", max(1, int(math.Ceil(d.Seconds()))))
}
