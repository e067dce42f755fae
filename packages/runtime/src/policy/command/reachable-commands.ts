import { parseCommand } from "./parse-command.ts";
import { startsUnseen } from "./risky-options.ts";
import { literalCommand, type ParsedCommand, type SimpleCommand } from "./simple-command.ts";
import { unwrapCommand } from "./unwrap-command.ts";
import { programName, SHELLS, WRAPPERS } from "./wrappers.ts";

/** What a denial looks at: every command that may be started, however unlikely. */
export interface ReachableCommands {
  readonly commands: readonly SimpleCommand[];
  /** More may be started than can be seen. */
  readonly unseen: boolean;
}

/** Wrappers have fewer words than this before the command they start. */
const MAX_SUFFIXES = 64;
const MAX_TEXT_DEPTH = 6;
const BLANKS = /[\s\u0085\u200b-\u200d\u2060\ufeff]+/;
const ASSIGNMENT = /^\w+=/;
const SHELL_SIGNS = /[\s;&|$`(]/;

export function reachableCommands(text: string, parsed: ParsedCommand): ReachableCommands {
  const found: SimpleCommand[] = [];
  let unseen = parsed.unclear.length > 0;
  for (const command of parsed.commands) {
    const rest = follow(command, 0);
    for (const one of rest.commands) found.push(one);
    unseen ||= rest.unseen;
  }
  // Where the reader is not sure, whatever may be a command counts as one.
  for (const command of parsed.unclear.length > 0 ? roughCommands(text) : []) {
    for (const one of follow(command, MAX_TEXT_DEPTH).commands) found.push(one);
  }
  return { commands: found, unseen };
}

function follow(command: SimpleCommand, depth: number): ReachableCommands {
  const first = command.words[0];
  const commands: SimpleCommand[] = [command];
  if (first === undefined) return { commands, unseen: false };
  const name = programName(first.value);
  let unseen = first.dynamic || first.glob || startsUnseen(command);
  if (!WRAPPERS.has(name) && !SHELLS.has(name) && name !== "eval") return { commands, unseen };
  unseen ||= depth >= MAX_TEXT_DEPTH || command.words.length > MAX_SUFFIXES;
  unseen ||= unwrapCommand(command).unclear.length > 0;
  for (let i = 1; i < command.words.length && i < MAX_SUFFIXES; i++) {
    commands.push({ ...command, words: command.words.slice(i) });
  }
  for (const inner of textsOf(command, depth)) {
    const rest = follow(inner, depth + 1);
    for (const one of rest.commands) commands.push(one);
    unseen ||= rest.unseen;
  }
  return { commands, unseen };
}

/** Arguments of a wrapper that a shell may read. */
function textsOf({ words, redirections }: SimpleCommand, depth: number): readonly SimpleCommand[] {
  if (depth >= MAX_TEXT_DEPTH) return [];
  const documents = redirections.filter(({ operator }) => operator.startsWith("<<"));
  const texts = [...words.slice(1), ...documents.map(({ target }) => target)];
  return texts
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
    .map((words) => literalCommand(words.slice(words.findIndex((word) => !ASSIGNMENT.test(word)))))
    .filter(({ words }) => words.length > 0);
}
