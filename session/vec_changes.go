package session

// changes calls f for the index of every element that may not be as it was in
// old, of which v has come from by appends and updates, with the leaves that it
// was in, nil if it is new, and is in. What both share is passed over.
func (v vec[T]) changes(old vec[T], f func(i int, was, is *leaf[T])) {
	b := v.root
	for h := v.height; old.root != nil && h > old.height; h-- {
		b = b.kids[0]
	}
	if old.root != nil {
		old.root.changes(b, old.height, 0, f)
	}
	if start := old.tailStart(); old.n > 0 {
		if l := v.leafAt(start); l != old.tail {
			for i := start; i < old.n; i++ {
				f(i, old.tail, l)
			}
		}
	}
	for i := old.n; i < v.n; i++ {
		f(i, nil, v.leafAt(i))
	}
}

// changes is that of a vector for the part below b, the first index of which is
// from, and for what came of it.
func (b *branch[T]) changes(now *branch[T], height, from int, f func(i int, was, is *leaf[T])) {
	if b == now {
		return
	}
	for k := range width {
		if height > 0 {
			if b.kids[k] != nil {
				b.kids[k].changes(now.kids[k], height-1, from+k<<(bits*(height+1)), f)
			}
			continue
		}
		was, is := b.leaves[k], now.leaves[k]
		if was == nil || was == is {
			continue
		}
		for i := range width {
			f(from+k<<bits+i, was, is)
		}
	}
}
