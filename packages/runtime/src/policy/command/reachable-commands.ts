import { parseCommand } from "./parse-command.ts";
import { startsUnseen } from "./risky-options.ts";
import { literalCommand, type ParsedCommand, type SimpleCommand } from "./simple-command.ts";
import { unwrapCommand } from "./unwrap-command.ts";
import { programName, SHELLS, WRAPPERS } from "./wrappers.ts";

/** What a denial looks at: every command that may be started, however unlikely. */
export interface ReachableCommands {
  readonly commands: readonly ReachableCommand[];
  /** More may be started than can be seen. */
  readonly unseen: boolean;
}

export interface ReachableCommand {
  readonly command: SimpleCommand;
  /** The programs that it may start, itself first: each word of a wrapper may be one. */
  readonly starts: readonly ProgramStart[];
  /** Has parts that are not known before. */
  readonly open: boolean;
}

export interface ProgramStart {
  /** Without its folder. */
  readonly program: string;
  /** As it is written. */
  readonly written: string;
  /** Its arguments. */
  readonly rest: string;
}

/** Wrappers have fewer words than this before the command they start. */
const MAX_STARTS = 64;
const MAX_TEXT_DEPTH = 6;
const BLANKS = /[\s\u0085\u200b-\u200d\u2060\ufeff]+/;
const ASSIGNMENT = /^\w+=/;
/** These make one text of all their arguments. */
const JOINERS: ReadonlySet<string> = new Set(["eval", "watch"]);
const SHELL_SIGNS = /[^\w@%+=:,./-]/;

export function reachableCommands(text: string, parsed: ParsedCommand): ReachableCommands {
  const isUnclear = parsed.unclear.length > 0;
  const followed = parsed.commands.map((command) => follow(command, 0));
  const rough = isUnclear ? roughCommands(text) : [];
  const all = [...followed, ...rough.map((command) => follow(command, MAX_TEXT_DEPTH))];
  return {
    commands: all.flatMap(({ commands }) => commands),
    unseen: isUnclear || followed.some(({ unseen }) => unseen),
  };
}

/** One command as a denial sees it, without what it starts in turn. */
export function reachableCommand(command: SimpleCommand, maxStarts = 1): ReachableCommand {
  const values = command.words.map(({ value }) => value);
  const text = values.join(" ");
  const starts: ProgramStart[] = [];
  let at = 0;
  for (const written of values.slice(0, maxStarts)) {
    at += written.length + 1;
    // A slice shares the text, so that many starts cost no more than one.
    starts.push({ program: programName(written), written, rest: text.slice(at) });
  }
  return { command, starts, open: command.words.some(({ dynamic, glob }) => dynamic || glob) };
}

function follow(command: SimpleCommand, depth: number): ReachableCommands {
  const first = command.words[0];
  const name = programName(first?.value ?? "");
  const isWrapper = WRAPPERS.has(name) || SHELLS.has(name) || name === "eval";
  const itself = reachableCommand(command, isWrapper ? MAX_STARTS : 1);
  const isOpen = first !== undefined && (first.dynamic || first.glob);
  const unseen = isOpen || startsUnseen(command);
  if (!isWrapper) return { commands: [itself], unseen };
  const isCut = depth >= MAX_TEXT_DEPTH || command.words.length > MAX_STARTS;
  const { inner, unclear } = unwrapCommand(command);
  const texts = textsOf(command, name);
  const behind = depth >= MAX_TEXT_DEPTH ? [] : texts.map((text) => followText(text, depth + 1));
  // What a reader of options finds may differ from the words that stand there: both count.
  const found = inner.map((one) => reachableCommand(one));
  return {
    commands: [itself, ...found, ...behind.flatMap(({ commands }) => commands)],
    unseen: unseen || isCut || unclear.length > 0 || behind.some((one) => one.unseen),
  };
}

/** Arguments of a wrapper that a shell may read, one by one or as one text. */
function textsOf({ words, redirections }: SimpleCommand, name: string): readonly string[] {
  const isNamed = name === "alias";
  const documents = redirections.filter(({ operator }) => operator.startsWith("<<"));
  const values = words.slice(1).map(({ value }) => value);
  const texts = JOINERS.has(name) ? [values.join(" ")] : values;
  return [...texts, ...documents.map(({ target }) => target.value)]
    .map((value) => (isNamed || value.startsWith("-") ? value.replace(/^[\w-]+=/, "") : value))
    .filter((value) => SHELL_SIGNS.test(value));
}

function followText(text: string, depth: number): ReachableCommands {
  const parsed = parseCommand(text);
  const followed = parsed.commands.map((command) => follow(command, depth));
  const isUnclear = parsed.unclear.length > 0;
  // Where the reader is not sure, whatever may be a command counts as one.
  const rough = isUnclear
    ? roughCommands(text).map((command) => follow(command, MAX_TEXT_DEPTH))
    : [];
  return {
    commands: [...followed, ...rough].flatMap(({ commands }) => commands),
    // A single word is hardly a command: `find . \( -name a \)`.
    unseen: (isUnclear && /\s/.test(text)) || followed.some(({ unseen }) => unseen),
  };
}

/**
 * Reads each line for itself, as what looks like a text may be none. Then cuts at every sign that
 * may separate commands, and takes quotes off.
 */
function roughCommands(text: string): readonly SimpleCommand[] {
  const joined = text.replaceAll("\\\n", "");
  const lines = joined.split(/[\n\r]/);
  const pieces = joined
    .replace(/["'\\]/g, "")
    .split(/[;&|()`\n\r<>{}]+/)
    .map((piece) => piece.split(BLANKS).filter((word) => word !== ""))
    .map((words) => words.slice(words.findIndex((word) => !ASSIGNMENT.test(word))))
    .filter((words) => words.length > 0)
    .map(literalCommand);
  return [
    ...(lines.length > 1 ? lines.flatMap((line) => parseCommand(line).commands) : []),
    ...pieces,
  ];
}
