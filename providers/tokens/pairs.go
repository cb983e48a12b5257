package tokens

// pairs holds the price of each pair of letters in a word: a row for the first
// letter, a column for the second, a to z and then any other letter. "g" is
// free, and each letter after it is another 5 hundredths of a token, each before
// it 5 less. Pairs inside words that encodings know whole are cheap.
//
// The prices were fitted by stochastic gradient descent to what cl100k_base
// makes of words in English, German, French and Spanish texts and in source code.
var pairs = [27]string{
	"qkjinmemjpndhiqixgkdpjkldrt", // a
	"mqmnjpvqoinfqsnsqnmqekkvhoq", // b
	"jpmrdpojjldhnohmiiodiqkkdlp", // c
	"onniiomplmmjqpnqkpkoooklhjw", // d
	"konfkmlwwtskllrmjkjltllilwr", // e
	"nqnojkkkiljlknkpilqglnjjfmp", // f
	"umopkkjcmlmlnjsvjkopmomjkkr", // g
	"mnopjljjnkktjkmlnnqinjljlkz", // h
	"lpjjjjipooqgifeimmkgnilllgi", // i
	"nljljikkqjmklpmgkknimlkiiij", // j
	"voklilhpljltonzspxlurmmimll", // k
	"onslirsjmlpmqqmkosnnmmmsaoy", // l
	"kjsmgpplmipqmrmlislromolnls", // m
	"nsljkphsmnnnpnoopsjgolpmosu", // n
	"fllgkkgokhiihfhkpflhiheglrr", // o
	"ltpkgwrkniseijhmmjlimjmjjjr", // p
	"kjjkkjijljijmkliihlkjllijii", // q
	"ktnlgmjqjnlpklknpnknnlrnavt", // r
	"ouoqginhkkjmopmkloigjqjniru", // s
	"nnkmkqndkkplmomjkljmloljett", // t
	"kknijqmpmooehjmgjhkhmsmjsou", // u
	"ltrlflijkikqllroktqtrpjmllq", // v
	"likmljjfkiklldilpgglpjhlijr", // w
	"mjjqkmlkminkjjnjjlljmrjplps", // x
	"tnppnjmjmkknjjlslimkqnhlljm", // y
	"oolokjjpvjlilknijnzmvlpjjoq", // z
	"tvyvqzvolhkurspuprrqusililt", // other
}

// pairPrice returns the price of a pair of letters in hundredths of a token.
func pairPrice(first, second int) int { return 5 * (int(pairs[first][second]) - 'g') }
