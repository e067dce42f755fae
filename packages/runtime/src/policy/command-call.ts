import type { CallInput } from "./call-input.ts";
import { parseCommand } from "./command/parse-command.ts";
import { type ReachableCommands, reachableCommands } from "./command/reachable-commands.ts";
import {
  literalCommand,
  literalWord,
  type ParsedCommand,
  type SimpleCommand,
} from "./command/simple-command.ts";
import { programName } from "./command/wrappers.ts";

export interface CommandCall {
  readonly text: string;
  readonly parsed: ParsedCommand;
  /** What a denial looks at. */
  readonly reachable: ReachableCommands;
  readonly unclear: readonly string[];
}

export interface ScriptCall {
  /** Below the skill: `scripts/x.py`. */
  readonly path: string;
  /** The ways to write the command line that runs it. */
  readonly commands: readonly SimpleCommand[];
  readonly unclear: readonly string[];
}

const COMMAND_NAMES = ["command", "commandline", "cmd", "argv"];
const ARGUMENT_NAMES = ["args", "arguments"];
const SCRIPT_NAMES = ["script", "scriptname", "scriptpath", "scriptfile", "path", "file"];
const INTERPRETERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.py$/i, ["python3", "python"]],
  [/\.sh$/i, ["bash", "sh"]],
  [/\.[cm]?js$/i, ["node"]],
  [/\.ts$/i, ["node"]],
  [/\.rb$/i, ["ruby"]],
  [/\.pl$/i, ["perl"]],
];

export function commandCall(input: CallInput): CommandCall {
  const command = input.value(COMMAND_NAMES);
  const words = input.texts(ARGUMENT_NAMES);
  if (Array.isArray(command)) return argumentsCall([...command, ...words]);
  const text = typeof command === "string" ? command : "";
  const parsed = withArguments(parseCommand(text), words);
  const isMissing = parsed.commands.length === 0;
  return {
    text: [text, ...words].join(" "),
    parsed,
    reachable: reachableCommands(text, parsed),
    unclear: isMissing ? [...parsed.unclear, "no command is given"] : parsed.unclear,
  };
}

function argumentsCall(words: readonly unknown[]): CommandCall {
  const texts = words.filter((word) => typeof word === "string");
  const parsed: ParsedCommand = { commands: [literalCommand(texts)], unclear: [] };
  const text = texts.join(" ");
  const isReadable = texts.length === words.length && texts.length > 0;
  return {
    text,
    parsed,
    reachable: reachableCommands(text, parsed),
    unclear: isReadable ? [] : ["the command is not a list of words"],
  };
}

/** Arguments beside a command line belong to its one command. */
function withArguments(parsed: ParsedCommand, words: readonly string[]): ParsedCommand {
  const [only, ...others] = parsed.commands;
  if (words.length === 0 || only === undefined) return parsed;
  const commands = [{ ...only, words: [...only.words, ...words.map(literalWord)] }, ...others];
  const unclear = others.length === 0 ? [] : ["arguments of several commands"];
  return { commands, unclear: [...parsed.unclear, ...unclear] };
}

export function scriptCall(input: CallInput, commandLine: readonly string[] = []): ScriptCall {
  const script = input.texts(SCRIPT_NAMES);
  const words = input.texts(ARGUMENT_NAMES);
  const path = scriptPath(script[0] ?? "");
  const known = INTERPRETERS.find(([ending]) => ending.test(path))?.[1] ?? [];
  const actual = programName(commandLine[0] ?? "");
  const interpreters = actual === "" || known.includes(actual) ? known : [actual];
  const starts = [[path], [`./${path}`], ...interpreters.map((program) => [program, path])];
  const lines = starts.map((start) => [...start, ...words]);
  const isSafe =
    script.length === 1 &&
    /^scripts\/[^/\\]/.test(path) &&
    !/(?:^|\/)\.\.?(?:\/|$)|[\\~]/.test(path);
  return {
    path,
    commands: [...lines, commandLine].filter((line) => line.length > 0).map(literalCommand),
    unclear: isSafe ? [] : ["the script is not a path below `scripts/`"],
  };
}

function scriptPath(script: string): string {
  const plain = script.replace(/^\.\//, "");
  return plain.startsWith("scripts/") || plain.startsWith("/") ? plain : `scripts/${plain}`;
}
