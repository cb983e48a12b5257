package ui

import (
	"fmt"
	"strconv"
	"strings"
)

// compact writes a number of tokens in at most five cells: 188, 5.1k, 12.4k,
// 124k, 1.2M.
func compact(n int) string {
	switch {
	case n < 0:
		return "-" + compact(-n)
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
	s := compact(before) + " → " + compact(after)
	if before > 0 {
		s += " (" + strings.Replace(fmt.Sprintf("%+d%%", (after-before)*100/before), "-", "−", 1) + ")"
	}
	return s
}

// percent writes a share of a whole.
func percent(part, whole int) string {
	return fmt.Sprintf("%d%%", (part*100+whole/2)/whole)
}
