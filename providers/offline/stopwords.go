package offline

import (
	"strings"
	"sync"
	"unicode"
)

// stopwords are words that say nothing about what a question is after: those of
// grammar, and those people ask with.
var stopwords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, list := range []string{english, german, french, spanish, portuguese, chinese, japanese, korean} {
		for _, word := range strings.Fields(list) {
			set[word] = true
		}
	}
	return set
})

const english = `a about after again all also am an and any are as ask asked at be because been before being but by
can could d did do does doing don done during each either else ever explain few find for from further get
give go goes got had has have having he hello her here hers hey hi him his how however i if in into is it its
just kind know less let like list ll look looking m make many mean me mention mentioned more most much must my
need no nor not now of off ok okay on once one only or other our ours out over please quote re recall remember
remind s said same say says search see she should show so some something still such sure t talk tell than
thank thanks that the their them then there therefore these they thing things think this those though through
to too under until up us use ve very want was we well were what whatever when where whether which while who
whom whose why will with would yes yet you your yours`

const german = `aber als am an auch auf aus bei bin bis bist bitte da damit danke dann das dass dein dem den denn der
des dich die dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es etwas euch für
gibt haben hat hatte hier ich ihm ihn ihr im in ist ja kann kannst kein keine mein mich mir mit nach nein nicht
noch nun nur ob oder ohne sag sage schon sein sich sie sind so über um und uns unser unter vom von vor war
waren warum was weil welche welcher welches wenn wer werden wie wieder wir wird wo wurde zeig zu zum zur`

const french = `ai au aux avec avons ce ces cet cette comment c d dans de des dis dit donc du elle elles en es est
et eu être fait il ils j je l la le les leur lui ma mais me merci mes moi mon montre n ne nos notre nous on ont
ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sur
ta te tes toi ton tu un une vos votre vous y était`

const spanish = `al algo ante como cómo con cual cuál cuando cuándo cuánto de del desde di dice dime donde dónde el
él ella ellos en entre era es esa ese eso esta está este esto fue gracias ha hay la las le les lo los más me mi
muestra muy nada ni no nos o para pero por porque qué que quien quién se ser si sí sin sobre son su sus te
tiene todo tu tú un una uno unos y ya yo`

const portuguese = `ao aos as à às com como da das de diga do dos e é ela ele em era essa esse esta está este eu foi
isso isto já mais mas me meu minha mostre na nas não no nos nós o obrigado os ou para pela pelo por porque qual
quando quanto que quem se sem ser seu seus são só sua também tem um uma você`

const chinese = `什么 怎么 怎样 多少 哪个 哪里 哪些 为什 么样 是什 我们 你们 他们 可以 请问 告诉 诉我 一下 这个 那个
这些 那些 的是 了吗 是不 不是 有没 没有 吗 呢 的 了 是 我 你 他 她 它 在 和 有`

const japanese = `です ます でし まし した して する から まで ない ある いる この その あの どの どこ なに なぜ すか
った てい には では とは のか たか ださ くだ さい ください 何 を は が の に で と も`

const korean = `무엇 어떤 어디 언제 누구 왜 어떻 떻게 입니 니다 습니 니까 인가 가요 나요 해요 하는 있는 그리 리고 은 는
이 가 을 를`

// kanaWeight is what a pair of hiragana counts, next to 1 for a word: most such
// pairs are grammar.
const kanaWeight = 0.3

// weight returns what a word in lower case counts in a question, 0 for nothing.
func weight(word string) float64 {
	if stopwords()[word] {
		return 0
	}
	if r := []rune(word); len(r) <= 2 && unicode.Is(unicode.Hiragana, r[0]) && unicode.Is(unicode.Hiragana, r[len(r)-1]) {
		return kanaWeight
	}
	return 1
}
