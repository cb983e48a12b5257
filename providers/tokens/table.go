package tokens

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/maphash"
	"io/fs"
	"strconv"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// table is the vocabulary of an encoding: each token's bytes and its rank, the
// order in which the training of the encoding found it. All tokens lie in one
// slice and are found by hashing, which takes a fifth of the memory of a
// map[string]int: 2 MB for cl100k_base, 5 MB for o200k_base.
type table struct {
	bytes   []byte   // the tokens one after the other, in order of their ranks
	ends    []uint32 // where each token ends in bytes
	slots   []uint32 // rank + 1 of the token that hashes here, 0 if none does
	seed    maphash.Seed
	longest int // bytes
}

// none is the rank of what is not a token. It is above all others.
const none = ^uint32(0)

// loadTable reads a vocabulary from the files that are built into the program.
func loadTable(file string) (*table, error) {
	f, err := assets.Assets.Open(file)
	if err != nil {
		return nil, fmt.Errorf("tokens: open table: %w", err)
	}
	defer f.Close()
	t, err := readTable(f)
	if err != nil {
		return nil, fmt.Errorf("tokens: read table %s: %w", file, err)
	}
	return t, nil
}

// readTable reads lines of a token in base64, a space, and its rank.
func readTable(f fs.File) (*table, error) {
	t := &table{seed: maphash.MakeSeed()}
	if info, err := f.Stat(); err == nil { // a line takes 17 bytes, 7 of them for the token
		t.bytes = make([]byte, 0, info.Size()/17*7)
		t.ends = make([]uint32, 0, info.Size()/16)
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text, rank, ok := bytes.Cut(lines.Bytes(), []byte(" "))
		if n, err := strconv.Atoi(string(rank)); !ok || err != nil || n != len(t.ends) {
			return nil, fmt.Errorf("line %d: %q is not a token with rank %d", len(t.ends)+1, lines.Text(), len(t.ends))
		}
		start, err := len(t.bytes), error(nil)
		if t.bytes, err = base64.StdEncoding.AppendDecode(t.bytes, text); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(t.ends)+1, err)
		}
		t.ends = append(t.ends, uint32(len(t.bytes)))
		t.longest = max(t.longest, len(t.bytes)-start)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	t.index()
	return t, nil
}

// index fills the slots, of which half stay empty, so that a search is short.
func (t *table) index() {
	size := 1
	for size < 2*len(t.ends) {
		size *= 2
	}
	t.slots = make([]uint32, size)
	for r := range t.ends {
		i := maphash.Bytes(t.seed, t.token(uint32(r)))
		for t.slots[i&uint64(size-1)] != 0 {
			i++
		}
		t.slots[i&uint64(size-1)] = uint32(r) + 1
	}
}

func (t *table) token(rank uint32) []byte {
	if rank == 0 {
		return t.bytes[:t.ends[0]]
	}
	return t.bytes[t.ends[rank-1]:t.ends[rank]]
}

// rank returns the rank of s, or none if s is not a token.
func (t *table) rank(s string) uint32 {
	if len(s) > t.longest {
		return none
	}
	mask := uint64(len(t.slots) - 1)
	for i := maphash.String(t.seed, s); t.slots[i&mask] != 0; i++ {
		if r := t.slots[i&mask] - 1; string(t.token(r)) == s {
			return r
		}
	}
	return none
}
