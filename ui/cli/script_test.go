package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// asProgram makes this binary the program instead of its tests.
const asProgram = "PLEAT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

// nobody is an address at which nothing listens.
const nobody = "127.0.0.1:1"

// TestScripts uses the program as people and scripts do. Each script has a
// folder of its own and no server but the fakes, whose addresses are in the
// environment. Their language is that of go-internal's testscript, as far as it
// is needed here, with three commands more: status, mode and secret.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			newScript(t).run(string(text))
		})
	}
}

// script is the state of one that runs.
type script struct {
	*testing.T
	dir            string
	env            map[string]string
	stdin          string
	stdout, stderr string
	code           int
	line           int
}

func newScript(t *testing.T) *script {
	dir := t.TempDir()
	return &script{T: t, dir: dir, env: map[string]string{
		"WORK": dir, "HOME": dir, "PLEAT_HOME": filepath.Join(dir, "home"), "PATH": os.Getenv("PATH"), asProgram: "1",
		"OLLAMA_HOST": nobody, "OPENAI": fakeOpenAI(t, "one"), "OLLAMA": fakeOllama(t, "tiny:latest"), "CANARY": canary,
	}}
}

var fileMark = regexp.MustCompile(`(?m)^-- (.+) --\n`)

// run writes the files at the end of a script and obeys its lines.
func (s *script) run(text string) {
	marks := fileMark.FindAllStringSubmatchIndex(text, -1)
	commands := text
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		s.write(text[m[2]:m[3]], text[m[1]:end])
	}
	if len(marks) > 0 {
		commands = text[:marks[0][0]]
	}
	for line := range strings.Lines(commands) {
		s.line++
		if words := s.words(line); len(words) > 0 {
			s.obey(words)
		}
	}
}

// token is a word, or a quoted part of one in which nothing is expanded.
var token = regexp.MustCompile(`'([^']*)'|[^\s']+`)

// words splits a line, and expands variables outside of quotes.
func (s *script) words(line string) []string {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") {
		return nil
	}
	var words []string
	end := -1
	for _, m := range token.FindAllStringSubmatchIndex(line, -1) {
		word := line[m[0]:m[1]]
		if m[2] >= 0 {
			word = line[m[2]:m[3]]
		} else {
			word = os.Expand(word, func(name string) string { return s.env[name] })
		}
		if m[0] == end { // it goes on without a space
			words[len(words)-1] += word
		} else {
			words = append(words, word)
		}
		end = m[1]
	}
	return words
}

func (s *script) obey(words []string) {
	s.Helper()
	not := words[0] == "!"
	if not {
		words = words[1:]
	}
	name, args := words[0], words[1:]
	switch name {
	case "exec":
		s.program(args)
		s.want(s.code == 0, !not, "%q ended with status %d", args, s.code)
	case "status":
		s.program(args[1:])
		s.want(fmt.Sprint(s.code) == args[0], true, "%q ended with status %d, want %s", args[1:], s.code, args[0])
	case "stdin":
		s.stdin = s.read(args[0])
	case "stdout", "stderr":
		text := map[string]string{"stdout": s.stdout, "stderr": s.stderr}[name]
		s.want(regexp.MustCompile("(?m)"+args[0]).MatchString(text), !not, "%s and %q, match wanted: %v", name, args[0], !not)
	case "cmp":
		s.want(s.read(args[0]) == s.read(args[1]), true, "%s is\n%s\nwant\n%s", args[0], s.read(args[0]), s.read(args[1]))
	case "exists":
		_, err := os.Stat(s.path(args[0]))
		s.want(err == nil, !not, "%s: %v", args[0], err)
	case "mode":
		i, err := os.Stat(s.path(args[1]))
		s.must(err)
		s.want(fmt.Sprintf("%04o", i.Mode().Perm()) == args[0], true, "%s has mode %v, want %s", args[1], i.Mode(), args[0])
	case "env":
		key, value, _ := strings.Cut(args[0], "=")
		s.env[key] = value
	case "cp":
		s.write(args[1], s.read(args[0]))
	case "rm":
		s.must(os.RemoveAll(s.path(args[0])))
	case "mkdir":
		s.must(os.MkdirAll(s.path(args[0]), 0o700))
	case "poison":
		s.poison()
	case "secret":
		s.secret()
	default:
		s.Fatalf("line %d: there is no command %s", s.line, name)
	}
}

// program runs pleat with the arguments after its name.
func (s *script) program(args []string) {
	cmd := exec.CommandContext(s.Context(), os.Args[0], args[1:]...)
	cmd.Dir = s.dir
	for k, v := range s.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var out, err bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(s.stdin), &out, &err
	failed := cmd.Run()
	if cmd.ProcessState == nil {
		s.Fatalf("line %d: %v", s.line, failed)
	}
	s.stdin, s.stdout, s.stderr, s.code = "", out.String(), err.String(), cmd.ProcessState.ExitCode()
}

func (s *script) want(got, want bool, format string, args ...any) {
	s.Helper()
	if got != want {
		s.Fatalf("line %d: %s\nstdout:\n%s\nstderr:\n%s", s.line, fmt.Sprintf(format, args...), s.stdout, s.stderr)
	}
}

func (s *script) must(err error) {
	s.Helper()
	s.want(err == nil, true, "%v", err)
}

func (s *script) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.dir, name)
}

func (s *script) read(name string) string {
	switch name {
	case "stdout":
		return s.stdout
	case "stderr":
		return s.stderr
	}
	text, err := os.ReadFile(s.path(name))
	s.must(err)
	return string(text)
}

func (s *script) write(name, text string) {
	s.must(os.MkdirAll(filepath.Dir(s.path(name)), 0o700))
	s.must(os.WriteFile(s.path(name), []byte(text), 0o600))
}
