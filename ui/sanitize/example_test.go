package sanitize_test

import (
	"fmt"

	"pleat/ui/sanitize"
)

func ExampleText() {
	fmt.Println(sanitize.Text("rm\x1b]52;c;cm0gLXJm\a -rf\r\ndone"))
	// Output:
	// rm␛ -rf
	// done
}

func ExampleLine() {
	fmt.Println(sanitize.Line("A title\nin two lines\x1b[2J"))
	// Output: A title in two lines␛
}
