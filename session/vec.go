package session

import (
	"iter"
	"sync/atomic"
)

const (
	bits  = 5
	width = 1 << bits // elements in a leaf and children of a branch
)

// vec is a persistent vector: append and update return a new one and share
// what did not change with the old, as Clojure's vectors do. Reading an old
// one while a newer one grows is safe.
type vec[T tagged] struct {
	n      int
	height int // levels of branches above the leaves of root
	root   *branch[T]
	tail   *leaf[T] // the elements after the last full leaf
}

type branch[T tagged] struct {
	kids   [width]*branch[T]
	leaves *[width]*leaf[T] // instead of kids on the lowest level
}

// tagged is an element that says in a few bits what a walk wants to know of it.
type tagged interface{ tag() Traits }

type leaf[T tagged] struct {
	used   atomic.Int32 // how many places some vector has written
	counts *counts
	tags   [width]Traits // those of the elements, close together: a long walk reads nothing else
	at     [width]T
}

func newLeaf[T tagged]() *leaf[T] { return &leaf[T]{counts: new(counts)} }

// copy returns a leaf of its own with the first n elements of l. Their counts
// stay shared if no other elements can ever join them.
func (l *leaf[T]) copy(n int) *leaf[T] {
	own := &leaf[T]{counts: l.counts}
	copy(own.at[:n], l.at[:n])
	copy(own.tags[:n], l.tags[:n])
	own.used.Store(int32(n))
	if n < width {
		own.counts = l.counts.copy(n)
	}
	return own
}

// get returns the element of index i in the vector. It is shared with other
// vectors and must not be written to.
func (l *leaf[T]) get(i int) *T { return &l.at[i&(width-1)] }

// set makes x the element of index i. Nobody else may see that yet.
func (l *leaf[T]) set(i int, x T) { l.at[i&(width-1)], l.tags[i&(width-1)] = x, x.tag() }

// some returns the traits that any of the first n elements has.
func (l *leaf[T]) some(n int) (t Traits) {
	for _, tag := range l.tags[:n] {
		t |= tag
	}
	return t
}

// tailStart is the index of the first element of the tail.
func (v vec[T]) tailStart() int {
	if v.n == 0 {
		return 0
	}
	return (v.n - 1) &^ (width - 1)
}

func (v vec[T]) get(i int) T { return *v.leafAt(i).get(i) }

// leaves walks the leaves, each with the index of its first element.
func (v vec[T]) leaves() iter.Seq2[int, *leaf[T]] {
	return func(yield func(int, *leaf[T]) bool) {
		for start := 0; start < v.n && yield(start, v.leafAt(start)); start += width {
		}
	}
}

// all walks the indexes of all elements, each with the leaf where it is.
func (v vec[T]) all() iter.Seq2[int, *leaf[T]] {
	return func(yield func(int, *leaf[T]) bool) {
		for start, l := range v.leaves() {
			for i := start; i < min(start+width, v.n); i++ {
				if !yield(i, l) {
					return
				}
			}
		}
	}
}

// append returns v with x after its last element. The first vector to grow
// past a shared tail writes in place; any other copies that leaf.
func (v vec[T]) append(x T) vec[T] {
	at := v.n & (width - 1)
	switch {
	case v.n > 0 && at == 0:
		v = v.push()
		v.tail = newLeaf[T]()
	case v.tail == nil:
		v.tail = newLeaf[T]()
	}
	if !v.tail.used.CompareAndSwap(int32(at), int32(at+1)) {
		v.tail = v.tail.copy(at)
		v.tail.used.Store(int32(at + 1))
	}
	v.tail.set(at, x)
	v.n++
	return v
}

// push moves the full tail into the tree.
func (v vec[T]) push() vec[T] {
	i := v.n - width // index of the tail's first element
	if v.root == nil {
		v.root = &branch[T]{leaves: &[width]*leaf[T]{}}
	}
	if i>>(bits*(v.height+2)) > 0 {
		v.root = &branch[T]{kids: [width]*branch[T]{v.root}}
		v.height++
	}
	v.root = v.root.with(v.height, i, v.tail)
	return v
}

func (b *branch[T]) with(height, i int, l *leaf[T]) *branch[T] {
	own := &branch[T]{}
	if b != nil {
		*own = *b
	}
	if height == 0 {
		leaves := [width]*leaf[T]{}
		if own.leaves != nil {
			leaves = *own.leaves
		}
		leaves[i>>bits&(width-1)] = l
		own.leaves = &leaves
		return own
	}
	k := i >> (bits * (height + 1)) & (width - 1)
	own.kids[k] = own.kids[k].with(height-1, i, l)
	return own
}

// update returns v with f applied to the elements from lo up to, not
// including, hi. It copies each leaf that it touches once.
func (v vec[T]) update(lo, hi int, f func(*T)) vec[T] {
	hi = min(hi, v.n)
	for start := lo &^ (width - 1); start < hi; start += width {
		own := v.leafAt(start).copy(min(width, v.n-start))
		for i := max(lo, start); i < min(hi, start+width); i++ {
			x := *own.get(i)
			f(&x)
			own.set(i, x)
		}
		if start >= v.tailStart() {
			v.tail = own
		} else {
			v.root = v.root.with(v.height, start, own)
		}
	}
	return v
}

func (v vec[T]) leafAt(i int) *leaf[T] {
	if i >= v.tailStart() {
		return v.tail
	}
	b := v.root
	for h := v.height; h > 0; h-- {
		b = b.kids[i>>(bits*(h+1))&(width-1)]
	}
	return b.leaves[i>>bits&(width-1)]
}
