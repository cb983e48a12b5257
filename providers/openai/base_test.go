package openai

import (
	"strings"
	"testing"
)

func TestParseBaseReadsEveryForm(t *testing.T) {
	const local = "http://127.0.0.1:11434/v1"
	tests := []struct{ in, want string }{
		{"", DefaultBase},
		{"  ", DefaultBase},
		{"api.openai.com", DefaultBase},
		{"https://api.openai.com", DefaultBase},
		{"https://API.OpenAI.com:443/v1/", DefaultBase},
		{"https://api.openai.com/v1/chat/completions", DefaultBase},
		{"127.0.0.1:11434", local},
		{"127.0.0.1:11434/", local},
		{"127.0.0.1:11434/v1", local},
		{"http://127.0.0.1:11434", local},
		{"http://127.0.0.1:11434/", local},
		{"http://127.0.0.1:11434/v1", local},
		{"http://127.0.0.1:11434/v1/", local},
		{"http://127.0.0.1:11434//v1//", local},
		{"http://127.0.0.1:11434/v1/v1", local},
		{"http://127.0.0.1:11434/v1/chat/completions/", local},
		{"http://127.0.0.1:11434/chat/completions", local},
		{"http://127.0.0.1:11434/v1/models", local},
		{"http://0.0.0.0:11434", local},
		{`"http://127.0.0.1:11434/v1"`, local},
		{"//127.0.0.1:11434", local},
		{"http://127.0.0.1:11434/v1#models", local},
		{":8080", "http://localhost:8080/v1"},
		{"localhost", "http://localhost/v1"},
		{"localhost:80", "http://localhost/v1"},
		{"192.168.1.7", "http://192.168.1.7/v1"},
		{"box.local", "http://box.local/v1"},
		{"box:8000/v1", "http://box:8000/v1"},
		{"example.org:443", "https://example.org/v1"},
		{"[::1]:8080", "http://[::1]:8080/v1"},
		{"::1", "http://[::1]/v1"},
		{"::1/v1", "http://[::1]/v1"},
		{"http://[::]:8080/v1", "http://[::1]:8080/v1"},
		{"https://openrouter.ai/api/v1/", "https://openrouter.ai/api/v1"},
		{"https://openrouter.ai/api/v1/chat/completions", "https://openrouter.ai/api/v1"},
		{"api.groq.com/openai/v1", "https://api.groq.com/openai/v1"},
		{"https://x.example/v1beta/openai/", "https://x.example/v1beta/openai"},
		{"https://x.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21", "https://x.azure.com/openai/deployments/d?api-version=2024-10-21"},
		{"https://user:pw@x.example/v1", "https://user:pw@x.example/v1"},
	}
	for _, tt := range tests {
		got, err := ParseBase(tt.in)
		if err != nil {
			t.Errorf("ParseBase(%q): %v", tt.in, err)
		} else if got.String() != tt.want {
			t.Errorf("ParseBase(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestParseBaseSaysWhatIsWrong(t *testing.T) {
	for _, in := range []string{
		"ftp://example.org", "http://", "http:///v1", "https:api.openai.com", "http://x:99999", "http://x:0", "http://a b/", "/v1",
		"https://[::1", "http://x/%zz", "unix:///run/llm.sock",
	} {
		u, err := ParseBase(in)
		if err == nil {
			t.Errorf("ParseBase(%q) = %v, want an error", in, u)
			continue
		}
		for _, want := range []string{in, "OPENAI_BASE_URL"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("ParseBase(%q): %q does not contain %q", in, err, want)
			}
		}
	}
}

func TestParseBaseHidesSecretsOfWrongAddresses(t *testing.T) {
	for _, in := range []string{"ftp://me:sk-canary@example.org", "me:sk-canary@host:99999", "http://x:y/v1?key=sk-canary", "http://sk-canary:a@[::1"} {
		if _, err := ParseBase(in); err == nil || strings.Contains(err.Error(), "sk-canary") {
			t.Errorf("ParseBase(%q): %v, want an error without the secret", in, err)
		}
	}
}

func FuzzParseBase(f *testing.F) {
	for _, s := range []string{"localhost:8080/v1/chat/completions?x=y#z", "::1", "https://u:p@h/api//v1/", "http://h/%2F/v1", "chat//chat", "fe80::1%eth0", "0/cha'#0000", "h/v1?x= #z", `"http://h/v1"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := ParseBase(s)
		if err != nil {
			return
		}
		if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.HasSuffix(u.Path, "/v1/v1") {
			t.Fatalf("ParseBase(%q) = %q", s, u)
		}
		again, err := ParseBase(u.String())
		if err != nil {
			t.Fatalf("ParseBase(%q) = %q, which cannot be read: %v", s, u, err)
		}
		if again.String() != u.String() {
			t.Errorf("ParseBase(%q) = %q, of that %q", s, u, again)
		}
	})
}
