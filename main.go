// Pleat is a terminal chat whose context window you can see, fold and unfold.
package main

import (
	"os"

	"pleat/ui/cli"
)

func main() { os.Exit(cli.Main()) }
