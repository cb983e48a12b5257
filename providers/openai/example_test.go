package openai_test

import (
	"fmt"

	"pleat/providers/openai"
)

func ExampleParseBase() {
	for _, s := range []string{"localhost:8080", "http://localhost:8080/v1/", "http://localhost:8080/v1/chat/completions"} {
		base, err := openai.ParseBase(s)
		fmt.Println(base, err)
	}
	// Output:
	// http://localhost:8080/v1 <nil>
	// http://localhost:8080/v1 <nil>
	// http://localhost:8080/v1 <nil>
}
