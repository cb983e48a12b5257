package markdown_test

import (
	"fmt"
	"strings"

	"pleat/themes"
	"pleat/ui/markdown"
)

func ExamplePlain() {
	fmt.Println(strings.Join(markdown.Plain("The quick brown fox jumps over the lazy dog.", 16), "\n"))
	// Output:
	// The quick brown
	// fox jumps over
	// the lazy dog.
}

func ExampleStream() {
	var reply markdown.Stream
	for _, chunk := range []string{"Rotate tok", "ens on every use,", " and…"} {
		reply.Append(chunk)
	}
	fmt.Println(strings.Join(reply.Lines(20), "\n"))
	// Output:
	// Rotate tokens on
	// every use, and…
}

func ExampleRenderer_Render() {
	r := markdown.New(themes.Dark())
	fmt.Println(strings.Join(r.Render("- rotate tokens on every use\n- revoke", 20), "\n"))
	// Output:
	// • rotate tokens on
	//   every use
	// • revoke
}
