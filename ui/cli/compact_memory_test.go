//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// BenchmarkCompactLargeLists has the program compact a list of 100 MB and
// reports the most memory that it took.
func BenchmarkCompactLargeLists(b *testing.B) {
	if testing.Short() {
		b.Skip("takes minutes and a gigabyte")
	}
	dir := b.TempDir()
	in := filepath.Join(dir, "in.json")
	size, err := writeLarge(in, 100<<20)
	if err != nil {
		b.Fatal(err)
	}
	for _, strategy := range []string{"none", "mask", "staged"} {
		b.Run(fmt.Sprintf("bytes=%d/%s", size, strategy), func(b *testing.B) {
			b.SetBytes(int64(size))
			most := int64(0)
			for b.Loop() {
				cmd := exec.CommandContext(b.Context(), os.Args[0], "compact", "--strategy", strategy, "--window", "100000", "--in", in, "--out", filepath.Join(dir, "out.json"))
				cmd.Env = []string{"PLEAT_HOME=" + dir, asProgram + "=1"}
				if report, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%s: %v\n%s", strategy, err, report)
				}
				most = max(most, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) // kB on Linux
			}
			b.ReportMetric(float64(most)/1024, "MB-peak")
		})
	}
}
