package compaction_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"pleat/compaction"
	"pleat/compaction/facts"
	"pleat/providers"
	"pleat/providers/ollama"
	"pleat/providers/tokens"
	"pleat/session"
	"pleat/session/turn"
)

// TestLiveFidelity has a real model sum up the beginning of each transcript that
// is not mostly output of tools, and says what became of the values. Whatever the
// model writes, the ledger makes up for it, and what it invents is refused.
func TestLiveFidelity(t *testing.T) {
	address, model := os.Getenv("PLEAT_TEST_OLLAMA"), os.Getenv("PLEAT_TEST_MODEL")
	if address == "" || model == "" {
		t.Skip("PLEAT_TEST_OLLAMA and PLEAT_TEST_MODEL name no server and model")
	}
	host, err := ollama.ParseHost(address)
	if err != nil {
		t.Fatal(err)
	}
	server, counter := ollama.New(ollama.Config{Host: host}), tokens.For(model)
	r := turn.Runner{
		Backend: turn.Backend{
			Provider: server, Summarizer: server, Model: model, Window: providers.Window{Requested: 2048},
			Meter: turn.Meter{Count: func(it session.Item) int { return counter.Message(it.Sent()) }, Request: counter.Reply()},
		},
		Settings: turn.Settings{Reserve: 256, Strategy: "summarize", Params: compaction.Params{"keep": "1", "max-summary-tokens": "96", "ledger-tokens": "200"}},
		Now:      time.Now,
	}
	const most = 600 // tokens; a small model on a small machine reads 130 in a second
	for _, tr := range transcripts(t) {
		if tr.name != "travel-planning" {
			continue
		}
		var c *session.Chain
		for it := range tr.chain.Context().Live() {
			if tokensOf(c.Context())+compaction.Rough(it) > most {
				break
			}
			c = c.Append(*it.Message)
		}
		plan, err := r.Plan(c, "")
		if err != nil {
			t.Fatal(err)
		}
		e, invented := written(t, r, plan)
		receipt := plan.Receipt(e)
		t.Logf("%s: %d → %d tokens by %q, facts %d/%d, invented %v\n%s\n\n%s", tr.name, e.Before, e.After, e.Model, e.FactsKept, e.Facts, invented, e.Summary, e.Ledger)
		switch {
		case e.After >= e.Before || e.Summary == "":
			t.Errorf("%d → %d tokens with the summary %q", e.Before, e.After, e.Summary)
		case len(invented) > 0:
			t.Errorf("it invents %v", invented)
		case e.Facts-e.FactsKept != len(receipt.Missing):
			t.Errorf("it says %d of %d, the receipt %d and %d missing", e.FactsKept, e.Facts, len(receipt.Kept), len(receipt.Missing))
		case len(receipt.Missing) > 0 && e.Ledger == "":
			t.Errorf("%d values are missing and there is no ledger", len(receipt.Missing))
		}
		for _, missing := range receipt.Missing {
			if missing.Typed() {
				t.Errorf("the user's %q is missing", missing.Text)
			}
		}
	}
}

// written has the model write a summary, or quotes the conversation if what it
// writes is refused.
func written(t *testing.T, r turn.Runner, p compaction.Plan) (session.Compaction, []facts.Fact) {
	t.Helper()
	for {
		var failed error
		for e := range r.Summarize(t.Context(), p) {
			switch e := e.(type) {
			case turn.Summarized:
				return e.Event, e.Review.Invented
			case turn.Failed:
				failed = e.Err
			}
		}
		if _, refused := errors.AsType[*compaction.Refused](failed); !refused || r.Summarizer == nil {
			t.Fatal(failed)
		}
		t.Logf("%v · quoting instead", failed)
		r.Summarizer = nil
	}
}
