package session

// fold returns the context after the event of n. Its cost is that of the event,
// not of the history.
func (x Context) fold(n *Chain) Context {
	switch e := n.event.(type) {
	case *Message:
		return x.enter(n, e)
	case Mark:
		return x.mark(n.known, e)
	case *Compaction:
		return x.compact(n, e)
	case Revert:
		return x.revert(e.Target)
	case Title:
		x.title = e.Text
	}
	return x
}

// enter adds a message. Whether it belongs to the beginning that compaction
// protects is decided here, once: what is said later cannot drift into it.
func (x Context) enter(n *Chain, m *Message) Context {
	e := entry{node: n, anchor: -1}
	if m.Role == System {
		if !x.started {
			e.flags |= lead
		}
		x.items = x.items.append(e)
		return x
	}
	if !x.goal && !m.Injected {
		x.goal = true
		if m.Role == User {
			e.flags |= goal
		}
	}
	x.started = true
	x.items = x.items.append(e)
	return x
}

func (x Context) mark(known *nodes, m Mark) Context {
	bit := map[Flag]flags{Pinned: pinned, Excluded: excluded, Masked: masked}[m.Flag]
	for _, id := range m.Targets {
		if i, ok := x.find(id); ok {
			x.items = x.items.update(i, i+1, func(_ int, e *entry) {
				if m.Off {
					e.flags &^= bit
				} else {
					e.flags |= bit
				}
			})
		}
	}
	return x
}

func (x Context) compact(n *Chain, c *Compaction) Context {
	own := entry{node: n, anchor: -1}
	cover := func(i, at int, e *entry) {
		if e.by != nil || e.flags.has(pinned|excluded|reverted) {
			return
		}
		e.by = n
		if own.anchor < 0 || int32(at) < own.anchor {
			own.anchor = int32(at)
		}
	}
	for _, s := range c.Covers {
		from, ok1 := x.find(s.From)
		to, ok2 := x.find(s.To)
		if !ok1 || !ok2 {
			continue
		}
		x.items = x.items.update(from, to+1, func(i int, e *entry) {
			switch {
			case e.message() != nil:
				cover(i, i, e)
			case s.From == s.To && e.anchor >= 0:
				cover(i, int(e.anchor), e)
			}
		})
	}
	for _, id := range c.Masks {
		if i, ok := x.find(id); ok {
			x.items = x.items.update(i, i+1, func(_ int, e *entry) {
				if e.maskedBy == nil && !e.flags.has(pinned) {
					e.maskedBy = n
				}
			})
		}
	}
	x.items = x.items.append(own)
	return x
}

// revert frees what the compaction covers or masks. Under a later compaction it
// stays hidden until that one is reverted too.
func (x Context) revert(target ID) Context {
	at, ok := x.find(target)
	if !ok {
		return x
	}
	own := x.items.get(at)
	c := own.compaction()
	if c == nil {
		return x
	}
	free := func(_ int, e *entry) {
		if e.by == own.node {
			e.by = own.by
		}
		if e.maskedBy == own.node {
			e.maskedBy = nil
		}
	}
	for _, s := range c.Covers {
		from, ok1 := x.find(s.From)
		to, ok2 := x.find(s.To)
		if ok1 && ok2 {
			x.items = x.items.update(from, to+1, free)
		}
	}
	for _, id := range c.Masks {
		if i, ok := x.find(id); ok {
			x.items = x.items.update(i, i+1, free)
		}
	}
	x.items = x.items.update(at, at+1, func(_ int, e *entry) {
		e.flags |= reverted
		e.by = nil
	})
	return x
}
