package messages

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"pleat/session"
)

// grown returns a list of about so many bytes, in turns with a tool result of
// so many each.
func grown(bytesInAll, result int) []byte {
	var b bytes.Buffer
	output := strings.Repeat("2026-03-10 ok GET /healthz \\\"200\\\"\\n", result/37+1)
	b.WriteString(`[{"role":"system","content":"Be brief."}`)
	for i := 0; b.Len() < bytesInAll; i++ {
		fmt.Fprintf(&b, `,
  {"role":"user","content":"request %d"},
  {"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"logs","arguments":"{}"}}]},
  {"role":"tool","tool_call_id":"call_%d","content":"%s"},
  {"role":"assistant","content":"All is well.","x":1}`, i, i, i, output)
	}
	b.WriteString("\n]\n")
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for _, size := range []int{1 << 16, 1 << 20, 1 << 24} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			data := grown(size, 4000)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	l, err := Parse(grown(1<<20, 4000))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(l.Bytes())))
	for b.Loop() {
		if err := l.Write(io.Discard, l.Chain().Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// A large list takes a small multiple of its size beyond itself.
func TestLargeListsTakeMemoryInProportion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	data := grown(16<<20, 4000)
	base := heap()
	peak, stop := watch()
	began := time.Now()
	l, err := Parse(data)
	took := time.Since(began)
	if err != nil {
		t.Fatal(err)
	}
	kept := heap() - base
	if err := l.Write(io.Discard, l.Chain().Append(session.Compaction{Covers: l.spans(2, l.Len()-4), Summary: "x"}).Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	most := float64(*peak-base) / float64(len(data))
	t.Logf("%d messages, %d MB: read in %v, keeps %.1f times its size, %.1f at most", l.Len(), len(data)>>20, took.Round(time.Millisecond), float64(kept)/float64(len(data)), most)
	if most > 6 {
		t.Errorf("it takes %.1f times its size beyond itself, want 6 at most", most)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// watch notes the largest heap until it is stopped.
func watch() (peak *uint64, stop func()) {
	peak = new(uint64)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var m runtime.MemStats
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&m)
				*peak = max(*peak, m.HeapAlloc)
			}
		}
	}()
	return peak, func() { close(done); <-ended }
}
