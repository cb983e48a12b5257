package session

import (
	"fmt"
	"testing"
)

func withMessages(b *testing.B, n int) (*Store, *Chain) {
	b.Helper()
	s, err := Open(b.Context(), b.TempDir()+"/pleat.db") // as users have it, waiting for the disk
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	c := long(n)
	if err := s.Move(b.Context(), "a", nil, c, c); err != nil {
		b.Fatal(err)
	}
	return s, c
}

func BenchmarkAppendAndSave(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		for _, sync := range []string{"FULL", "NORMAL"} {
			b.Run(fmt.Sprintf("messages=%d/synchronous=%s", n, sync), func(b *testing.B) {
				s, c := withMessages(b, n)
				run(b, s, "PRAGMA synchronous = "+sync)
				i := 0
				for b.Loop() {
					next := c.Append(says(fmt.Sprint("one more message, the number of which is ", i)))
					if err := s.Move(b.Context(), "a", c, next, next); err != nil {
						b.Fatal(err)
					}
					c, i = next, i+1
				}
			})
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			s, c := withMessages(b, n)
			for b.Loop() {
				if head, _, err := s.Load(b.Context(), "a"); err != nil || head.Len() != c.Len() {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewest(b *testing.B) {
	s, _ := withMessages(b, 100_000)
	for b.Loop() {
		if list, err := s.Newest(b.Context(), "a", 100); err != nil || len(list) != 100 {
			b.Fatal(len(list), err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s, _ := withMessages(b, 100_000)
	for _, query := range []string{"message 77", "nobody said", "移行"} {
		b.Run("query="+query, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Search(b.Context(), query, 20); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
