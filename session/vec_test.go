package session

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// number is an element, with its own end as its tag.
type number int

func (n number) tag() Traits { return Traits(n) }

func (v vec[T]) slice() []T {
	var s []T
	for i := range v.n {
		s = append(s, v.get(i))
	}
	return s
}

func vecOf(n int) vec[number] {
	var v vec[number]
	for i := range n {
		v = v.append(number(i))
	}
	return v
}

func TestVecKeepsEveryVersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]int{0, 1, 31, 32, 33, 63, 1000, 1023, 1024, 1055, 1056}).Draw(t, "start")
		vecs, models := []vec[number]{vecOf(start)}, [][]number{vecOf(start).slice()}
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			from := rapid.IntRange(0, len(vecs)-1).Draw(t, "from")
			v, model := vecs[from], slices.Clone(models[from])
			if rapid.Bool().Draw(t, "append") {
				v, model = v.append(number(-step)), append(model, number(-step))
			} else {
				lo := rapid.IntRange(0, v.n).Draw(t, "lo")
				hi := rapid.IntRange(0, v.n+3).Draw(t, "hi")
				v = v.update(lo, hi, func(x *number) { *x += 1000 })
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
			for k, l := range vecs[i].all() {
				if got, want := l.tags[k%width], models[i][k].tag(); got != want {
					t.Fatalf("version %d has the tag %d on element %d, want %d", i, got, k, want)
				}
			}
		}
	})
}

func TestVecCrossesEveryBorder(t *testing.T) {
	const far = 32*32*32 + 2*32 + 1 // needs a third level of branches
	whole := vecOf(far)
	for i, x := range whole.slice() {
		if int(x) != i {
			t.Fatalf("element %d is %d", i, x)
		}
	}
	for _, border := range []int{32, 64, 1024, 1056, 32768, 32800} {
		changed := whole.update(border-1, border+1, func(x *number) { *x = -*x })
		for i := border - 2; i < border+2; i++ {
			want := i
			if i == border-1 || i == border {
				want = -i
			}
			if got := int(changed.get(i)); got != want {
				t.Errorf("after an update around %d element %d is %d, want %d", border, i, got, want)
			}
			if got := int(whole.get(i)); got != i {
				t.Errorf("an update around %d changed element %d of the old version to %d", border, i, got)
			}
		}
	}
}

func TestVecGrowsFromOneVersionInManyGoroutines(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 1023, 1024, 1056} {
		base := vecOf(n)
		var grown [8]vec[number]
		var wg sync.WaitGroup
		for g := range grown {
			wg.Go(func() {
				v := base
				for i := range 70 {
					v = v.append(number(1_000_000*g + i))
				}
				grown[g] = v
			})
		}
		for range 100 { // readers of the old version
			for i := range base.n {
				if int(base.get(i)) != i {
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
				if int(v.get(i)) != want {
					t.Fatalf("%d elements, goroutine %d: element %d is %d, want %d", n, g, i, v.get(i), want)
				}
			}
		}
	}
}
