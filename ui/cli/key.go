package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// keyReader returns what finds the key for an OpenAI-compatible server: what
// api_key_cmd prints, or OPENAI_API_KEY. It is asked for once, since a password
// manager may ask in turn, and kept in memory only.
func (c *config) keyReader(ctx context.Context) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		if c.APIKeyCmd == "" {
			return os.Getenv("OPENAI_API_KEY"), nil
		}
		return keyFrom(ctx, c.APIKeyCmd)
	})
}

// keyFrom runs a command that prints a key. Its errors repeat nothing that the
// command printed, which may be the key.
func keyFrom(ctx context.Context, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.WaitDelay = time.Second // for what it left running in the background
	out, err := outputUpTo(cmd, longestKey)
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return "", fmt.Errorf("api_key_cmd failed: %w · run it by hand to see why", err)
	}
	key := strings.TrimSpace(string(out))
	if key == "" || strings.ContainsAny(key, "\r\n") {
		return "", fmt.Errorf("api_key_cmd has to print the key on one line, and printed %d lines · run it by hand to see", countLines(key))
	}
	return key, nil
}

// longestKey is how many bytes a command may print for a key. Tokens that hold what
// they are good for have some thousand.
const longestKey = 64 << 10

// outputUpTo runs a command and returns what it prints. One that prints more is
// stopped.
func outputUpTo(cmd *exec.Cmd, most int) ([]byte, error) {
	out := &upTo{most: most}
	cmd.Stdout = out
	err := cmd.Run()
	if out.over {
		err = fmt.Errorf("it printed more than %d bytes", most)
	}
	return out.kept.Bytes(), err
}

// upTo keeps what is written to it, and breaks the pipe with what is too much.
type upTo struct {
	kept bytes.Buffer
	most int
	over bool
}

func (u *upTo) Write(p []byte) (int, error) {
	if u.over = u.over || u.kept.Len()+len(p) > u.most; u.over {
		return 0, io.ErrShortBuffer
	}
	return u.kept.Write(p)
}

func countLines(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// hasOpenAI reports whether an OpenAI-compatible server is set up.
func (c *config) hasOpenAI() bool {
	return c.BaseURL != "" || c.APIKeyCmd != "" || os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
}
