package ui

// What loses work, as a question says it.
const (
	anotherSession = "opening another session"
	leaving        = "quitting"
)

// losing asks once, where work would be lost by something that the user did not
// mean it with: that on a compaction, or a reply that could not be saved. It
// reports whether it has asked.
func (m *Model) losing(by string) bool {
	if u := m.unsaved; u != nil && u.asked != by {
		u.asked = by
		m.say(warn, "%s drops the reply that is not saved · the same again does it, %s saves it", by, keyOf(m.keys.RetryLast))
		return true
	}
	c := m.candidate
	if c == nil || c.asked == by || !c.touched() && !m.rewriting() {
		return false
	}
	c.asked = by
	other := ""
	if m.previewing() == nil {
		other = ", " + keyOf(m.keys.Compact) + " shows it"
	}
	m.say(warn, "%s drops what you changed in the summary · the same again does it%s", by, other)
	return true
}

// leaveBehind gives up what belongs to the session that is open, since another
// one is opened. What would be lost with it is among the earlier prompts then: a
// reply that could not be saved, and what the user has written of a summary.
func (m *Model) leaveBehind() {
	if u := m.unsaved; u != nil {
		m.unsaved = nil
		m.keepReply(u.message.Text)
	}
	m.dropKeeping()
}

// keepReply makes a reply an earlier prompt that could not be saved and belongs
// to a session that is no longer open.
func (m *Model) keepReply(text string) {
	m.composer.keep(text)
	m.say(warn, "the reply that could not be saved is the last of the earlier prompts · %s brings it", keyOf(m.keys.Older))
}
