import type { Failure } from "@skillwright/core";
import { hasHiddenCharacters } from "../hidden-characters.ts";
import { type Match, matchWildcard, wordList } from "./policy-settings.ts";

/** Start the program that their arguments name, so that a rule about another program says nothing. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  wordList(`
    env nice nohup timeout gtimeout stdbuf time command builtin noglob nocorrect exec eval sudo doas
    pkexec su runuser gosu su-exec chroot unshare nsenter setpriv capsh prlimit numactl chrt taskset
    ionice setsid setarch linux32 linux64 xargs parallel watch entr flock script unbuffer rlwrap winpty
    busybox toybox tini dumb-init catchsegv coproc caffeinate fakeroot faketime perf strace ltrace gdb
    lldb valgrind choom cgexec systemd-run systemd-inhibit dbus-run-session eatmydata firejail proot
    xvfb-run at batch osascript cmd powershell pwsh ld.so expect socat nc ncat netcat tclsh ex vi vim
    nvim emacs ed nix-shell tmux screen direnv mise start open xdg-open
    alias unalias trap hash enable source . bind shopt set read export declare typeset readonly local
    mapfile readarray complete unset getopts autoload zmodload let
    if then elif else fi while until do done for case esac select function always foreach repeat
  `),
);

/** Run code that a project or a file holds; what options and variables make of them is open. */
const RUNNERS: ReadonlySet<string> = new Set(
  wordList(`
    make gmake ninja cmake just task rake ant mvn gradle gradlew cargo go npm npx pnpm pnpx yarn bun
    bunx uv uvx pipx pip poetry pipenv conda bundle ssh docker podman kubectl nerdctl lxc nix pytest tox nox
    jest vitest mocha tsx ts-node deno
  `),
);

/** Read options up to the file that they run; what follows belongs to that. */
const INTERPRETER =
  /^(?:(?:python|pypy|perl|ruby|node|nodejs|php|lua|luajit)[\d.]*|(?:ba|z|da|k|a|fi|rba|mk|c|tc|ya)?sh)$/;

/** Start nothing but what their risky options name. */
const KNOWN: ReadonlySet<string> = new Set(
  wordList(`
    ls cat head tail wc echo printf pwd true false test [ stat file basename dirname realpath readlink
    date cal whoami id uname hostname groups tty printenv which type du df ps uptime free nproc lscpu
    grep egrep fgrep rg cut tr sort uniq comm join paste column fold fmt nl tac rev expand unexpand od
    hexdump xxd strings md5sum sha1sum sha256sum sha512sum cksum b2sum base64 base32 diff cmp diff3
    sdiff find fd fdfind tree jq yq git touch mkdir rmdir rm cp mv ln chmod chown chgrp truncate tee dd
    install shred mktemp tar gtar bsdtar gzip gunzip zcat bzip2 xz zip unzip zstd split curl wget rsync
    scp sleep seq yes expr cd pushd popd kill sed gsed awk gawk mawk nawk :
  `),
);

/**
 * Options and words by which a harmless program starts another one, writes, or reads its settings from
 * elsewhere. A rule with a wildcard does not cover them unless it names them.
 */
const RISKY: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    git: `-c --config-env --exec-path --exec -x --upload-pack --receive-pack --ext-diff --textconv
      --open-files-in-pager -O foreach filter-branch bisect ext:: --template config difftool mergetool
      --extcmd send-email --smtp-server --sendmail-cmd instaweb --httpd hook for-each-repo merge-index
      daemon shell web--browse maintenance svn p4 cvsserver --output -o -C --git-dir --work-tree
      --separate-git-dir`,
    // Elsewhere this names the upstream branch.
    "git clone": "-u",
    find: "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls",
    "fd, fdfind": "-x -X --exec --exec-batch",
    rg: "--pre --hostname-bin",
    sort: "--compress-program -o --output",
    "tar, gtar, bsdtar": `--to-command --checkpoint-action -I --use-compress-program -F --rsh-command
      --info-script --new-volume-script -P --absolute-names`,
    "sed, gsed": "-i --in-place -f --file",
    "awk, gawk, mawk, nawk": `-i --in-place -f --file -E --exec -l --load -W --include -o
      --pretty-print -p -d -D`,
    split: "--filter",
    man: "-P --pager -H --html",
    scp: "-S -o -F",
    rsync: "-e --rsh --rsync-path",
    curl: "-K --config -o -O --output --remote-name -T -D",
    wget: "--use-askpass -e -O --output-document -P --post-file",
    zip: "-TT -T --unzip-command",
    yq: "-i --inplace",
    tree: "-o",
    less: "+! +| -o -O",
  }).flatMap(([names, options]) =>
    names.split(", ").map((name): [string, readonly string[]] => [name, wordList(options)]),
  ),
);

/** Addresses and substitutions without signs that mean more: what else sed can do may start programs. */
const HARMLESS_SED =
  /^(?:(?:[\d$]+(?:,[\d$]+)?|\/[\w .^$#-]*\/)?[pdq=]|s([/|,#])(?:(?!\1)[\w .,:@%+=^$*()-])*\1(?:(?!\1)[\w .,:@%+=-])*\1[gpI\d]*)$/;
const RISKY_AWK = /[>|@]|\bsystem\b|getline/;
/** The loader of the system's libraries, which also starts programs. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

/** A program's name without its folder and without `.exe`; the loader has one for all systems. */
export function programName(command: string): string {
  const name = command.slice(Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\")) + 1);
  const plain = name.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
  return LOADER.test(plain) ? "ld.so" : plain;
}

/** Whether a command may start programs that its words do not show, or that are among its words. */
function mayStartOthers(words: readonly string[]): boolean {
  return !KNOWN.has(nameOf(words)) || isRisky(words);
}

/** Whether any word of a command may be a program that it starts. */
function isStarter(words: readonly string[]): boolean {
  const name = nameOf(words);
  if (KNOWN.has(name)) return isRisky(words);
  return LAUNCHERS.has(name) || RUNNERS.has(name) || INTERPRETER.test(name);
}

/**
 * Whether a command does more than a rule for its program says. `named` is the text of the rule: what
 * it names is meant.
 */
function isRisky(words: readonly string[], named = ""): boolean {
  const name = nameOf(words);
  const known = named.split(/\s+/);
  const isNamed = (word: string) => known.includes(word);
  if (LAUNCHERS.has(name)) return true;
  const given = words.slice(1).filter((word) => !isNamed(word));
  if (RUNNERS.has(name)) return given.some((word) => /^[-+]|=/.test(word));
  if (INTERPRETER.test(name)) {
    const first = words.slice(1).find((word) => !(isNamed(word) && word.startsWith("-")));
    return first === undefined ? words.length === 1 : /^[-+]/.test(first);
  }
  const options = [name, ...words.slice(1).map((word) => `${name} ${word}`)]
    .flatMap((key) => RISKY.get(key) ?? [])
    .filter((option) => !known.some((word) => isOption(word, option)));
  if (options.some((option) => hasOption(words, name, option))) return true;
  const isMeant = (text: string) => ` ${unquoted(named)} `.includes(` ${unquoted(text)} `);
  if (/^g?sed$/.test(name)) return !isHarmlessSed(words.slice(1), isMeant);
  return (
    /^[gmn]?awk$/.test(name) && RISKY_AWK.test(given.filter((word) => !isMeant(word)).join(" "))
  );
}

/** One program of those that are harmless, then files; no other option than those for output. */
function isHarmlessSed(words: readonly string[], isMeant: (text: string) => boolean): boolean {
  const rest = words.filter((word) => !/^-[nErsuz]+$/.test(word) && !isMeant(word));
  const [program = "", ...files] = rest;
  const isProgram = rest.length < words.filter((word) => !word.startsWith("-")).length;
  const all = isProgram ? rest : files;
  return (isProgram || HARMLESS_SED.test(program)) && all.every((word) => !word.startsWith("-"));
}

function nameOf([first = ""]: readonly string[]): string {
  return programName(first);
}

function unquoted(text: string): string {
  return text.replace(/["']/g, "");
}

function hasOption(words: readonly string[], name: string, option: string): boolean {
  return words.slice(1).some((written, i) => {
    // The first word of tar is options also without a dash.
    const isBundle = i === 0 && name.endsWith("tar") && /^[A-Za-z]/.test(written);
    return isOption(isBundle ? `-${written}` : written, option);
  });
}

/** Long options may be shortened, short ones may be joined, or be followed by their value. */
function isOption(word: string, option: string): boolean {
  if (word === option) return true;
  if (!option.startsWith("-")) return /[^a-z-]/.test(option) && word.includes(option);
  if (option.startsWith("--")) {
    const name = word.split("=", 1)[0] ?? "";
    return name.length > 2 && option.startsWith(name);
  }
  if (option.length > 2) return word.startsWith(`${option}=`);
  const letters = /^-([A-Za-z\d]+)/.exec(word)?.[1] ?? "";
  return /^-[^-]/.test(word) && (letters + word.slice(1, 8)).includes(option.charAt(1));
}

/** A command as rules see it. */
export interface Command {
  /** The program and its arguments; undefined for a line that only a shell understands. */
  readonly words?: readonly string[];
  /** As it was given. */
  readonly source: string;
  /** What a denial looks at: the command, and whatever its text may start besides. */
  readonly starts: readonly (readonly string[])[];
  /** More may be started than can be seen. */
  readonly unseen: boolean;
}

/** Longer lines are not compared. */
const MAX_LENGTH = 10_000;
/** Launchers have fewer words than this before the command they start. */
const MAX_STARTS = 64;
const MAX_DEPTH = 3;
const ASSIGNMENT = /^\w+\+?=/;
const SHELL_SIGNS = /[^\w@%+=:,./-]/;
const NO_WORD: ReadonlySet<string> = new Set(["", "$", "!"]);
const REDIRECTION = /\d*[<>]+[&|]?[ \t]*[^\s;&|<>()]+/g;
const BLANKS = /[\s\u0085\u200b-\u200d\u2060\ufeff]+/;

/** A command line. Nothing but plain words is understood; everything else has to be asked about. */
export function lineCommand(line: string, known: ReadonlySet<string> = new Set()): Command {
  const source = line.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
  const words = plainWords(source);
  if (words !== undefined) return { ...listCommand(words, known), source };
  return { source, starts: [...roughStarts(source)], unseen: true };
}

/** A program that is started without a shell: every word is what it says. */
export function listCommand(
  words: readonly string[],
  known: ReadonlySet<string> = new Set(),
): Command {
  const name = programName(words[0] ?? "");
  const starts = [words, ...(isStarter(words) ? startsWithin(words, 0) : [])];
  const unseen = known.has(name) ? isRisky(words, name) : mayStartOthers(words);
  return { words, source: plainText(words), starts, unseen };
}

export type SplitCommand =
  | { readonly ok: true; readonly argv: readonly string[] }
  | Failure<"command-unclear">;

/** What a shell would act on outside quotes. */
const UNQUOTED_SIGNS = /[|&;<>()$`*?[\]{}~#!^\n\r]/;
/** What it would act on inside double quotes. History expansion leaves `!=` and `! ` alone. */
const QUOTED_SIGNS = /^(?:[$`\r]|!(?![ \t\n=]))/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/**
 * The words of a command line that is one program with its arguments. There is no shell: whatever needs
 * one is refused, and what is accepted means the same in every shell.
 */
export function splitCommand(line: string): SplitCommand {
  if (line.length > MAX_LENGTH) return unclearCommand("it is too long");
  if (CONTROLS.test(line)) return unclearCommand("it has control characters");
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    const next = line.charAt(i + 1);
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "'") word += char;
    else if (quote === '"' && char === "\\" && /["\\$`\n]/.test(next)) {
      // A shell joins the two lines.
      if (next !== "\n") word += next;
      i++;
    } else if (quote === '"') {
      if (QUOTED_SIGNS.test(char + next)) return shellOnly(char, "inside double quotes");
      word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\") {
      if (next === "" || next === "\n") return unclearCommand("it ends in a backslash");
      word = (word ?? "") + next;
      i++;
    } else if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (UNQUOTED_SIGNS.test(char)) return shellOnly(char, "outside quotes");
    else word = (word ?? "") + char;
  }
  if (quote !== "") return unclearCommand("a quote is not closed");
  if (word !== undefined) words.push(word);
  const [program] = words;
  if (program === undefined || program === "") return unclearCommand("it names no program");
  if (/^\w+=/.test(program)) return unclearCommand("it begins with a variable");
  return { ok: true, argv: words };
}

function shellOnly(char: string, where: string): Failure<"command-unclear"> {
  return unclearCommand(`it has ${JSON.stringify(char)} ${where}, which only a shell understands`);
}

function unclearCommand(reason: string): Failure<"command-unclear"> {
  return {
    ok: false,
    code: "command-unclear",
    message: `the command line cannot be run: ${reason}`,
    hint: 'There is no shell. Give one program with its arguments, best as a list in "argv". For pipes, &&, redirections, globs, variables or heredocs, give "argv": ["bash", "-c", "…"].',
  };
}

/** Words that mean the same in every shell; undefined where anything is left to a shell. */
function plainWords(line: string): readonly string[] | undefined {
  if (hasHiddenCharacters(line.replaceAll(/[\t\n]/g, " "))) return undefined;
  const split = splitCommand(line);
  // Shells of other kinds read `=x` and other blanks in their own way.
  return split.ok && !/(?:^|[ \t])=|[^\S \t\n]/.test(line) ? split.argv : undefined;
}

/** Whether the specifier of a rule covers a command, and nothing more can happen than it says. */
export function permitCommand(specifier: string | undefined, { words, source }: Command): Match {
  const pattern = commandPattern(specifier);
  if (pattern === undefined) return "yes";
  if (words === undefined || words.length === 0 || source.length > MAX_LENGTH) return "unclear";
  const text = plainText(words);
  if (pattern.exact && (pattern.text === text || pattern.text === source)) return "yes";
  const isQuoted = /["'\\$]/.test(pattern.text);
  const covers = matchPattern(pattern, text) || (isQuoted && matchPattern(pattern, source));
  if (!covers) return "no";
  return isRisky(words, pattern.text) ? "unclear" : "yes";
}

/** Whether a rule that denies or asks catches any command that a command line may start. */
export function restrictCommand(
  specifier: string | undefined,
  { source, starts, unseen }: Command,
): Match {
  const pattern = commandPattern(specifier);
  if (pattern === undefined || matchPattern(pattern, source)) return "yes";
  if (starts.some((words) => startMatches(pattern, words))) return "yes";
  return unseen ? "unclear" : "no";
}

function startMatches(pattern: CommandPattern, [written = "", ...others]: readonly string[]) {
  const end = pattern.text.search(/\s|$/);
  const program = pattern.text.slice(0, end);
  const text = others.join(" ");
  if (program.includes("*")) {
    return [programName(written), written].some((name) =>
      matchPattern(pattern, text === "" ? name : `${name} ${text}`),
    );
  }
  if (programName(program) !== programName(written)) return false;
  const rest = pattern.text.slice(end).trim();
  if (rest === "") return pattern.prefix || text === "";
  return matchPattern({ ...pattern, text: rest }, text);
}

/** Every word may be the program that is started, and a word with signs a command line. */
function* startsWithin(words: readonly string[], depth: number): Iterable<readonly string[]> {
  for (let i = 1; i < Math.min(words.length, MAX_STARTS); i++) {
    const rest = words.slice(i, i + MAX_STARTS);
    yield rest;
    const value = /=(.+)$/.exec(rest[0] ?? "")?.[1];
    if (value !== undefined) yield [value, ...rest.slice(1)];
  }
  if (depth >= MAX_DEPTH) return;
  for (const word of words.slice(1)) {
    if (SHELL_SIGNS.test(word)) yield* roughStarts(word, depth + 1);
  }
}

/** Cuts a text at every sign that may separate commands, and takes quotes and redirections off. */
function* roughStarts(text: string, depth = 0): Iterable<readonly string[]> {
  const joined = text.replaceAll("\\\n", "").replace(/["'\\]/g, "");
  const pieces = `${joined}\n${joined.replace(REDIRECTION, " ")}`.split(/[;&|()`\n\r<>{}]+/);
  for (const piece of new Set(pieces)) {
    const words = piece.split(BLANKS).filter((word) => !NO_WORD.has(word));
    const start = words.findIndex((word) => !ASSIGNMENT.test(word));
    const [first = "", ...others] = start === -1 ? [] : words.slice(start);
    if (first === "") continue;
    const command = [first.replace(/^-[\w-]*=/, ""), ...others];
    yield command;
    if (isStarter(command)) yield* startsWithin(command, Math.max(depth, MAX_DEPTH));
  }
}

/** The specifier of a rule for commands, such as `git:*`. */
interface CommandPattern {
  /** Without the wildcard at its end. */
  readonly text: string;
  /** Ends in ` *` or `:*`: more words may follow. */
  readonly prefix: boolean;
  /** Has no wildcard at all. */
  readonly exact: boolean;
}

/** How skills write the folder they are in. */
const SKILL_FOLDER = /(?:\$\{?(?:CLAUDE_)?(?:SKILL_(?:DIR|ROOT)|PLUGIN_ROOT)\}?|\{baseDir\})\//g;
const PLAIN = /^[\w@%+=:,./~^{}#?*[\]!-]+$/;

/** Undefined when the specifier covers every command. */
function commandPattern(specifier: string | undefined): CommandPattern | undefined {
  const whole = (specifier ?? "*").trim().replace(SKILL_FOLDER, "");
  const prefix = /(?: |:)\*$/.test(whole);
  const text = prefix ? whole.slice(0, -2).trimEnd() : whole;
  if (text === "" || /^\*+$/.test(text)) return undefined;
  return { text, prefix, exact: !prefix && !text.includes("*") };
}

/** The programs that rules name, each as the first word of a pattern. */
export function namedPrograms(specifiers: readonly (string | undefined)[]): ReadonlySet<string> {
  const first = specifiers.flatMap((text) => commandPattern(text)?.text.split(/\s/, 1) ?? []);
  return new Set(first.filter((name) => !name.includes("*")).map(programName));
}

function matchPattern({ text, prefix }: CommandPattern, command: string): boolean {
  if (!prefix) return matchWildcard(text, command);
  return matchWildcard(text, command) || matchWildcard(`${text} *`, command);
}

/**
 * A command in one spelling: single blanks, and quotes only where they are needed. A word with a
 * blank in it never looks like two.
 */
function plainText(words: readonly string[]): string {
  return words
    .map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}
