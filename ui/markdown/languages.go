package markdown

// language is what highlighting knows of a family of languages. Words are in
// strings, where they are found about as fast as in maps and cost nothing when
// the program starts.
type language struct {
	names string // what a fence may call it, in lower case

	keywords, constants, types string

	lineComments []string
	blockComment [2]string // how one opens and closes
	quotes       []quote   // the first that matches counts

	nested   bool // comments may be inside of comments
	letters  bool // single quotes hold one letter
	folds    bool // upper and lower case are the same
	capitals bool // types start with a capital
	dashes   bool // words may have them
	keys     bool // values have keys before a colon or an equals sign
	commands bool // lines start with the name of a program
	markup   bool // tags in text
	patch    bool // lines that were inserted and deleted
}

// quote is how text in quotes opens and closes.
type quote struct {
	opens, closes string
	escapes       bool // a backslash takes the meaning from what follows
	lines         bool // it may go on in the next line
}

// languageOf returns the language that a fence calls name, a guess if it is
// unknown, or nil if it is none.
func languageOf(name string) *language {
	if name == "" || has("text txt plain plaintext output log none md markdown", name) {
		return nil
	}
	for i := range languages {
		if has(languages[i].names, name) {
			return &languages[i]
		}
	}
	return &languages[len(languages)-1]
}

var languages = [...]language{
	{
		names:        "go golang",
		keywords:     "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
		constants:    "true false nil iota",
		types:        "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr append cap clear close copy delete len make max min new panic print println recover",
		lineComments: []string{"//"}, blockComment: [2]string{"/*", "*/"},
		quotes: []quote{{`"`, `"`, true, false}, {"'", "'", true, false}, {"`", "`", false, true}},
	},
	{
		names:        "python py python3 pyi starlark",
		keywords:     "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
		constants:    "True False None self cls",
		types:        "bool bytes dict float frozenset int list object set str tuple type",
		lineComments: []string{"#"}, capitals: true,
		quotes: []quote{{`"""`, `"""`, true, true}, {"'''", "'''", true, true}, {`"`, `"`, true, false}, {"'", "'", true, false}, {"f'", "'", true, false}, {"r'", "'", false, false}},
	},
	{
		names:        "javascript js jsx mjs cjs typescript ts tsx",
		keywords:     "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in instanceof interface is keyof let namespace new of private protected public readonly return satisfies set static super switch this throw try type typeof var void while with yield",
		constants:    "true false null undefined NaN Infinity",
		types:        "any bigint boolean never number object string symbol unknown",
		lineComments: []string{"//"}, blockComment: [2]string{"/*", "*/"}, capitals: true,
		quotes: []quote{{`"`, `"`, true, false}, {"'", "'", true, false}, {"`", "`", true, true}},
	},
	{
		names:        "rust rs",
		keywords:     "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return self static struct super trait type union unsafe use where while",
		constants:    "true false None Some Ok Err",
		types:        "Self bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
		lineComments: []string{"//"}, blockComment: [2]string{"/*", "*/"}, nested: true, capitals: true, letters: true,
		quotes: []quote{{`r##"`, `"##`, false, true}, {`r#"`, `"#`, false, true}, {`r"`, `"`, false, true}, {`"`, `"`, true, true}, {"'", "'", true, false}},
	},
	{
		names:        "c h cpp c++ cc cxx hpp objc cs csharp c# java kotlin kt kts swift scala groovy dart zig php proto protobuf",
		keywords:     "abstract actor alignas as assert async auto await base break by case catch class companion concept const consteval constexpr continue data decltype default defer delegate delete do each echo else enum event explicit export extends extension extern fallthrough final finally fn for foreach friend fun func function get goto guard if implements import in include init inline inout instanceof interface internal is lateinit lazy let lock match mutable mutating namespace native new noexcept object open operator out override package params permits private protected protocol public readonly record ref register repeated requires restrict return rpc sealed self service set sizeof static struct subscript super suspend switch synchronized syntax template this throw throws trait try typealias typedef typename union unsafe use using val var virtual volatile when where while with yield",
		constants:    "true false null nil nullptr NULL",
		types:        "bool boolean byte char decimal double float int int8_t int16_t int32_t int64_t long object short signed size_t string uint uint8_t uint16_t uint32_t uint64_t unsigned void wchar_t",
		lineComments: []string{"//"}, blockComment: [2]string{"/*", "*/"}, capitals: true,
		quotes: []quote{{`"""`, `"""`, true, true}, {`R"(`, `)"`, false, true}, {`@"`, `"`, false, true}, {`"`, `"`, true, false}, {"'", "'", true, false}},
	},
	{
		names:        "sh bash zsh shell fish ksh console shellsession dockerfile docker containerfile make makefile",
		keywords:     "if then elif else fi for in do done while until case esac function select return break continue exit export local readonly declare unset source trap set FROM AS RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL HEALTHCHECK SHELL",
		constants:    "true false",
		lineComments: []string{"#"}, dashes: true, commands: true,
		quotes: []quote{{`"`, `"`, true, true}, {"'", "'", false, true}},
	},
	{
		names:        "sql mysql postgresql postgres psql sqlite plsql tsql",
		keywords:     "add after all alter analyze and any as asc begin between by cascade case check collate column commit conflict constraint create cross default delete desc distinct do drop each else end except exists explain fetch filter for foreign from full function grant group having if in index inner insert intersect into is join key lateral left like limit materialized natural not nothing of offset on or order outer over partition primary procedure recursive references rename replace returning revoke right rollback row rows select set table temporary then to transaction trigger truncate union unique update using vacuum values view virtual when where window with without",
		constants:    "true false null",
		types:        "bigint blob boolean bytea char date datetime decimal double float int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar",
		lineComments: []string{"--"}, blockComment: [2]string{"/*", "*/"}, folds: true,
		quotes: []quote{{"'", "'", false, true}, {`"`, `"`, false, false}, {"`", "`", false, false}},
	},
	{
		names:        "json jsonc json5 jsonl ndjson yaml yml toml ini conf cfg properties env dotenv hcl terraform tf",
		constants:    "true false null",
		lineComments: []string{"#", "//"}, keys: true, dashes: true,
		quotes: []quote{{`"""`, `"""`, true, true}, {"'''", "'''", false, true}, {`"`, `"`, true, false}, {"'", "'", false, false}},
	},
	{
		names:        "html xml svg xhtml htm vue svelte plist",
		blockComment: [2]string{"<!--", "-->"}, markup: true, dashes: true,
		quotes: []quote{{`"`, `"`, false, true}, {"'", "'", false, true}},
	},
	{names: "diff patch udiff", patch: true},
	{ // any other
		keywords:     "and begin break case catch class const continue def do else elsif elseif end enum export extends finally fn for foreach from func function global if impl import in include interface is let local loop match module mut new not or package private protected public raise require return static struct super switch then this throw try type unless until use val var void when where while with yield",
		constants:    "true false null nil none None True False self",
		lineComments: []string{"//", "#"}, blockComment: [2]string{"/*", "*/"}, capitals: true,
		quotes: []quote{{`"`, `"`, true, false}, {"'", "'", true, false}},
	},
}
