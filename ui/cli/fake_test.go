package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// asked is what both protocols have in common in a chat request.
type asked struct {
	Model    string
	Messages []struct{ Role, Content string }
}

// piece is a part of a reply; the last one says why it ended.
type piece struct {
	text   string
	finish string
}

// reply answers by the last word of what is asked, the same for both protocols.
// It returns false if the stream then hangs until the client leaves.
func (a asked) reply() (pieces []piece, ends bool) {
	last := a.Messages[len(a.Messages)-1].Content
	fields := strings.Fields(last)
	switch fields[len(fields)-1] {
	case "cut":
		return []piece{{text: "half an ans"}}, true
	case "long":
		return []piece{{text: "too long"}, {finish: "length"}}, true
	case "slow":
		return []piece{{text: "the beginning"}}, false
	case "hostile":
		return []piece{{text: "a\x1b]52;c;cm0=\ab"}, {finish: "stop"}}, true
	case "roles":
		var roles []string
		for _, m := range a.Messages {
			roles = append(roles, m.Role)
		}
		return []piece{{text: strings.Join(roles, " ")}, {finish: "stop"}}, true
	case "system":
		return []piece{{text: a.Messages[0].Role + ": " + a.Messages[0].Content}, {finish: "stop"}}, true
	}
	return []piece{{text: a.Model + " heard "}, {text: last + "\n"}, {finish: "stop"}}, true
}

// chat decodes a request and streams the reply to it, each piece as encode
// has it.
func chat(w http.ResponseWriter, r *http.Request, has func(model string) bool, encode func(piece) string) {
	var a asked
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil || !has(a.Model) {
		http.Error(w, `{"error":"model not found"}`, http.StatusNotFound)
		return
	}
	pieces, ends := a.reply()
	for _, p := range pieces {
		fmt.Fprint(w, encode(p))
		w.(http.Flusher).Flush()
	}
	if !ends {
		<-r.Context().Done()
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// fakeOpenAI returns the address of an OpenAI-compatible server. The first part
// of a path chooses what is wrong with it: /locked refuses keys and repeats
// them, /broken fails, /moved sends everyone elsewhere, /bare lists no models.
func fakeOpenAI(t testing.TB, models ...string) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/models", func(w http.ResponseWriter, _ *http.Request) {
		var list []string
		for _, m := range models {
			list = append(list, `{"id":`+quoted(m)+`,"object":"model"}`)
		}
		fmt.Fprintf(w, `{"object":"list","data":[%s]}`, strings.Join(list, ","))
	})
	completions := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		chat(w, r, func(string) bool { return true }, func(p piece) string {
			if p.finish != "" {
				return `data: {"choices":[{"index":0,"delta":{},"finish_reason":` + quoted(p.finish) + "}]}\n\ndata: [DONE]\n\n"
			}
			return `data: {"choices":[{"index":0,"delta":{"content":` + quoted(p.text) + "}}]}\n\n"
		})
	}
	mux.HandleFunc("/v1/chat/completions", completions)
	mux.HandleFunc("/bare/v1/chat/completions", completions)
	mux.HandleFunc("/locked/", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":%s}}`, quoted("wrong key: "+r.Header.Get("Authorization")))
	})
	mux.HandleFunc("/broken/", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "out of order, "+r.Header.Get("Authorization"), http.StatusInternalServerError)
	})
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1"+r.URL.Path+"?key="+r.Header.Get("Authorization"), http.StatusTemporaryRedirect)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// fakeOllama returns the address of an Ollama server that has some models. It
// repeats the key that it gets when it fails.
func fakeOllama(t testing.TB, models ...string) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/version", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"version":"0.12.0"}`) })
	mux.HandleFunc("/api/ps", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"models":[]}`) })
	mux.HandleFunc("/v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"data":[{"id":%s}]}`, quoted(models[0]))
	})
	mux.HandleFunc("/api/tags", func(w http.ResponseWriter, _ *http.Request) {
		var list []string
		for _, m := range models {
			list = append(list, `{"name":`+quoted(m)+`,"model":`+quoted(m)+`}`)
		}
		fmt.Fprintf(w, `{"models":[%s]}`, strings.Join(list, ","))
	})
	has := func(model string) bool {
		for _, m := range models {
			if sameModel(m, model) {
				return true
			}
		}
		return false
	}
	mux.HandleFunc("/api/show", func(w http.ResponseWriter, r *http.Request) {
		var a asked
		if json.NewDecoder(r.Body).Decode(&a) != nil || !has(a.Model) {
			http.Error(w, `{"error":"model not found"}`, http.StatusNotFound)
			return
		}
		fmt.Fprint(w, `{"capabilities":["completion"],"model_info":{"general.architecture":"llama","llama.context_length":4096}}`)
	})
	mux.HandleFunc("/api/chat", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		chat(w, r, has, func(p piece) string {
			if p.finish != "" {
				return `{"message":{"role":"assistant","content":""},"done":true,"done_reason":` + quoted(p.finish) + "}\n"
			}
			return `{"message":{"role":"assistant","content":` + quoted(p.text) + "},\"done\":false}\n"
		})
	})
	mux.HandleFunc("/locked/", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":%s}`, quoted("wrong key: "+r.Header.Get("Authorization")))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}
