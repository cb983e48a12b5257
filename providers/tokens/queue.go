package tokens

// joint is two neighbours that could be joined: the rank of the token that they
// would make, above the place of the first one. Their order is that in which
// they are joined.
type joint uint64

func newJoint(rank uint32, place int32) joint { return joint(rank)<<32 | joint(place) }

func (j joint) split() (rank uint32, place int32) { return uint32(j >> 32), int32(uint32(j)) }

// queue is a binary heap with the least joint at its head. It does without
// container/heap, which would allocate memory for each joint.
type queue []joint

func (q *queue) push(j joint) {
	h := append(*q, j)
	i := len(h) - 1
	for i > 0 && h[(i-1)/2] > j {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = j
	*q = h
}

func (q *queue) pop() joint {
	h := *q
	least, j := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if child >= len(h) || h[child] >= j {
			if len(h) > 0 {
				h[i] = j
			}
			break
		}
		h[i] = h[child]
		i = child
	}
	*q = h
	return least
}
