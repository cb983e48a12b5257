package facts

import "strings"

// longestCommand is how many bytes of a line count as one command.
const longestCommand = 1000

// fence is what a block between lines of ``` holds.
type fence int

const (
	noFence fence = iota
	otherFence
	shellFence
)

// line settles what only a whole line can be, such as a command behind a
// prompt, and reports whether it settled all of it.
func (s *scanner) line() bool {
	if s.inside {
		return false
	}
	t, i := s.text, s.pos
	start := run(t, i, space)
	if start >= len(t) || t[start] == '\n' {
		s.pos = start
		return start > i
	}
	if strings.HasPrefix(t[start:], "```") || strings.HasPrefix(t[start:], "~~~") {
		s.pos = lineEnd(t, start)
		s.fence = s.fence.next(strings.Trim(t[start:s.pos], "`~ \r"))
		return true
	}
	from, sure := prompt(t, start)
	if from == start && s.fence == shellFence && !strings.HasPrefix(t[start:], "#") {
		sure = shellLike(t, start)
	}
	if from == start {
		from = listed(t, start)
	}
	from = run(t, from, space)
	if from >= len(t) || is(t, from, digit|newline) || !sure && !commandWord[t[from]] && from == start {
		return false
	}
	end := lineEnd(t, from)
	if end-from > longestCommand {
		return false
	}
	for end > from && is(t, end-1, space) {
		end--
	}
	text := t[from:end]
	if end == from || !sure && !typed(text, from > start) && !query(text) {
		return false
	}
	return s.add(Command, from, end)
}

func (f fence) next(info string) fence {
	if f != noFence {
		return noFence
	}
	switch info {
	case "sh", "bash", "zsh", "shell", "fish", "powershell", "ps1", "cmd", "bat":
		return shellFence
	}
	return otherFence
}

// shellLike reports whether a line in a block of shell code begins a command.
func shellLike(t string, i int) bool { return is(t, i, letter|dot|slash|underscore) || t[i] == '$' }

func lineEnd(t string, i int) int {
	if n := strings.IndexByte(t[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(t)
}

// prompt returns where the command behind the prompt of a shell or a database
// at i begins, i if there is no prompt.
func prompt(t string, i int) (from int, sure bool) {
	head := t[i:min(len(t), i+60)]
	if strings.HasPrefix(head, "$ ") || strings.HasPrefix(head, "% ") && len(head) > 2 && is(head, 2, lower) {
		return i + 2, true
	}
	if head[0] == '$' || !is(head, 0, letter) && head[0] != '[' && head[0] != '(' {
		return i, false
	}
	for _, p := range []string{"=> ", "=# ", "-> ", "-# ", "mysql> ", "sqlite> ", "~$ ", "$ ", "# ", "> "} {
		n := strings.Index(head, p)
		if n < 0 || strings.IndexByte(head[:n+len(p)], '\n') >= 0 {
			continue
		}
		who := head[:n]
		switch p {
		case "=> ", "=# ", "-> ", "-# ":
			if !all(who, word) || strings.HasPrefix(p, "-") && n == 0 {
				continue
			}
			if rest := t[i+n+len(p):]; p[0] == '=' && p[1] == '>' && !strings.HasPrefix(rest, `\`) && !query(rest) && !sqlStart(rest) {
				continue
			}
		case "mysql> ", "sqlite> ":
			if n > 0 {
				continue
			}
		case "> ":
			if !strings.HasPrefix(who, "PS ") || !strings.Contains(who, `:\`) {
				continue
			}
		default:
			if !strings.Contains(who, "@") || strings.Contains(strings.TrimLeft(who, "[("), " ") && !strings.HasSuffix(who, "]") {
				continue
			}
		}
		return i + n + len(p), true
	}
	return i, false
}

// listed returns where the command in a line of a shell's history begins.
func listed(t string, i int) int {
	j := run(t, i, digit)
	if j == i || j-i > 6 {
		return i
	}
	k := run(t, j, space)
	if k-j < 2 || k >= len(t) || !commandWord[t[k]] {
		return i
	}
	return k
}

// commandWord has the bytes a command can begin with.
var commandWord = func() (t [256]bool) {
	for c := range t {
		t[c] = classes[c]&(lower|upper|dot|slash) != 0
	}
	return t
}()

// command reports whether text is a command: the name of a program that is
// known or stands in this folder, and something for it to do.
func command(text string) bool {
	if query(text) {
		return true
	}
	name, rest := program(text)
	if rest == "" || strings.HasSuffix(name, ":") {
		return false
	}
	return programs()[name] || (strings.HasPrefix(name, "./") || strings.HasPrefix(name, "/")) && wordAt(name, len(name)-1) && strings.Contains(rest, "-")
}

// flagged reports whether text, which is set in type for code, runs a program
// with options, whatever program it is.
func flagged(text string) bool {
	name, rest := program(text)
	return all(name, lower|digit|dash|underscore|dot|slash) && is(name, 0, lower|dot|slash) && (strings.HasPrefix(rest, "-") || strings.Contains(rest, " -"))
}

// program returns the name of the program that a command runs and what follows
// it, without what is put before it.
func program(text string) (name, rest string) {
	for range 5 {
		name, rest, _ = strings.Cut(text, " ")
		rest = strings.TrimLeft(rest, " ")
		if name != "sudo" && name != "time" && name != "env" && name != "nohup" && !assignment(name) {
			break
		}
		text = rest
	}
	return name, rest
}

// assignment reports whether a word sets a variable for the command after it.
func assignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && all(name, upper|digit|underscore)
}

// typed reports whether a whole line is a command and not a sentence that
// begins like one.
func typed(text string, numbered bool) bool {
	if len(text) > 300 && !numbered || !command(text) {
		return false
	}
	if numbered {
		return true
	}
	if strings.HasSuffix(text, ".") && !strings.HasSuffix(text, " .") && !strings.HasSuffix(text, "...") && !strings.HasSuffix(text, "/.") || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "?") {
		return false
	}
	name, rest := program(text)
	first, _, _ := strings.Cut(rest, " ")
	switch {
	case strings.HasPrefix(first, "-"), strings.Contains(rest, " -"), strings.ContainsAny(rest, "|$~"), strings.ContainsAny(first, "/*"):
		return true
	}
	return subcommands()[first] && tools()[name] && strings.Count(rest, " ") < 5
}

// query reports whether text is a statement of SQL.
func query(text string) bool {
	if len(text) > longestCommand {
		text = text[:longestCommand]
	}
	return sqlStart(text) && strings.HasSuffix(strings.TrimSpace(text), ";")
}

func sqlStart(text string) bool {
	verb, rest, _ := strings.Cut(text[:min(len(text), 12)], " ")
	return rest != "" && statements()[verb]
}

var statements = set(`SELECT INSERT UPDATE DELETE CREATE ALTER DROP EXPLAIN WITH BEGIN COMMIT ROLLBACK TRUNCATE GRANT REVOKE VACUUM ANALYZE COPY SET SHOW PRAGMA REINDEX MERGE
	select insert update delete create alter drop explain truncate grant vacuum pragma`)

var tools = set(`git go docker docker-compose podman kubectl helm npm npx yarn pnpm cargo pip pip3 apt apt-get dnf yum brew systemctl journalctl make terraform ollama gh aws gcloud az rustup flutter dotnet mvn gradle conda poetry uv west`)

var subcommands = set(`add push pull commit checkout switch merge rebase clone status log diff show stash reset revert tag branch fetch init
	test build run get install mod vet fmt generate list env work tool doc exec ps logs stop start restart rm rmi up down compose
	apply delete describe rollout scale port-forward config upgrade update uninstall remove publish ci serve flash enable disable reload create plan destroy all clean`)

var programs = set(`git go docker docker-compose podman kubectl helm npm npx yarn pnpm node deno bun cargo rustc rustup pip pip3 pipx python python3 ruby gem bundle perl php composer java javac mvn gradle
	make cmake ninja gcc g++ clang ld gdb lldb strace apt apt-get dpkg dnf yum pacman apk brew snap systemctl journalctl service crontab
	ls cd cp mv rm mkdir rmdir touch cat less head tail grep egrep rg find fd sed awk sort uniq wc cut tr xargs tee echo printf export source alias unset chmod chown chgrp ln df du mount umount lsblk
	ps top htop kill pkill killall nice lsof ss netstat ip ifconfig ping dig nslookup traceroute curl wget ssh scp sftp rsync nc telnet openssl gpg tar gzip gunzip zip unzip xz
	psql pg_dump pg_restore createdb mysql mysqldump sqlite3 redis-cli mongosh mongo terraform ansible ansible-playbook vagrant packer ollama gh aws gcloud az flutter dart dotnet conda poetry uv pytest tox mypy ruff black eslint tsc webpack vite jest
	vim nvim nano emacs tmux screen date whoami uname hostname env ffmpeg convert jq yq pandoc latexmk bash sh zsh fish pwsh openocd west esptool.py avrdude minicom golangci-lint gofmt staticcheck dlv
	netsh ipconfig sc reg wmic schtasks chkdsk sfc dism robocopy xcopy choco winget
	Get-ChildItem Get-Process Set-ExecutionPolicy Invoke-WebRequest Remove-Item certbot nginx ufw iptables useradd usermod passwd su sudo dd fdisk mkfs zfs zpool btrfs lvextend nmap tcpdump`)
