package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pleat/ui"
)

const workedOn = "20260310-090000"

// another returns a program of its own, as another process would be.
func another(t *testing.T) *app {
	t.Helper()
	a := newApp(t.Context(), defaultConfig())
	a.patience = 0
	t.Cleanup(func() { a.end() })
	return a
}

func (a *app) mustKeep(t *testing.T, w ui.Work) {
	t.Helper()
	if err := a.keepWork(t.Context(), workedOn, w); err != nil {
		t.Fatal(err)
	}
}

func (a *app) finds(t *testing.T, draft string, elsewhere int) {
	t.Helper()
	got, other, err := a.work(t.Context(), workedOn)
	if err != nil || got.Draft != draft || other != elsewhere {
		t.Errorf("%q, elsewhere %d, %v is found, want %q, %d", got.Draft, other, err, draft, elsewhere)
	}
}

func TestWorkOfAProgramThatRunsIsLeftToIt(t *testing.T) {
	t.Setenv("PLEAT_HOME", t.TempDir())
	one, two, three := another(t), another(t), another(t)
	one.mustKeep(t, ui.Work{Draft: "of one", Queue: []string{"next"}})
	one.finds(t, "of one", 0)
	two.finds(t, "", os.Getpid())
	two.mustKeep(t, ui.Work{Draft: "of two"})
	two.mustKeep(t, ui.Work{})
	two.mustKeep(t, ui.Work{Draft: "of two"})
	one.finds(t, "of one", os.Getpid())
	if err := one.end(); err != nil {
		t.Fatal(err)
	}
	three.finds(t, "of one", os.Getpid())
	if left, err := filepath.Glob(filepath.Join(three.program.folder, "*")); len(left) != 2 {
		t.Errorf("files of programs: %q, %v", left, err)
	}
}

func TestNobodyElseIsAtASessionThatIsNew(t *testing.T) {
	t.Setenv("PLEAT_HOME", t.TempDir())
	one, two := another(t), another(t)
	if err := one.keepWork(t.Context(), "", ui.Work{Draft: "of one"}); err != nil {
		t.Fatal(err)
	}
	if w, other, err := two.work(t.Context(), ""); !w.Empty() || other != 0 || err != nil {
		t.Errorf("%+v, %d, %v is found", w, other, err)
	}
}

func TestWorkThatMakesNoSenseIsForgotten(t *testing.T) {
	t.Setenv("PLEAT_HOME", t.TempDir())
	a := another(t)
	s, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetWork(t.Context(), workedOn, "1-1", []byte(`{"draft":7`)); err != nil {
		t.Fatal(err)
	}
	a.finds(t, "", 0)
	if left, err := s.Works(t.Context(), workedOn); len(left) != 0 || err != nil {
		t.Errorf("%q, %v is left", left, err)
	}
}

// TestOneOfManyTakesUpWhatWasLeft starts several programs at once on a session
// that one left behind.
func TestOneOfManyTakesUpWhatWasLeft(t *testing.T) {
	t.Setenv("PLEAT_HOME", t.TempDir())
	dead := another(t)
	dead.mustKeep(t, ui.Work{Draft: "left"})
	dead.end()
	var all sync.WaitGroup
	var mu sync.Mutex
	found := 0
	for range 4 {
		a := another(t)
		all.Go(func() {
			w, _, err := a.work(t.Context(), workedOn)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if w.Draft != "" {
				found++
			}
		})
	}
	all.Wait()
	if found != 1 {
		t.Errorf("%d programs show it", found)
	}
}

// TestAKilledProgramHasEndedBeforeAnybodyWaitsForIt kills a process that has
// locked its file, and does not wait for it, so that it is there as a dead one.
func TestAKilledProgramHasEndedBeforeAnybodyWaitsForIt(t *testing.T) {
	if folder := os.Getenv("PLEAT_TEST_RUNNING"); folder != "" {
		name, err := (&program{folder: folder}).name()
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString(name + "\n")
		time.Sleep(time.Minute)
		return
	}
	folder := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "PLEAT_TEST_RUNNING="+folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	said := make([]byte, 100)
	n, err := out.Read(said)
	if err != nil {
		t.Fatal(err)
	}
	name, me := string(said[:n-1]), &program{folder: folder}
	if process, ok := me.runs(name); !ok || process != cmd.Process.Pid {
		t.Fatalf("%q runs: %v, as process %d, want %d", name, ok, process, cmd.Process.Pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(said); err == nil { // until its files are closed
		t.Error("a dead program goes on talking")
	}
	for end := time.Now().Add(10 * time.Second); ; {
		if _, ok := me.runs(name); !ok {
			return
		}
		if time.Now().After(end) {
			t.Fatal("a dead program counts as running")
		}
	}
}
