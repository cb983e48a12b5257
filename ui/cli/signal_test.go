package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// running starts the program and returns when it has printed text.
func (s *script) running(text string, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	s.Helper()
	cmd = exec.CommandContext(s.Context(), os.Args[0], args...)
	for k, v := range s.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	stderr = &bytes.Buffer{}
	cmd.Stderr = stderr
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	s.must(err)
	s.must(cmd.Start())
	got := make([]byte, len(text))
	if _, err := io.ReadFull(out, got); err != nil || string(got) != text {
		s.Fatalf("it printed %q, want %q (%v)\n%s", got, text, err, stderr)
	}
	return cmd, stderr
}

func TestSignalsEndAskAndKeepWhatCame(t *testing.T) {
	for _, sig := range endings {
		t.Run(fmt.Sprint(sig), func(t *testing.T) {
			if signal.Ignored(sig) {
				t.Skip("the tests themselves run with this signal ignored")
			}
			t.Parallel()
			s := newScript(t)
			cmd, stderr := s.running("the beginning", "ask", "--continue", "--host", s.env["OLLAMA"], "slow")
			s.must(cmd.Process.Signal(sig))
			cmd.Wait()
			if got, want := cmd.ProcessState.ExitCode(), fatal+int(sig); got != want {
				t.Errorf("exit status %d, want %d", got, want)
			}
			if !strings.Contains(stderr.String(), "incomplete: stopped") {
				t.Errorf("stderr is %q, want why the answer is incomplete", stderr)
			}
			s.obey(s.words("exec pleat sessions list"))
			s.env["ID"] = strings.Fields(s.stdout)[0]
			s.obey(s.words("exec pleat sessions show $ID"))
			s.obey(s.words(`stdout '── user\nslow\n\n── assistant \(cut: stopped\)\nthe beginning'`))
		})
	}
}

func TestKillLosesNothingThatWasSaid(t *testing.T) {
	s := newScript(t)
	s.obey(s.words("exec pleat ask --continue --host $OLLAMA first"))
	cmd, _ := s.running("the beginning", "ask", "--continue", "--host", s.env["OLLAMA"], "slow")
	s.must(cmd.Process.Kill())
	cmd.Wait()
	s.obey(s.words("exec pleat ask --continue --host $OLLAMA roles"))
	s.obey(s.words("stdout '^user assistant user'"))
	s.obey(s.words("exec pleat sessions list"))
	s.env["ID"] = strings.Fields(s.stdout)[0]
	s.obey(s.words("exec pleat sessions show $ID"))
	s.obey(s.words(`stdout '── user\nfirst\n\n── assistant\n.* heard first\n\n── user\nslow\n\n── user\nroles'`))
	s.stdin = "/undo\n/undo\n/undo\n/undo\n"
	s.obey(s.words("exec pleat --plain --continue --host $OLLAMA"))
	s.obey(s.words(`stdout '> undone .*\n> undone .*\n> undone .* 0 of .*\n> nothing to undo'`))
}

// TestSignalsStopOnlyTheReplyInPlain holds Ctrl-C to what it says; others end
// the program.
func TestSignalsStopOnlyTheReplyInPlain(t *testing.T) {
	s := newScript(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--plain", "--host", s.env["OLLAMA"])
	for k, v := range s.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	in, err := cmd.StdinPipe()
	s.must(err)
	out, err := cmd.StdoutPipe()
	s.must(err)
	s.must(cmd.Start())
	await := func(text string) {
		t.Helper()
		var got strings.Builder
		for b := make([]byte, 1); !strings.HasSuffix(got.String(), text); got.Write(b) {
			if _, err := out.Read(b); err != nil {
				t.Fatalf("it printed %q, then %v, want %q", got.String(), err, text)
			}
		}
	}
	fmt.Fprintln(in, "slow")
	await("the beginning")
	s.must(cmd.Process.Signal(syscall.SIGINT))
	await("incomplete: stopped · /retry asks again")
	fmt.Fprintln(in, "slow")
	await("the beginning")
	s.must(cmd.Process.Signal(syscall.SIGTERM))
	io.Copy(io.Discard, out)
	cmd.Wait()
	if got, want := cmd.ProcessState.ExitCode(), fatal+int(syscall.SIGTERM); got != want {
		t.Errorf("exit status %d, want %d", got, want)
	}
}

func TestAReaderThatLeavesEndsItQuietly(t *testing.T) {
	s := newScript(t)
	r, w, err := os.Pipe()
	s.must(err)
	r.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "ask", "--continue", "--host", s.env["OLLAMA"], "hello")
	for k, v := range s.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	cmd.Run()
	w.Close()
	if got, want := cmd.ProcessState.ExitCode(), fatal+int(syscall.SIGPIPE); got != want || stderr.Len() > 0 {
		t.Errorf("exit status %d with %q, want %d and nothing", got, &stderr, want)
	}
	s.obey(s.words("exec pleat ask --continue --host $OLLAMA roles"))
	s.obey(s.words("stdout '^user assistant user$'"))
}

func TestSignalsOfKeysBelongToTheProgramThatHasTheTerminal(t *testing.T) {
	if signal.Ignored(syscall.SIGINT) {
		t.Skip("the tests themselves run with this signal ignored")
	}
	me, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	ctx, lend, release := untilSignal(t.Context(), endings...)
	defer release()
	editor := exec.Command("sh", "-c", "kill -INT $PPID $$; sleep 10")
	if err := lend(editor.Run); err == nil || !strings.Contains(err.Error(), "interrupt") {
		t.Errorf("the program that has the terminal ends with %v, want by the interrupt", err)
	}
	if ctx.Err() != nil {
		t.Fatalf("the interrupt ended this program as well: %v", context.Cause(ctx))
	}
	if err := me.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if got, want := context.Cause(ctx).Error(), "stopped (interrupt)"; got != want {
		t.Errorf("afterwards an interrupt gives %q, want %q", got, want)
	}
}
