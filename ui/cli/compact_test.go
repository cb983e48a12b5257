package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
)

// folder returns the names of what is in dir.
func folder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func say(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func TestDeliverReplacesFilesWhole(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := deliver(t.Context(), nil, link, say("new")); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	info, err := os.Stat(file)
	if err != nil || string(text) != "new" || info.Mode().Perm() != 0o640 {
		t.Errorf("the file is %q, %v (%v), want \"new\" with its old permissions", text, info.Mode(), err)
	}
	if got := folder(t, dir); got != "file link" {
		t.Errorf("the folder has %s", got)
	}
	if target, err := os.Readlink(link); err != nil || target != "file" {
		t.Errorf("the link leads to %q (%v)", target, err)
	}
}

func TestDeliverLeavesTheOldFileIfItFails(t *testing.T) {
	broken := errors.New("broken")
	stopping, stop := context.WithCancel(t.Context())
	tests := []struct {
		name  string
		ctx   context.Context
		write func(io.Writer) error
		want  error
	}{
		{"an error", t.Context(), func(w io.Writer) error { return errors.Join(say("half")(w), broken) }, broken},
		{"stopped halfway", stopping, func(w io.Writer) error {
			err := say("half")(w)
			stop()
			return errors.Join(err, say("the rest")(w))
		}, context.Canceled},
		{"stopped before", stopping, say("all"), context.Canceled},
	}
	for _, tt := range tests {
		for _, old := range []string{"", "old"} {
			t.Run(tt.name+" "+old, func(t *testing.T) {
				dir := t.TempDir()
				file := filepath.Join(dir, "file")
				want := ""
				if old != "" {
					want = "file"
					if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := deliver(tt.ctx, nil, file, tt.write); !errors.Is(err, tt.want) {
					t.Errorf("deliver = %v, want %v", err, tt.want)
				}
				if text, _ := os.ReadFile(file); string(text) != old || folder(t, dir) != want {
					t.Errorf("the file is %q, the folder has %s", text, folder(t, dir))
				}
			})
		}
	}
}

func TestDeliverWritesIntoDevices(t *testing.T) {
	if err := deliver(t.Context(), nil, os.DevNull, say("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v now (%v)", os.DevNull, info.Mode(), err)
	}
}

func TestSignalsEndCompactAndLeaveFilesAlone(t *testing.T) {
	for _, sig := range endings {
		t.Run(fmt.Sprint(sig), func(t *testing.T) {
			if signal.Ignored(sig) {
				t.Skip("this shell has its programs ignore it, as nohup does")
			}
			t.Parallel()
			s := newScript(t)
			s.write("out.json", "old")
			cmd := exec.CommandContext(t.Context(), os.Args[0], "compact", "--out", "out.json")
			cmd.Dir = s.dir
			for k, v := range s.env {
				cmd.Env = append(cmd.Env, k+"="+v)
			}
			// The list does not end. A pipe without a buffer tells that the
			// program reads, by then it listens to signals.
			r, w, err := os.Pipe()
			s.must(err)
			defer w.Close()
			cmd.Stdin = r
			s.must(cmd.Start())
			r.Close()
			big := strings.Repeat(" ", 1<<20) // more than a pipe holds
			_, err = io.WriteString(w, big)
			s.must(err)
			s.must(cmd.Process.Signal(sig))
			cmd.Wait()
			if got, want := cmd.ProcessState.ExitCode(), fatal+int(sig); got != want {
				t.Errorf("exit status %d, want %d", got, want)
			}
			if got := s.read("out.json"); got != "old" {
				t.Errorf("the file is %q", got)
			}
			if got := folder(t, s.dir); strings.Contains(got, "tmp") {
				t.Errorf("the folder has %s", got)
			}
		})
	}
}

// writeLarge writes a list of about so many bytes and returns how many.
func writeLarge(path string, bytes int) (size int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	defer func() { err = errors.Join(err, w.Flush()) }()
	fmt.Fprint(w, `[{"role":"system","content":"Be brief."}`)
	output := strings.Repeat(`2026-03-10 10:41:07 ok GET /healthz 200 in 3 ms, 10.0.0.7\n`, 60)
	for i := 0; size < bytes; i++ {
		n, _ := fmt.Fprintf(w, `,
{"role":"user","content":"Look at log %d."},{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"logs","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"call_%d","content":"%s"},{"role":"assistant","content":"Host %d is well, I found nothing to do there."}`, i, i, i, output, i)
		size += n
	}
	_, err = fmt.Fprint(w, "]\n")
	return size, err
}
