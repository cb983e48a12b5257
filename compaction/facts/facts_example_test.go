package facts_test

import (
	"fmt"

	"pleat/compaction/facts"
	"pleat/session"
)

func ExampleFind() {
	for _, f := range facts.Find("On 2026-12-03 at 02:00 UTC move /srv/shop (5 GB) to db1.example.org:5432.") {
		fmt.Printf("%s: %s\n", f.Kind, f.Text)
	}
	// Output:
	// date: 2026-12-03
	// time: 02:00 UTC
	// path: /srv/shop
	// number: 5 GB
	// host: db1.example.org:5432
}

func ExampleCompare() {
	c := (*session.Chain)(nil).
		Append(session.Message{Role: session.User, Text: "Plan it for 02:00-04:00 UTC on 2026-12-03, please."}).
		Follow(session.Message{Role: session.Assistant, Text: "It will need 5GB on host db-1."})

	receipt := facts.Compare(facts.Collect(c.Context().All()), nil, "1 day on 2026-12-31, needs 5 GB on db-1.")
	fmt.Printf("kept %d of %d\n", len(receipt.Kept), len(receipt.Kept)+len(receipt.Missing))
	for _, e := range receipt.Missing {
		fmt.Printf("missing %s, from message %d\n", e.Text, e.Sources[0].Index)
	}
	for _, f := range receipt.Invented {
		fmt.Println("invented", f.Text)
	}
	// Output:
	// kept 2 of 4
	// missing 02:00-04:00 UTC, from message 0
	// missing 2026-12-03, from message 0
	// invented 1 day
	// invented 2026-12-31
}
