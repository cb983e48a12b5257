package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pleat/providers"
)

// chooseModel returns the model to talk to and what the user should know about
// the choice.
func (a *app) chooseModel(ctx context.Context, p providers.Provider, wanted string) (name, notice string, err error) {
	if wanted = cmp.Or(wanted, a.Model); wanted != "" {
		return wanted, "", nil
	}
	last := a.lastModel(ctx, p)
	models, err := p.Models(ctx)
	switch e, _ := errors.AsType[*providers.Error](err); {
	case e != nil && e.Status != 0 && last != "":
		return last, "", nil // a server may well answer without listing what it has
	case e != nil && e.Status != 0:
		return "", "", fmt.Errorf("%w · or name a model with --model", err)
	case err != nil:
		return "", "", err
	case len(models) == 0 && p.Name() == "ollama":
		return "", "", errors.New("the Ollama server has no models · get one with: ollama pull qwen3:8b")
	case len(models) == 0:
		return "", "", errors.New("the server lists no models · name one with --model")
	}
	if i := slices.IndexFunc(models, func(m providers.Model) bool { return sameModel(m.Name, last) }); i >= 0 {
		return models[i].Name, "", nil
	}
	name = firstThatChats(models)
	if last != "" {
		notice = fmt.Sprintf("the server does not have %s any more, so this is %s · --model names another", last, name)
	}
	return name, notice, nil
}

// sameModel reports whether a listed name is the one that the user knows:
// Ollama's "qwen3:latest" is "qwen3".
func sameModel(listed, known string) bool {
	return strings.EqualFold(listed, known) || strings.EqualFold(listed, known+":latest")
}

// noChat are parts of the names of models and families that do not chat: they
// embed, rank, moderate, draw, transcribe or speak.
var noChat = []string{"embed", "bert", "bge-", "rerank", "moderation", "whisper", "tts", "dall-e", "image", "sora", "transcribe", "realtime", "audio"}

// firstThatChats returns the first model that seems to chat, or the first of
// all if none does.
func firstThatChats(models []providers.Model) string {
	for _, m := range models {
		about := strings.ToLower(m.Name + " " + m.Family)
		if !slices.ContainsFunc(noChat, func(part string) bool { return strings.Contains(about, part) }) {
			return m.Name
		}
	}
	return models[0].Name
}

// lastModel returns the model that was used last with a provider, "" if that is
// not known.
func (a *app) lastModel(ctx context.Context, p providers.Provider) string {
	s, err := a.open()
	if err != nil {
		return ""
	}
	model, _ := s.Pref(ctx, modelPref(p.Name()))
	return model
}

// remember makes a model the one that was used last with its provider.
func (a *app) remember(ctx context.Context, p providers.Provider, model string) {
	s, err := a.open()
	if err != nil || a.lastModel(ctx, p) == model {
		return
	}
	_ = s.SetPref(ctx, modelPref(p.Name()), model) // a convenience that may fail
}

func modelPref(provider string) string { return "model " + provider }
