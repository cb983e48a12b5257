// Package ui is the chat on the screen: one Bubble Tea model, made of plain
// structs that each own one part of it.
//
// A key becomes a change like this: [Model.Update] turns the key into an action,
// the action returns a command, the command does its work on another goroutine
// (a move of the session's head, a turn, a plan) and comes back as a message,
// and the message changes the model. The frame is laid out once at the end of
// Update; View only hands it over.
package ui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
	"pleat/themes"
	"pleat/ui/markdown"
)

// Options is what the screen needs from the outside. The functions are called
// from commands, never from the screen's goroutine.
type Options struct {
	// Open opens the session to begin with.
	Open func(ctx context.Context) (Opened, error)

	// Newest returns the last messages of that session, which are shown while it
	// is being opened; nil where that takes no time.
	Newest func(ctx context.Context) ([]session.Said, error)

	// Connect finds the backend for a model; "" leaves the choice to it.
	Connect func(ctx context.Context, model string) (turn.Backend, error)

	// Sessions lists what can be resumed, newest first, and Resume opens one;
	// nil where nothing is stored.
	Sessions func(ctx context.Context) ([]session.Info, error)
	Resume   func(ctx context.Context, id string) (*session.Conversation, error)

	// Fresh begins an empty session.
	Fresh func(ctx context.Context) (*session.Conversation, error)

	// Remember keeps a prompt for the history of the composer; may be nil.
	Remember func(ctx context.Context, prompt string) error

	Settings turn.Settings
	Theme    string // a name; "" follows the terminal's background
	Themes   func(name string) (themes.Theme, error)
	Straight bool // compact without a preview
	Mouse    bool
	Now      func() time.Time
}

// Opened is a session ready to be shown.
type Opened struct {
	Conversation *session.Conversation
	Prompts      []string // earlier prompts, oldest first
}

// Model is the chat. Make one with [New]; it belongs to one program.
type Model struct {
	ctx    context.Context
	cancel context.CancelFunc
	opts   Options
	keys   KeyMap

	st         *styles
	dark       bool
	palette    string // the theme that was asked for last
	width      int
	height     int
	transcript transcript
	composer   composer
	picker     *picker
	preview    *preview
	markdown   *markdown.Renderer
	commands   []command
	help       bool
	helpTop    int  // first line of the help that shows
	leader     bool // ctrl+x was pressed
	notice     notice
	quitting   bool // ctrl+c was pressed on an empty composer
	escaped    bool // esc was pressed on an empty composer

	conversation *session.Conversation
	head         *session.Chain
	runner       turn.Runner // what a turn takes; its backend is empty until connected
	connected    bool
	connecting   string // what is being connected to, "" if nothing is
	wanted       string // the model that was asked for last; "" leaves the choice to the backend

	reply     *reply      // the answer that streams in
	sending   *outgoing   // the message that is on its way to the disk; nil if none is
	queue     []*outgoing // messages that wait for the reply
	held      bool        // the queue waits for the user, who undid something or saw a failure
	trouble   *alive      // why the last turn ended without a reply
	unsaved   *unsaved    // a reply that could not be written down
	offline   *alive      // why there is no model
	planning  bool        // a compaction is being planned
	gauge     gauge
	counting  bool            // the draft is being counted
	moved     <-chan struct{} // closed when the last move of the head is done; nil if there was none
	unwritten sync.WaitGroup  // what is still to be written down

	frame  string
	sizes  sizes  // of the frame's parts
	name   string // of the session, as the frame shows it
	cursor *tea.Cursor
	dirty  bool
	err    error
}

// New returns the chat. Cancelling ctx stops whatever it has begun, as
// [Model.Wait] does.
func New(ctx context.Context, opts Options) *Model {
	ctx, cancel := context.WithCancel(ctx)
	keys := DefaultKeyMap()
	m := &Model{
		ctx: ctx, cancel: cancel, opts: opts, keys: keys, commands: keys.commands(), dark: true,
		composer: newComposer(keys), connecting: "looking for a model",
	}
	m.runner.Settings, m.runner.Now, m.runner.Gate = opts.Settings, opts.Now, compaction.NewGate()
	m.runner.Gate.Set(opts.Settings.Trigger, opts.Settings.Target)
	m.gauge.turns = -1
	theme := themes.Dark()
	m.st, m.markdown = newStyles(theme), markdown.New(theme)
	m.composer.paint(m.st)
	m.transcript = newTranscript(newPainter(m.st))
	m.transcript.paint.tokens = func(it session.Item) (int, bool) {
		return m.runner.Meter.Shown(it)
	}
	return m
}

// Wait stops what is going on and returns when everything that was begun has
// been written down. Call it when the program has ended.
func (m *Model) Wait() {
	m.cancel()
	m.unwritten.Wait()
}

// Err returns why the chat had to end, nil if the user ended it.
func (m *Model) Err() error { return m.err }

// Init opens the session and looks for a model, side by side, while the empty
// screen can be typed on already.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.open, m.peek(), m.connect(m.runner.Model), m.useTheme(m.opts.Theme), tea.RequestBackgroundColor)
}

// Update takes a message in. Whatever is slow, it leaves to commands.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.dirty = true
	cmd := m.handle(msg)
	if m.dirty {
		cmd = tea.Batch(cmd, m.layOut())
	}
	return m, cmd
}

// View hands over the frame that the last Update laid out.
func (m *Model) View() tea.View {
	v := tea.NewView(m.frame)
	v.AltScreen = true
	v.Cursor = m.cursor
	v.WindowTitle = m.windowTitle()
	if m.opts.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		return m.useTheme(m.opts.Theme)
	case tea.KeyPressMsg:
		return m.onKey(msg)
	case flushMsg:
		return m.onFlush()
	case tea.PasteMsg:
		return m.onPaste(msg.Content)
	case tea.MouseWheelMsg:
		m.onWheel(msg)
	case tea.ResumeMsg:
		return tea.ClearScreen
	case openedMsg:
		return m.onOpened(msg)
	case themeMsg:
		m.onTheme(msg)
	case connectedMsg:
		return m.onConnected(msg)
	case movedMsg:
		return m.onMoved(msg)
	case measuredMsg:
		m.onMeasured(msg)
	case draftMsg:
		return m.onDraft(msg)
	case richMsg:
		m.transcript.paint.onRich(msg)
	case secondMsg:
		return m.onSecond(msg)
	case eventsMsg:
		return m.onEvents(msg)
	case readMsg:
		msg.of.new, m.dirty = false, false
	case planMsg:
		return m.onPlan(msg)
	case choicesMsg:
		m.onChoices(msg)
	case peekedMsg:
		m.onPeeked(msg)
	case editMsg:
		return m.onEdit(msg)
	case editedMsg:
		return m.onEdited(msg)
	case noticeMsg:
		m.say(msg.level, "%s", msg.text)
	default:
		m.dirty = false
	}
	return nil
}
