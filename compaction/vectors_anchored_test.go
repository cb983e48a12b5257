package compaction

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pleat/compaction/compactiontest/vectors"
	"pleat/session"
)

// vectorsAnchored has the sections filled without a model. The role of the
// summary is not compared: ours is always a message of the user, since servers
// refuse a second system message.
func vectorsAnchored(t *testing.T) tally {
	newest := "law 5: the newest user message stays"
	return runVectors(t, "latent_anchored_summarize", map[string]string{
		"keep_0":                newest,
		"keep_1":                newest,
		"keep_9_summarises_one": "section 6: a summary must make the context smaller, and one message for one does not",
	}, func(t *testing.T, v vector) error {
		chain := chainOf(v.Messages(t)...)
		p := Params{"pin": "system", "keep": v.Number("keep_last_n")}
		if sections, ok := v.Params["sections"].([]any); ok {
			var names []string
			for _, s := range sections {
				names = append(names, s.(string))
			}
			p["sections"] = strings.Join(names, ",")
		}
		after, text := chain, ""
		s, err := New("anchored", p)
		if err == nil {
			var plan Plan
			if plan, err = s.Plan(chain.Context(), Budget{Count: one}); err == nil {
				text = plan.Request.Extract(nil)
				if v.Params["summary_fn"] != nil {
					_, _, err = summary(t.Context(), plan, Room{}, &model{answers: []scripted{says("")}})
				}
				if err == nil {
					after = chain.Append(plan.Event(text))
				}
			}
		}
		return v.compareAnchored(t, after, text, err, p["sections"])
	})
}

func (v vector) compareAnchored(t *testing.T, after *session.Chain, text string, err error, sections string) error {
	t.Helper()
	var got []string
	news := 0
	for it := range after.Context().Live() {
		if it.Message == nil {
			news++
			continue
		}
		got = append(got, it.Message.Text)
	}
	if after.Len() > 0 {
		if err := session.Validate(after.Context().Project()); err != nil {
			return err
		}
	}
	expected := func(key string) []string {
		data, _ := json.Marshal(v.Expected[key])
		var texts []string
		for _, m := range vectors.MessagesOf(t, data) {
			texts = append(texts, m.Text)
		}
		return texts
	}
	if v.Expected["messages"] != nil || v.Expected["tail_kept_verbatim"] != nil {
		if _, refused := errors.AsType[*Refused](err); err != nil && !InVain(err) && !refused {
			return err
		}
		want := slices.Concat(expected("messages"), expected("system_messages_kept_in_order"), expected("tail_kept_verbatim"))
		if !slices.Equal(got, want) || news != int(v.Expected["new_messages"].(float64)) {
			return fmt.Errorf("got %q and %d summaries, want %q (%v)", got, news, want, err)
		}
		if news == 1 {
			for _, name := range strings.Split(cmp.Or(sections, defaultSections), ",") {
				if !strings.Contains(text, "## "+name+"\n") {
					return fmt.Errorf("no section %s in %s", name, text)
				}
			}
		}
	}
	return v.must(got, text)
}

// must checks what a case that leaves things open says in words.
func (v vector) must(got []string, text string) error {
	has := func(texts ...string) error {
		for _, s := range texts {
			if !slices.Contains(got, s) {
				return fmt.Errorf("%q went; left is %q", s, got)
			}
		}
		return nil
	}
	switch v.Name {
	case "negative_n", "empty_sections", "summary_fn_empty":
		return has("s", "q0", "q4", "a4")
	case "extractive_mentions_first_and_last":
		for _, s := range []string{"FIRST line", "LAST line"} {
			if !strings.Contains(text, s) {
				return fmt.Errorf("no %q in %s", s, text)
			}
		}
	case "system_in_the_middle":
		if len(got) != 3 {
			return fmt.Errorf("left is %q", got)
		}
		return has("mid", "e", "f")
	case "tool_pair_at_the_cut":
		return has("", "out", "done", "next")
	case "multipart_content":
		return has("b", "c")
	}
	return nil
}
