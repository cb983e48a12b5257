package facts

import "strings"

// path reports whether p is the path of a file or folder.
func path(p string, cl class) bool {
	switch {
	case cl&backslash != 0 && windows(p):
		return true
	case cl&(slash|dot) == 0, cl&backslash != 0:
		return false
	case cl&slash == 0:
		return file(p)
	}
	switch {
	case strings.HasPrefix(p, "//"), strings.Contains(p, "///"):
		return false
	case strings.HasPrefix(p, "~/"), strings.HasPrefix(p, "./"), strings.HasPrefix(p, "../"), strings.HasPrefix(p, "$") && cl&slash != 0 && is(p, 1, letter):
		return len(p) > 2 && !strings.HasPrefix(p[2:], "/")
	case p[0] == '/':
		return wordAt(p, 1) && !all(p[1:], digit) || (is(p, 1, dot|at) && wordAt(p, 2))
	}
	return relative(p, cl)
}

// windows reports whether p begins with a drive or a share.
func windows(p string) bool {
	if len(p) > 3 && is(p, 0, letter) && p[1] == ':' && p[2] == '\\' {
		return true
	}
	if strings.HasPrefix(p, `\\`) && wordAt(p, 2) {
		return strings.Contains(p[2:], `\`)
	}
	i := strings.LastIndexByte(p, '\\')
	return i > 0 && (wordAt(p, 0) || p[0] == '%' && strings.Contains(p[1:i], "%")) && file(p[i+1:])
}

// file reports whether p is the name of a file, recognised by its ending.
func file(p string) bool {
	if p == "" {
		return false
	}
	if p[0] == '.' {
		return dotfiles()[p] || len(p) > 3 && extension(p[1:]) && strings.Contains(p[1:], ".")
	}
	if files()[p] {
		return true
	}
	return wordAt(p, 0) && extension(p) && !products()[strings.ToLower(p)]
}

// extension reports whether p ends in a known ending of file names.
func extension(p string) bool {
	last := strings.LastIndexByte(p, '.')
	if last <= 0 || len(p)-last > 12 {
		return false
	}
	ending := p[last+1:]
	if colon := strings.IndexByte(ending, ':'); colon >= 0 {
		ending = ending[:colon]
	}
	if !extensions()[ending] && (len(ending) < 2 || !extensions()[strings.ToLower(ending)]) { // U.S. is no assembler
		return false
	}
	for i := range last {
		if !is(p, i, word|dash|dot|foreign) && strings.IndexByte("+%@~#", p[i]) < 0 {
			return false
		}
	}
	return true
}

// relative reports whether p, which has a slash, is a path without a root. What
// merely sets two words side by side is none.
func relative(p string, cl class) bool {
	if !wordAt(p, 0) && p[0] != '.' && p[0] != '@' || strings.Contains(p, "//") || cl&(backslash|comma) != 0 {
		return false
	}
	first, rest, _ := strings.Cut(p, "/")
	last := p[strings.LastIndexByte(p, '/')+1:]
	switch {
	case last != "" && (file(last) || dotfiles()[last]):
		return true
	case strings.Contains(first, ".") && labels(first) && domains()[first[strings.LastIndexByte(first, '.')+1:]]:
		return !strings.ContainsAny(last, ".:") || extension(last)
	case classes[p[0]]&digit != 0 && cl&lower == 0:
		return false
	case all(first, word|dash|dot) && folders()[strings.ToLower(first)] && rest != "and" && !strings.Contains(p, ":"):
		return true
	case last == "" && len(p) > 2 && cl&colon == 0:
		return !all(first, digit)
	case strings.HasPrefix(p, ".") && wordAt(p, 1):
		return true
	}
	return strings.Count(p, "/") >= 2 && cl&(underscore|digit|dot) != 0 && cl&(colon|other) == 0 || strings.Contains(p, "/+/")
}

// lineNumber returns the end of a path with the numbers that may stand behind
// it: (12) or #L12. Those after a colon belong to the piece already.
func (s *scanner) lineNumber(i, end int) int {
	t := s.text
	if is(t, end, paren) && t[end] == '(' && extension(t[i:end]) {
		if k := run(t, end+1, digit|comma); k > end+1 && k-end < 12 && strings.HasPrefix(t[k:], ")") {
			return k + 1
		}
	}
	return end
}

var extensions = set(`go mod sum py pyi ipynb js jsx ts tsx mjs cjs vue svelte java kt kts scala groovy gradle c h cc cpp hpp cxx hxx cs fs vb rs rb php pl pm lua
	swift m mm r jl ex exs erl hs ml clj dart zig nim asm s sh bash zsh fish ps1 bat cmd awk sql proto graphql tf hcl nix
	md mdx rst txt tex bib adoc org log csv tsv json jsonl json5 ndjson yaml yml toml ini cfg conf config env properties xml xsd xsl plist lock
	html htm css scss sass less svg png jpg jpeg gif webp bmp ico tif tiff heic HEIC raw psd mp3 mp4 wav ogg flac mov mkv avi webm
	pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub ics vcf eml
	zip tar gz tgz bz2 xz zst 7z rar jar war deb rpm apk dmg iso img bin exe dll so dylib o a out hex elf map patch diff
	db sqlite sqlite3 dump bak tmp swp old orig pid sock key pem crt cer csr pub asc sig gpg service timer socket mk cmake in dat parquet avro gguf onnx pt wasm tmpl j2 test prof`)

var dotfiles = set(`.env .envrc .gitignore .gitattributes .gitmodules .dockerignore .editorconfig .bashrc .bash_profile .bash_history .zshrc .profile .vimrc
	.npmrc .nvmrc .eslintrc .prettierrc .babelrc .htaccess .netrc .pgpass .ssh .git .github .config .cache .gitconfig .tmux.conf .gitlab-ci.yml .travis.yml .golangci.yml`)

var files = set(`Makefile Dockerfile Jenkinsfile Vagrantfile Gemfile Procfile Rakefile CMakeLists.txt authorized_keys id_rsa id_ed25519 known_hosts`)

var folders = set(`src lib bin doc docs test tests testdata cmd pkg internal app apps config configs conf etc usr var opt home tmp dev build dist public static assets
	scripts tools vendor node_modules examples migrations templates views models controllers components pages packages ui api server include boards data logs backups uploads`)

// products have names that look like those of files.
var products = set(`node.js next.js vue.js react.js express.js three.js d3.js nuxt.js angular.js ember.js backbone.js socket.io moment.js chart.js alpine.js asp.net`)
