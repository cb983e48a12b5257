package ollama

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"

	"pleat/providers"
)

// patience is how long a server may say nothing before the user is told what
// the wait is for.
const patience = 2 * time.Second

const (
	statusLoading = "the model is loading or reading …" // headers come with the first token
	statusWaiting = "waiting for the server …"
)

// maxLine bounds one line of a stream, against a server that never ends one.
const maxLine = 256 << 20

// item is what the reading goroutine hands over.
type item struct {
	chunk providers.Chunk
	err   error
}

// Stream asks for a reply, as [providers.Provider] demands. Errors are of type
// [*providers.Error], but for that of ctx. No goroutine outlives the iteration.
func (p *Provider) Stream(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
	return func(yield func(providers.Chunk, error) bool) {
		reading, cancel := context.WithCancel(ctx)
		items := make(chan item)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			p.read(reading, req, func(chunk providers.Chunk, err error) bool {
				select {
				case items <- item{chunk, err}:
					return true
				case <-reading.Done():
					return false
				}
			})
		}()
		defer func() {
			cancel()
			<-ended
		}()
		deliver(ctx, items, yield)
	}
}

// deliver yields what arrives until the reply ends, with a status whenever the
// server is silent for long.
func deliver(ctx context.Context, items <-chan item, yield func(providers.Chunk, error) bool) {
	silence := time.NewTimer(patience)
	defer silence.Stop()
	status := statusLoading
	for {
		select {
		case <-ctx.Done():
			yield(providers.Chunk{}, ctx.Err())
			return
		case <-silence.C:
			if !yield(providers.Chunk{Status: status}, nil) {
				return
			}
			continue // once for each silence
		case it := <-items:
			if err := endedBy(ctx, it.err); err != nil {
				yield(providers.Chunk{}, err)
				return
			}
			if !yield(it.chunk, nil) || it.chunk.Done {
				return
			}
		}
		status = statusWaiting
		silence.Reset(patience) // after yield, whose time is not the server's
	}
}

// read makes the request and hands over chunks until the reply is complete,
// fails, or is wanted no more.
func (p *Provider) read(ctx context.Context, req providers.Request, hand func(providers.Chunk, error) bool) {
	c := call{
		tried: fmt.Sprintf("chat with %s at %s", req.Model, p.address("/api/chat")),
		model: req.Model,
		path:  "/api/chat",
	}
	var w providers.Window
	if req.Window <= 0 || req.NoThink {
		w, _ = p.Window(ctx, req.Model) // what is not known keeps nobody from chatting
	}
	body, err := p.chatRequest(req, w)
	if err != nil {
		hand(providers.Chunk{}, &providers.Error{Tried: c.tried, Reason: err.Error(), Err: err})
		return
	}
	c.body = body
	resp, err := p.send(ctx, c)
	if err != nil {
		hand(providers.Chunk{}, err)
		return
	}
	defer resp.Body.Close()
	r := &reply{p: p, call: c, status: resp.StatusCode}
	for line, err := range lines(resp.Body) {
		var chunk providers.Chunk
		if err == nil {
			chunk, err = r.chunk(line)
		}
		if err != nil {
			err = r.cut(err)
		}
		if !hand(chunk, err) || err != nil || chunk.Done {
			return
		}
	}
}

// lines walks the lines of a stream that are not blank and ends with an error,
// io.EOF included. A line is valid until the next one.
func lines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 16<<10)
		var long []byte
		for {
			part, err := in.ReadSlice('\n')
			line := part
			if len(long) > 0 || err == bufio.ErrBufferFull {
				long = append(long, part...)
				line = long
			}
			if len(line) > maxLine {
				yield(nil, fmt.Errorf("a line of the answer is longer than %d MB", maxLine>>20))
				return
			}
			if err == bufio.ErrBufferFull {
				continue
			}
			long = long[:0]
			if (err == nil || err == io.EOF && whole(line)) && !blank(line) && !yield(line, nil) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// whole reports whether the last line of a stream, which lacks its end, is
// anything but the beginning of an object.
func whole(line []byte) bool {
	return !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) || json.Valid(line)
}

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
