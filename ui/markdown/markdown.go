// Package markdown turns messages into lines for the screen.
//
// There are two ways. [Plain] and [Stream] wrap text as it came, fast enough
// for every frame of a reply that still streams. A [Renderer] lays out finished
// messages: headings, lists, tables, highlighted code.
package markdown
