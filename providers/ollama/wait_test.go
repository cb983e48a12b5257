package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// stuck is a server that sends a beginning and then nothing for as long as
// nobody gives up.
func stuck(beginning string) Config {
	return Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if beginning == "" {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		pr, pw := io.Pipe()
		context.AfterFunc(r.Context(), func() { pw.CloseWithError(r.Context().Err()) })
		return answer(io.MultiReader(strings.NewReader(beginning), pr)), nil
	})}
}

func TestCancellingEndsAHangingStreamAtOnce(t *testing.T) {
	for name, beginning := range map[string]string{
		"before headers": "", "after a line": say("a"), "in a line": say("a") + say("b")[:40],
	} {
		for _, window := range []int{512, 0} { // 0 looks the model up first
			t.Run(fmt.Sprint(name, " window ", window), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					req := hello()
					req.Window = window
					start := time.Now()
					time.AfterFunc(time.Hour, cancel) // a model may take its time
					h := listen(ctx, New(stuck(beginning)), req)
					if took := time.Since(start); took != time.Hour {
						t.Errorf("ended after %v, want at once after an hour", took)
					}
					if !errors.Is(h.err, context.Canceled) || h.done {
						t.Errorf("got %+v, want context.Canceled", h)
					}
				})
			})
		}
	}
}

func TestBreakingOffEndsAHangingStreamAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for range New(stuck(say("a"))).Stream(t.Context(), hello()) {
			break
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
	})
}

func TestNothingComesAfterCancelling(t *testing.T) {
	ready := func(script string) Config { // answers whether or not anybody waits
		return Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return answer(strings.NewReader(script)), nil
		})}
	}
	for range 50 { // two things are ready at once, and either may be seen first
		for _, script := range []string{say("a") + end, `{"error":"x"}`} {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if h := listen(ctx, New(ready(script)), hello()); h.err != context.Canceled || h.text != "" || h.done {
				t.Fatalf("got %+v, want context.Canceled and nothing else", h)
			}
			ctx, cancel = context.WithCancel(t.Context())
			defer cancel()
			var after []error
			for c, err := range New(ready(say("a")+script)).Stream(ctx, hello()) {
				if ctx.Err() != nil {
					after = append(after, err)
				}
				if c.Text != "" {
					cancel()
				}
			}
			if len(after) != 1 || after[0] != context.Canceled {
				t.Fatalf("after cancelling came %v, want context.Canceled alone", after)
			}
		}
	}
}

func TestCancellingWorksOnRealConnections(t *testing.T) {
	begun := make(chan struct{}, 1)
	midway := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // the server only notices that the client left once it has read all
		io.WriteString(w, say("a")+say("b")[:20])
		w.(http.Flusher).Flush()
		begun <- struct{}{}
		<-r.Context().Done()
	})
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	go func() { // takes connections and never answers
		for c, err := silent.Accept(); err == nil; c, err = silent.Accept() {
			c.Read(make([]byte, 1))
			begun <- struct{}{}
			io.Copy(io.Discard, c)
			c.Close()
		}
	}()
	at := func(scheme string) *Provider {
		host, _ := ParseHost(scheme + silent.Addr().String())
		return New(Config{Host: host})
	}
	for _, tt := range []struct {
		name string
		p    *Provider
	}{{"waiting for headers", at("http://")}, {"shaking hands", at("https://")}, {"in a line", midway}} {
		ctx, cancel := context.WithCancel(t.Context())
		var cancelled time.Time
		go func() {
			<-begun
			cancelled = time.Now()
			cancel()
		}()
		h := listen(ctx, tt.p, hello())
		if took := time.Since(cancelled); !errors.Is(h.err, context.Canceled) || took > time.Second { // a busy machine is slow to wake anybody
			t.Errorf("%s: %v after %v, want context.Canceled at once", tt.name, h.err, took)
		}
	}
}

func TestDiallingIsCancelledAtOnce(t *testing.T) {
	dialling := make(chan struct{})
	transport := newTransport(nil)
	transport.DialContext = bound(func(ctx context.Context, network, address string) (net.Conn, error) {
		close(dialling)
		<-ctx.Done() // or it leaks, which the end of the tests would show
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-dialling; cancel() }()
	if h := listen(ctx, New(Config{Transport: transport}), hello()); !errors.Is(h.err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", h.err)
	}
}

func TestAWaitIsExplained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		p := New(Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			requests++
			select {
			case <-time.After(90 * time.Second): // headers come after a cold load
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
			pr, pw := io.Pipe()
			go func() {
				for _, s := range []struct {
					wait time.Duration
					line string
				}{{0, say("a")}, {time.Second, say("b")}, {time.Minute, end}} {
					time.Sleep(s.wait)
					io.WriteString(pw, s.line)
				}
				pw.Close()
			}()
			return answer(pr), nil
		})})
		start := time.Now()
		var first time.Duration
		var got []string
		for c, err := range p.Stream(t.Context(), hello()) {
			if err != nil {
				t.Fatal(err)
			}
			if first == 0 {
				first = time.Since(start)
			}
			got = append(got, c.Status+c.Text)
		}
		want := []string{statusLoading, "a", "b", statusWaiting, ""}
		if first != patience || !slices.Equal(got, want) || requests != 1 {
			t.Errorf("first after %v, %q in %d requests; want %v, %q in one", first, got, requests, patience, want)
		}
	})
}

func TestTheTimeOfWhoListensIsNotTheServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for c, err := range New(oneByte(say("a")+say("b")+end)).Stream(t.Context(), hello()) {
			if err != nil || c.Status != "" {
				t.Errorf("got %+v, %v", c, err)
			}
			time.Sleep(10 * patience)
		}
	})
}
