package tokens

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// samples are written for these tests; the prices were fitted to other texts.
var samples = map[string]string{
	"english": `The migration took longer than we had planned, mostly because nobody had written down which services still
read the old table. We found three of them on Tuesday and a fourth, a nightly report that runs for the accounting
department, only after it had failed twice. If you are about to do something similar, start by logging every query for
at least two weeks, and look at the list together with the people who own those services. It is boring work, but it is
much cheaper than a rollback at midnight. After that, copy the data in small batches, compare counts and checksums, and
switch the readers one by one. Keep the old table around for a month; you will be surprised how often somebody asks for it.`,
	"code": `// Reserve takes n seats from the show, or fails with ErrSoldOut and takes none.
func (s *Store) Reserve(ctx context.Context, showID string, n int) (*Booking, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("reserve: begin: %w", err)
	}
	defer tx.Rollback()
	var free int
	row := tx.QueryRowContext(ctx, "SELECT free FROM shows WHERE id = ? FOR UPDATE", showID)
	if err := row.Scan(&free); err != nil {
		return nil, fmt.Errorf("reserve: show %s: %w", showID, err)
	}
	if free < n {
		return nil, ErrSoldOut
	}
	for i := 0; i < n; i++ {
		booking.Seats = append(booking.Seats, nextSeat(free-i))
	}
	return booking, tx.Commit()
}

def moving_average(values, window=5):
    """Return the mean of each window of values."""
    if window <= 0:
        raise ValueError("window must be positive")
    total, result = 0.0, []
    for index, value in enumerate(values):
        total += value
        if index >= window:
            total -= values[index - window]
        result.append(total / min(index + 1, window))
    return result
`,
	"log": `2026-03-04T09:12:01.482Z INFO  server listening addr=0.0.0.0:8080 pid=4121
2026-03-04T09:12:07.019Z WARN  slow query duration=1.284s rows=20418 table=invoices
2026-03-04T09:12:07.533Z ERROR request failed method=POST path=/api/v1/orders/88213/items status=500 err="connection reset by peer" trace=4f9a1c7be2d05588
2026-03-04T09:13:44.871Z INFO  retry scheduled attempt=2 backoff=800ms queue=billing
192.168.14.7 - - [04/Mar/2026:09:14:02 +0000] "GET /static/app.4e1f.js HTTP/1.1" 304 0 "-" "Mozilla/5.0 (X11; Linux x86_64)"
`,
	"german": `Die Umstellung hat länger gedauert als geplant, vor allem weil niemand aufgeschrieben hatte, welche Dienste noch aus
der alten Tabelle lesen. Drei davon haben wir am Dienstag gefunden, einen vierten erst, nachdem der nächtliche Bericht der
Buchhaltung zweimal fehlgeschlagen war. Wer etwas Ähnliches vorhat, sollte zwei Wochen lang sämtliche Abfragen mitschreiben
und die Liste gemeinsam mit den Verantwortlichen durchgehen. Das ist mühsam, kostet aber erheblich weniger als eine
Rückabwicklung um Mitternacht. Danach werden die Daten in kleinen Portionen übertragen und die Prüfsummen verglichen.`,
	"french": `La migration a duré plus longtemps que prévu, surtout parce que personne n'avait noté quels services lisaient encore
l'ancienne table. Nous en avons trouvé trois mardi, et un quatrième seulement après que le rapport nocturne de la
comptabilité a échoué deux fois. Si vous envisagez quelque chose de semblable, commencez par enregistrer toutes les requêtes
pendant au moins deux semaines, puis parcourez la liste avec les équipes concernées. C'est un travail ennuyeux, mais il
coûte beaucoup moins cher qu'un retour en arrière au milieu de la nuit.`,
	"chinese": `这次迁移花的时间比计划的要长,主要是因为没有人记录哪些服务还在读取旧表。我们星期二找到了三个,第四个是财务部门的夜间报表,
直到它连续失败两次之后才被发现。如果你也打算做类似的事情,请先记录至少两周的所有查询,然后和负责这些服务的同事一起检查这份清单。
这项工作很枯燥,但是比半夜回滚便宜得多。之后分批复制数据,比较数量和校验和,再逐个切换读取方。`,
}

func TestEstimateIsNearCL100K(t *testing.T) {
	for name, s := range samples {
		got, want := estimate(s), cl100k.count(s)
		off := float64(got)/float64(want) - 1
		t.Logf("%-8s %4d of %4d tokens, %+.1f %%", name, got, want, 100*off)
		if math.Abs(off) > 0.10 {
			t.Errorf("%s: estimate = %d, want within 10 %% of %d", name, got, want)
		}
	}
}

func TestEstimateOfStrangeTextIsOfTheRightSize(t *testing.T) {
	for name, s := range worst {
		s = strings.ToValidUTF8(s[:1<<14], "")
		got, want := estimate(s), cl100k.count(s)
		if r := float64(got) / float64(want); r < 0.4 || r > 2.5 {
			t.Errorf("%s: estimate = %d, want about %d", name, got, want)
		}
	}
}

func TestEstimateLoadsNoTable(t *testing.T) {
	e := newEncoding("none", splitCL100K)
	if _, err := e.table(); err == nil {
		t.Fatal("table none was loaded")
	}
	if got, want := e.count(samples["english"]), estimate(samples["english"]); got != want {
		t.Errorf("count without a table = %d, want the estimate %d", got, want)
	}
}

func TestEstimateOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if n := estimate(s); n < 0 || n > 3*len(s)+1 || (n == 0) != (s == "") {
			t.Errorf("estimate(%q) = %d", s, n)
		}
	})
}

func TestControlCharactersAreNotFree(t *testing.T) {
	for _, unit := range []string{"\x00", "\x01", "\x07", "\x0b", "\x0c", "\x1b", "\x7f"} {
		if n := For("qwen3").Text(strings.Repeat(unit, 1000)); n < 1000 {
			t.Errorf("1,000 of %q are estimated at %d tokens, want as many or more", unit, n)
		}
	}
}
