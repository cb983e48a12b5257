package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"pleat/providers"
)

// connection is an app without a configuration, a key or a server.
func connection(t *testing.T, c config) *app {
	t.Helper()
	t.Setenv("PLEAT_HOME", filepath.Join(t.TempDir(), "home"))
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY", "OLLAMA_API_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("OLLAMA_HOST", nobody)
	d := defaultConfig()
	d.Host, d.BaseURL, d.Model, d.paths = c.Host, c.BaseURL, c.Model, findPaths()
	if c.Backend != "" {
		d.Backend = c.Backend
	}
	a := newApp(t.Context(), d)
	t.Cleanup(func() { a.end() })
	return a
}

func TestConnectChoosesWhoAnswers(t *testing.T) {
	openAI, ollama := fakeOpenAI(t, "one", "two"), fakeOllama(t, "tiny:latest")
	empty, emptyOpenAI := fakeOllama(t), fakeOpenAI(t)
	embedder := fakeOllama(t, "nomic-embed-text:latest", "tiny:latest")
	tests := []struct {
		name   string
		c      config
		env    map[string]string
		want   string // provider and model
		notice string // a part of it
		err    string // a part of it
	}{
		{name: "nothing at all", want: "offline quotes", notice: "ollama serve"},
		{name: "offline by name", c: config{Backend: "offline"}, env: map[string]string{"OLLAMA_HOST": ollama}, want: "offline quotes", notice: "offline"},
		{name: "Ollama runs", env: map[string]string{"OLLAMA_HOST": ollama}, want: "ollama tiny:latest"},
		{name: "Ollama wins", env: map[string]string{"OLLAMA_HOST": ollama, "OPENAI_BASE_URL": openAI}, want: "ollama tiny:latest"},
		{name: "OpenAI by name", c: config{Backend: "openai"}, env: map[string]string{"OLLAMA_HOST": ollama, "OPENAI_BASE_URL": openAI}, want: "openai one"},
		{name: "OpenAI by environment", env: map[string]string{"OPENAI_BASE_URL": openAI}, want: "openai one"},
		{name: "OpenAI by address", c: config{BaseURL: openAI}, env: map[string]string{"OLLAMA_HOST": ollama}, want: "openai one"},
		{name: "Ollama by address", c: config{Host: ollama}, env: map[string]string{"OPENAI_BASE_URL": openAI}, want: "ollama tiny:latest"},
		{name: "model by name", c: config{Host: ollama, Model: "tiny"}, want: "ollama tiny"},
		{name: "model without a list", c: config{BaseURL: openAI + "/bare/v1", Model: "other"}, want: "openai other"},
		{name: "no list and no model", c: config{BaseURL: openAI + "/bare/v1"}, err: "--model"},
		{name: "a model that only embeds", c: config{Host: embedder}, want: "ollama tiny:latest"},
		{name: "no models in Ollama", c: config{Host: empty}, err: "ollama pull qwen3:8b"},
		{name: "no models elsewhere", c: config{BaseURL: emptyOpenAI}, err: "--model"},
		{name: "no Ollama where it must be", c: config{Backend: "ollama"}, err: `is "ollama serve" running?`},
		{name: "nobody at the address", c: config{BaseURL: nobody}, err: "nothing listens there"},
		{name: "Ollama under the other name", c: config{BaseURL: ollama}, want: "openai tiny:latest", notice: "OLLAMA_HOST=" + ollama},
		{name: "no address", env: map[string]string{"OLLAMA_HOST": "::::x"}, err: "OLLAMA_HOST"},
		{name: "no address elsewhere", c: config{Backend: "openai"}, env: map[string]string{"OPENAI_BASE_URL": "ftp://x"}, err: "OPENAI_BASE_URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := connection(t, tt.c)
			for k, v := range tt.env {
				t.Setenv(k, v)
			}
			b, err := a.connect(t.Context(), "")
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error is %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := b.Provider.Name() + " " + b.Model; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.notice == "" && b.Notice != "" || !strings.Contains(b.Notice, tt.notice) {
				t.Errorf("notice is %q, want one with %q", b.Notice, tt.notice)
			}
		})
	}
}

func TestConnectRemembersTheModelOfEachProvider(t *testing.T) {
	openAI, host := fakeOpenAI(t, "one", "two"), fakeOllama(t, "tiny:latest", "big:latest")
	a := connection(t, config{})
	use := func(c config, model, want, notice string) {
		t.Helper()
		next := newApp(t.Context(), a.config)
		next.open = a.open
		next.Host, next.BaseURL = c.Host, c.BaseURL
		b, err := next.connect(t.Context(), model)
		if err != nil {
			t.Fatal(err)
		}
		if b.Model != want || (notice == "") != (b.Notice == "") || !strings.Contains(b.Notice, notice) {
			t.Errorf("got %q with %q, want %q with %q", b.Model, b.Notice, want, notice)
		}
	}
	use(config{BaseURL: openAI}, "", "one", "")
	use(config{BaseURL: openAI}, "two", "two", "")
	use(config{Host: host}, "", "tiny:latest", "")
	use(config{Host: host}, "big", "big", "")
	use(config{Host: host}, "typo", "typo", "") // the server says that it is none, once it is asked
	use(config{BaseURL: openAI}, "", "two", "")
	use(config{Host: host}, "", "big:latest", "")
	use(config{Host: fakeOllama(t, "new:latest")}, "", "new:latest", "does not have big")
	use(config{Host: fakeOllama(t, "new:latest")}, "", "new:latest", "")
}

func TestConnectFindsAServerThatCameLater(t *testing.T) {
	a := connection(t, config{})
	b, err := a.connect(t.Context(), "")
	if err != nil || b.Provider.Name() != "offline" {
		t.Fatalf("got %v, %v, want the offline backend", b.Provider, err)
	}
	t.Setenv("OLLAMA_HOST", fakeOllama(t, "tiny:latest"))
	if b, err = a.connect(t.Context(), b.Model); err != nil || b.Model != "tiny:latest" {
		t.Fatalf("got %q, %v, want the model of the server", b.Model, err)
	}
	t.Setenv("OLLAMA_HOST", nobody)
	if b, err = a.connect(t.Context(), "tiny"); err != nil || b.Provider.Name() != "ollama" {
		t.Errorf("got %v, %v, want the server that was found", b.Provider, err)
	}
}

func TestFirstThatChatsSkipsWhatCannot(t *testing.T) {
	for want, names := range map[string][]string{
		"gpt-5":        {"text-embedding-3-small", "whisper-1", "dall-e-3", "gpt-4o-realtime-preview", "gpt-5"},
		"embed-only":   {"embed-only", "tts-1"},
		"qwen3:latest": {"qwen3:latest", "bge-m3"},
	} {
		var models []providers.Model
		for _, n := range names {
			models = append(models, providers.Model{Name: n})
		}
		if got := firstThatChats(models); got != want {
			t.Errorf("of %q it takes %s, want %s", names, got, want)
		}
	}
}
