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

	// What else a browser of sessions does with those that are stored; nil where
	// nothing is. Search looks for words in all of them, the best hits first.
	// Delete takes a session off the list and Restore puts it back. Export writes
	// one to a new file as "markdown", "json" or "openai" and returns the file's
	// path; path "" is a name of its own in the working folder. Import stores
	// the session that a file holds, which is on the list then, and says what else the
	// user should know of that.
	Search  func(ctx context.Context, query string) ([]session.Found, error)
	Recall  func(ctx context.Context, id, query string, limit int) ([]session.Found, error) // in one session alone, for the model
	Rename  func(ctx context.Context, id, title string) error
	Delete  func(ctx context.Context, id string) error
	Restore func(ctx context.Context, id string) error
	Export  func(ctx context.Context, id, format, path string) (written string, err error)
	Import  func(ctx context.Context, path string) (done session.Imported, said string, err error)

	// Fresh begins an empty session.
	Fresh func(ctx context.Context) (*session.Conversation, error)

	// Remember keeps a prompt for the history of the composer; may be nil.
	Remember func(ctx context.Context, prompt string) error

	// KeepWork keeps what is under way in a session, in place of all that this
	// program has kept before, and Work takes it up when that
	// is opened the next time; "" names a session in which nothing was said. Where
	// another program is at the session, its process id is returned, and its work is
	// left to it. Both are nil where nothing is stored.
	KeepWork func(ctx context.Context, id string, w Work) error
	Work     func(ctx context.Context, id string) (w Work, elsewhere int, err error)

	// Lend runs a program that has the terminal, to which the signals belong that
	// keys send there; may be nil.
	Lend func(run func() error) error

	// Keep keeps what the user has changed for the next time; may be nil.
	Keep func(ctx context.Context, was, now Choices) error

	Settings turn.Settings
	Keys     KeyMap // the zero value stands for the default
	Theme    string // a name; "" follows the terminal's background
	Themes   func(name string) (themes.Theme, error)
	Straight bool // compact without a preview
	Mouse    bool // take the mouse, which selects text for the terminal only with shift then
	Now      func() time.Time
}

// Opened is a session ready to be shown.
type Opened struct {
	Conversation *session.Conversation
	Prompts      []string // earlier prompts, oldest first
	Choices      *Choices // what the chat begins with; nil for what the options say
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
	tally      tally // of what is selected
	composer   composer
	completion completion
	find       *find    // what was looked for last in the conversation; nil if nothing was
	dialogs    []dialog // the last one has the keys
	markdown   *markdown.Renderer
	commands   []command
	used       []string // the names of commands, the one used last first
	refused    bool     // the last command in words could not be meant
	leader     bool     // the first key of a chord was pressed
	notice     notice
	library    library
	echo       echo
	quitting   bool // what clears was pressed on an empty composer
	escaped    bool // what stops was pressed on an empty composer

	conversation *session.Conversation
	head         *session.Chain
	tip          *session.Chain // when the forks were looked for last
	runner       turn.Runner    // what a turn takes; its backend is empty until connected
	connected    bool
	connecting   string // what is being connected to, "" if nothing is
	wanted       string // the model that was asked for last; "" leaves the choice to the backend

	reply     *reply      // the answer that streams in
	sending   *outgoing   // the message that is on its way to the disk; nil if none is
	queue     []*outgoing // messages that wait for the reply
	held      bool        // the queue waits for the user, who undid something or saw a failure
	trouble   *alive      // why the last turn ended without a reply
	stuck     *stuck      // the request that found no room; nil if all did
	unsaved   *unsaved    // a reply that could not be written down
	offline   *alive      // why there is no model
	planning  bool        // a compaction is being planned
	candidate *candidate  // the compaction that may be applied; nil if there is none
	asking    *petition   // that the model waits for; nil if it does not
	jump      *jump       // to where the head stands, if that was the last move; nil if it was another one
	gauge     gauge
	outlook   turn.Outlook    // on the context that the gauge shows
	past      *past           // what the transcript shows in place of the head; nil if it shows the head
	counting  bool            // the draft is being counted
	given     Choices         // what the chat began with
	altered   *alterations    // of the settings in this session
	stepping  string          // what the key steps through that changes a setting now; "" for nothing
	kept      Choices         // what is kept for the next time, or about to be
	keeping   <-chan struct{} // closed when that is done; nil if nothing was
	worked    worked          // what is under way, as it is kept
	moved     <-chan struct{} // closed when the last move of the head is done; nil if there was none
	unwritten sync.WaitGroup  // what is still to be written down

	frame    string
	sizes    sizes  // of the frame's parts
	panelTop int    // the line of the frame where the composer or a dialog begins
	name     string // of the session, as the frame shows it
	cursor   *tea.Cursor
	grip     *grip // what the mouse has hold of; nil if no button is held in the transcript
	dirty    bool
	err      error
}

// New returns the chat. Cancelling ctx stops whatever it has begun, as
// [Model.Wait] does.
func New(ctx context.Context, opts Options) *Model {
	ctx, cancel := context.WithCancel(ctx)
	keys := opts.Keys.orDefault()
	m := &Model{
		ctx: ctx, cancel: cancel, opts: opts, keys: keys, commands: keys.commands(), dark: true,
		composer: newComposer(keys), connecting: "looking for a model",
	}
	m.runner.Settings, m.runner.Now, m.runner.Gate, m.runner.Search = opts.Settings, opts.Now, new(compaction.Gate), opts.Recall
	m.gauge.turns, m.altered = -1, &alterations{}
	theme := themes.Dark()
	m.st, m.markdown = newStyles(theme), markdown.New(theme)
	m.composer.paint(m.st)
	m.transcript = newTranscript(newPainter(m.st))
	m.given, m.kept = m.choices(), m.choices()
	m.transcript.paint.loose = m.runner.InUse().Loose
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
	m.leaveWork()
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
		cmd = tea.Batch(cmd, m.layOut(), m.watchWork())
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

// arrival is a message that a command of the chat brings.
type arrival interface {
	// arrive takes it in, and returns what is to be done next. One that is for
	// something that is gone by now changes nothing.
	arrive(m *Model) tea.Cmd
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		return m.useTheme(m.opts.Theme)
	case tea.KeyPressMsg:
		return m.onPress(msg)
	case tea.PasteMsg:
		return m.onPaste(msg.Content)
	case tea.MouseClickMsg:
		return m.onClick(msg)
	case tea.MouseMotionMsg:
		return m.onMotion(msg)
	case tea.MouseReleaseMsg:
		return m.onRelease(msg)
	case tea.MouseWheelMsg:
		m.onWheel(msg)
	case tea.ResumeMsg:
		return tea.ClearScreen
	case arrival:
		return msg.arrive(m)
	default:
		m.dirty = false
	}
	return nil
}
