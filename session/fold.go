package session

// fold returns the context after the event of n. Its cost is that of the event,
// not of the history.
func (x Context) fold(n *Chain) Context {
	switch e := n.event.(type) {
	case *Message:
		return x.enter(n, e)
	case Mark:
		return x.mark(e)
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
	f := Traits(0).with(IsSystem, m.Role == System).with(IsTyped, m.Typed()).
		with(IsResult, m.Role == Tool).with(HasCalls, m.Role != Tool && len(m.ToolCalls) > 0)
	switch {
	case f.Has(IsSystem) && !x.started:
		f |= IsLead
	case f.Has(IsTyped) && !x.goal:
		f |= IsGoal
	case f.Has(IsResult):
		f |= x.answering()
	}
	if m.Role != System {
		x.started = true
		x.goal = x.goal || !m.Injected
	}
	e := entry{node: n, traits: f}
	if f.Has(IsResult) && Maskable(*m, x.toolName(e, x.items.n)) {
		e.traits |= IsMaskable
	}
	x.items = x.items.append(e)
	return x
}

// answering returns what a result that comes now has from its batch: that its
// calls are there, and that all of them are pinned.
func (x Context) answering() Traits {
	for i := x.items.n - 1; i >= 0; i-- {
		switch f := x.items.get(i).traits; {
		case f.Has(IsCompaction): // it may come between
		case f.Has(Answers):
			return f & (IsPinned | Answers)
		case f.Has(HasCalls):
			return f&IsPinned | Answers
		default:
			return 0
		}
	}
	return 0
}

func (x Context) mark(m Mark) Context {
	for _, id := range m.Targets {
		i, ok := x.find(id)
		if !ok {
			continue
		}
		switch m.Flag {
		case Pinned:
			for _, it := range x.Batch(id) {
				x = x.pin(it.Index, !m.Off)
			}
		case Excluded:
			x = x.change(i, func(e *entry) { e.traits = e.traits.with(excluded, !m.Off) })
		case Masked:
			x = x.change(i, func(e *entry) {
				e.traits = e.traits.with(hidden, !m.Off && e.traits.Has(IsMaskable))
				if m.Off {
					e.maskedBy = nil
				}
			})
		}
	}
	return x
}

// pin pins item i or unpins it. Pinned, it is no longer hidden by the
// compactions above it.
func (x Context) pin(i int, on bool) Context {
	e := x.items.get(i)
	if e.traits.Has(IsPinned) == on {
		return x
	}
	x = x.change(i, func(e *entry) { e.traits = e.traits.with(IsPinned, on) })
	more := e.weight()
	if on {
		more = -more
	}
	for e.by != nil {
		x = x.change(int(e.by.index), func(above *entry) { above.hides += more })
		if e = x.items.get(int(e.by.index)); e.traits.Has(IsPinned) {
			break
		}
	}
	return x
}

func (x Context) compact(n *Chain, c *Compaction) Context {
	own := entry{node: n, traits: IsCompaction}
	for _, s := range c.Covers {
		x = x.changeSpan(s, func(e *entry) {
			named := s.From == s.To
			if e.by == nil && !e.traits.Has(IsPinned|excluded) && (!e.traits.Has(IsCompaction) || named && e.hides > 0) {
				e.by = n
				own.hides += e.weight()
			}
		})
	}
	for _, id := range c.Masks {
		i, ok := x.find(id)
		if ok && x.items.get(i).traits&(IsMaskable|IsPinned) == IsMaskable {
			x = x.change(i, func(e *entry) {
				if e.maskedBy == nil {
					e.maskedBy = n
				}
			})
		}
	}
	x.items, x.newest = x.items.append(own), n
	return x
}

// revert frees what the compaction covers or masks. What lies under a later
// compaction stays hidden until that one is reverted too.
func (x Context) revert(target ID) Context {
	at, ok := x.find(target)
	if !ok || x.items.get(at).compaction() == nil {
		return x
	}
	x = x.pin(at, false) // a pin would keep it out of the compaction above, but not what it covers
	own := x.items.get(at)
	x = x.handUp(own.compaction().Covers, own)
	for _, id := range own.compaction().Masks {
		if i, ok := x.find(id); ok {
			x = x.change(i, func(e *entry) {
				if e.maskedBy == own.node {
					e.maskedBy = nil
				}
			})
		}
	}
	return x.change(at, func(e *entry) {
		e.traits |= reverted
		e.by, e.hides = nil, 0
	})
}

// handUp gives what own covers within spans to the compaction that covers own,
// or frees it if there is none. That includes what summaries that were reverted
// under own had handed up to it.
func (x Context) handUp(spans []Span, own entry) Context {
	for _, s := range spans {
		x = x.changeSpan(s, func(e *entry) {
			if e.by == own.node {
				e.by = own.by
			}
		})
		i, ok := x.find(s.From)
		if !ok || s.From != s.To {
			continue
		}
		if e := x.items.get(i); e.traits.Has(reverted) {
			x = x.handUp(e.compaction().Covers, own)
		}
	}
	return x
}

func (x Context) change(i int, f func(*entry)) Context {
	x.items = x.items.update(i, i+1, f)
	return x
}

func (x Context) changeSpan(s Span, f func(*entry)) Context {
	from, ok1 := x.find(s.From)
	to, ok2 := x.find(s.To)
	if ok1 && ok2 {
		x.items = x.items.update(from, to+1, f)
	}
	return x
}
