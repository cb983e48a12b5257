package ui

import "strings"

// place is one part of the chat that takes keys, or several of them.
type place uint16

const (
	inComposer place = 1 << iota
	inTranscript
	inPreview
	inValues
	inEditor
	inLists
	inContext
	inHelp
	inCompare
	inParams
	inTimeline
	inCompletion

	// leaves marks a binding that goes back from the places where it works.
	leaves place = 1 << 15

	// anywhere is every place, also those that come.
	anywhere = leaves - 1
)

// location is what there is to know of one place.
type location struct {
	in     place
	name   string
	types  bool // keys that print something are typed there
	chords bool // a binding of that place can be a chord
}

// places are all there are, in the order in which help lists them.
var places = []location{
	{inComposer, "composer", true, true},
	{inTranscript, "transcript", false, true},
	{inPreview, "preview", false, true},
	{inValues, "values", false, true},
	{inEditor, "summary editor", true, true},
	{inLists, "lists", true, false},
	{inContext, "context", false, true},
	{inHelp, "help", false, true},
	{inCompare, "comparison", false, true},
	{inParams, "parameters", true, false},
	{inTimeline, "timeline", false, true},
	{inCompletion, "completion", true, false},
}

// names returns the names of the places of p.
func (p place) names() []string {
	var names, missing []string
	for _, one := range places {
		if p&one.in != 0 {
			names = append(names, one.name)
		} else {
			missing = append(missing, one.name)
		}
	}
	switch {
	case !p.wide():
		return names
	case len(missing) == 0:
		return []string{"anywhere"}
	}
	return []string{"anywhere but " + missing[0]}
}

// wide reports whether p is all places but one at most.
func (p place) wide() bool {
	missing := 0
	for _, one := range places {
		if p&one.in == 0 {
			missing++
		}
	}
	return missing <= 1
}

func (p place) String() string { return strings.Join(p.names(), ", ") }

// textual are those places where keys that print something are typed.
func textual() place { return placesWhere(func(l location) bool { return l.types }) }

// chordPlaces are those where a binding can be a chord.
func chordPlaces() place { return placesWhere(func(l location) bool { return l.chords }) }

func placesWhere(wanted func(location) bool) place {
	var all place
	for _, l := range places {
		if wanted(l) {
			all |= l.in
		}
	}
	return all
}

// place returns where the user is: what has the keys.
func (m *Model) place() place {
	switch d := m.dialog().(type) {
	case nil:
		if m.transcript.focused {
			return inTranscript
		}
		if m.completing() {
			return inCompletion
		}
		return inComposer
	case *preview, *vain:
		return inPreview
	case *receipt:
		return inValues
	case *summaryEditor:
		return inEditor
	case *panel:
		return inContext
	case *compare:
		return inCompare
	case *fields:
		return inParams
	case *timeline:
		return inTimeline
	case *help:
		return d.from
	}
	return inLists
}
