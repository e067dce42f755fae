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
const SHELL_SIGNS = /[\s;&|$`(]/;

export function reachableCommands(text: string, parsed: ParsedCommand): ReachableCommands {
  const isUnclear = parsed.unclear.length > 0;
  const followed = parsed.commands.map((command) => follow(command, 0));
  // Where the reader is not sure, whatever may be a command counts as one.
  const rough = isUnclear
    ? roughCommands(text).map((command) => follow(command, MAX_TEXT_DEPTH))
    : [];
  return {
    commands: [...followed, ...rough].flatMap(({ commands }) => commands),
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
  const texts = depth >= MAX_TEXT_DEPTH ? [] : textsOf(command);
  const behind = texts.map((inner) => follow(inner, depth + 1));
  return {
    commands: [itself, ...behind.flatMap(({ commands }) => commands)],
    unseen:
      unseen ||
      isCut ||
      unwrapCommand(command).unclear.length > 0 ||
      behind.some((one) => one.unseen),
  };
}

/** Arguments of a wrapper that a shell may read. */
function textsOf({ words, redirections }: SimpleCommand): readonly SimpleCommand[] {
  const documents = redirections.filter(({ operator }) => operator.startsWith("<<"));
  return [...words.slice(1), ...documents.map(({ target }) => target)]
    .map(({ value }) => value.replace(/^[\w-]+=/, ""))
    .filter((value) => SHELL_SIGNS.test(value))
    .flatMap((value) => parseCommand(value).commands);
}

/** Cuts at every sign that may separate commands, and takes quotes off. */
function roughCommands(text: string): SimpleCommand[] {
  return text
    .replace(/\\\n|["'\\]/g, "")
    .split(/[;&|()`\n\r<>{}]+/)
    .map((piece) => piece.split(BLANKS).filter((word) => word !== ""))
    .map((words) => words.slice(words.findIndex((word) => !ASSIGNMENT.test(word))))
    .filter((words) => words.length > 0)
    .map(literalCommand);
}
