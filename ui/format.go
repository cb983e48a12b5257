package ui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pleat/compaction"
)

// short writes a number of tokens in at most five cells: 188, 5.1k, 12.4k, 124k,
// 1.2M.
func short(n int) string {
	switch {
	case n < 0:
		return "-" + short(-n)
	case n < 1000:
		return strconv.Itoa(n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	case n < 999_500:
		return fmt.Sprintf("%.0fk", float64(n)/1000)
	default:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	}
}

// change writes what a compaction does to a number of tokens.
func change(before, after int) string {
	s := short(before) + " → " + short(after)
	switch {
	case before <= 0:
		return s
	case after < before:
		return s + " (−" + percent(before-after, before) + ")"
	}
	return s + " (+" + percent(after-before, before) + ")"
}

// missed says that a compaction does not come down to its target; "" if it does,
// as it may where a summary is shorter than expected.
func missed(after, target int) string {
	if target == 0 || after <= target {
		return ""
	}
	return "target missed: " + short(after) + " > " + short(target)
}

// explain writes an error, with its numbers as they are written everywhere on
// the screen.
func explain(err error) string {
	e, ok := errors.AsType[*compaction.NoGain](err)
	if !ok {
		return err.Error()
	}
	s := "nothing to gain: " + change(e.Before, e.After) + " tokens"
	if missed := missed(e.Before, e.Missed); missed != "" {
		s += ", " + missed
	}
	return s
}

// percent writes a part of a whole, which is more than 0. Only all of it is 100%:
// a bar that is nearly full is not, and what nearly goes leaves something.
func percent(part, whole int) string {
	x := float64(part) / float64(whole)
	if part < whole {
		x = min(x, 0.99)
	}
	return share(x)
}

// share writes a share of 1 in percent.
func share(x float64) string { return strconv.Itoa(int(x*100+0.5)) + "%" }

// duration writes how long something took: 3.2 s, 12 s, 2 min 05 s; "" for next
// to nothing.
func duration(d time.Duration) string {
	tenths, seconds := d.Round(time.Second/10), int(d.Round(time.Second)/time.Second)
	switch {
	case tenths <= 0:
		return ""
	case tenths < 10*time.Second:
		return strconv.FormatFloat(tenths.Seconds(), 'f', -1, 64) + " s"
	case seconds < 100:
		return strconv.Itoa(seconds) + " s"
	}
	return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
}

// clock writes a time of day, nothing if it is unknown.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("15:04")
}

// dated writes a day of the year and a time of day, nothing if that is unknown.
func dated(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 Jan 15:04")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tail returns the last n bytes of a text, or less where that would cut a
// character apart.
func tail(s string, n int) string {
	return strings.ToValidUTF8(s[max(0, len(s)-n):], "")
}

// head returns the first n bytes of a text, or less where that would cut a
// character apart.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
