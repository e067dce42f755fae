import { splitCommand } from "../workspace/command/run-command.ts";
import { hasHiddenCharacters } from "../hidden-characters.ts";
import { type Match, matchWildcard } from "./patterns.ts";
import { isRisky, isStarter, mayStartOthers, programName } from "./programs.ts";

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
