package session

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func (v vec[T]) slice() []T {
	var s []T
	for i := range v.n {
		s = append(s, v.get(i))
	}
	return s
}

func vecOf(n int) vec[int] {
	var v vec[int]
	for i := range n {
		v = v.append(i)
	}
	return v
}

func TestVecKeepsEveryVersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]int{0, 1, 31, 32, 33, 63, 1000, 1023, 1024, 1055, 1056}).Draw(t, "start")
		vecs, models := []vec[int]{vecOf(start)}, [][]int{vecOf(start).slice()}
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			from := rapid.IntRange(0, len(vecs)-1).Draw(t, "from")
			v, model := vecs[from], slices.Clone(models[from])
			if rapid.Bool().Draw(t, "append") {
				v, model = v.append(-step), append(model, -step)
			} else {
				lo := rapid.IntRange(0, v.n).Draw(t, "lo")
				hi := rapid.IntRange(0, v.n+3).Draw(t, "hi")
				v = v.update(lo, hi, func(x *int) { *x += 1000 })
				for i := lo; i < min(hi, len(model)); i++ {
					model[i] += 1000
				}
			}
			vecs, models = append(vecs, v), append(models, model)
		}
		for i := range vecs {
			if got := vecs[i].slice(); !slices.Equal(got, models[i]) {
				t.Fatalf("version %d is %v, want %v", i, got, models[i])
			}
		}
	})
}

func TestVecCrossesEveryBorder(t *testing.T) {
	const far = 32*32*32 + 2*32 + 1 // needs a third level of branches
	whole := vecOf(far)
	for i, x := range whole.slice() {
		if x != i {
			t.Fatalf("element %d is %d", i, x)
		}
	}
	for _, border := range []int{32, 64, 1024, 1056, 32768, 32800} {
		changed := whole.update(border-1, border+1, func(x *int) { *x = -*x })
		for i := border - 2; i < border+2; i++ {
			want := i
			if i == border-1 || i == border {
				want = -i
			}
			if got := changed.get(i); got != want {
				t.Errorf("after an update around %d element %d is %d, want %d", border, i, got, want)
			}
			if got := whole.get(i); got != i {
				t.Errorf("an update around %d changed element %d of the old version to %d", border, i, got)
			}
		}
	}
}

func TestVecGrowsFromOneVersionInManyGoroutines(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 1023, 1024, 1056} {
		base := vecOf(n)
		var grown [8]vec[int]
		var wg sync.WaitGroup
		for g := range grown {
			wg.Go(func() {
				v := base
				for i := range 70 {
					v = v.append(1_000_000*g + i)
				}
				grown[g] = v
			})
		}
		for range 100 { // readers of the old version
			for i := range base.n {
				if base.get(i) != i {
					t.Errorf("the old version changed at %d", i)
				}
			}
		}
		wg.Wait()
		for g, v := range grown {
			for i := range v.n {
				want := i
				if i >= n {
					want = 1_000_000*g + i - n
				}
				if v.get(i) != want {
					t.Fatalf("%d elements, goroutine %d: element %d is %d, want %d", n, g, i, v.get(i), want)
				}
			}
		}
	}
}
