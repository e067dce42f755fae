import type { CallInput } from "./policy-call.ts";
import { parseCommand } from "./command/parse-command.ts";
import { type ReachableCommands, reachableCommands } from "./command/reachable-commands.ts";
import {
  literalCommand,
  literalWord,
  type ParsedCommand,
  type SimpleCommand,
} from "./command/simple-command.ts";
import { programName } from "./command/wrappers.ts";
import { isInside, resolvePath } from "./patterns.ts";
import type { PolicyPlaces } from "./policy-request.ts";

export interface CommandCall {
  readonly text: string;
  /** Longer than a system takes; it is not read at all. */
  readonly tooLong: boolean;
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

/** What Linux takes as one argument. */
const MAX_LENGTH = 131_072;
const NO_COMMAND: CommandCall = {
  text: "",
  tooLong: false,
  parsed: { commands: [], unclear: [] },
  reachable: { commands: [], unseen: true },
  unclear: [],
};
const COMMAND_NAMES = ["command", "commandline", "cmd", "argv"];
const ARGUMENT_NAMES = ["args", "arguments"];
const FOLDER_NAMES = ["cwd", "workdir", "workingdirectory", "directory", "dir", "folder"];
const ENVIRONMENT_NAMES = ["env", "environment", "environmentvariables", "shell"];
const FEED_NAMES = ["stdin", "input"];
const SCRIPT_NAMES = ["script", "scriptname", "scriptpath", "scriptfile", "path", "file"];
const INTERPRETERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.py$/i, ["python3", "python"]],
  [/\.sh$/i, ["bash", "sh"]],
  [/\.[cm]?js$/i, ["node"]],
  [/\.ts$/i, ["node"]],
  [/\.rb$/i, ["ruby"]],
  [/\.pl$/i, ["perl"]],
];

export function commandCall(input: CallInput, places: PolicyPlaces): CommandCall {
  const given = input.values(COMMAND_NAMES);
  const words = input.texts(ARGUMENT_NAMES);
  const length = [...input.texts(COMMAND_NAMES), ...words].join(" ").length;
  const tooLong = length > MAX_LENGTH;
  if (tooLong) return { ...NO_COMMAND, tooLong };
  const [command] = given;
  const texts = Array.isArray(command) ? command.filter((word) => typeof word === "string") : [];
  // Of several commands it is not known which one runs: all of them can be denied, none allowed.
  const isText = typeof command === "string" || given.length > 1;
  const text = isText ? input.texts(COMMAND_NAMES).join("\n") : texts.join(" ");
  const parsed = fed(
    withArguments(isText ? parseCommand(text) : listedCommand(texts), words),
    input,
  );
  const isReadable =
    typeof command === "string" || (Array.isArray(command) && texts.length === command.length);
  const isMissing = given.length !== 1 || !isReadable || parsed.commands.length === 0;
  return {
    text: [text, ...words].join(" "),
    tooLong,
    parsed,
    reachable: reachableCommands(text, parsed),
    unclear: [
      ...parsed.unclear,
      ...(isMissing ? ["there is not one command"] : []),
      ...surroundings(input, parsed, places),
    ],
  };
}

function listedCommand(words: readonly string[]): ParsedCommand {
  return { commands: words.length === 0 ? [] : [literalCommand(words)], unclear: [] };
}

/** What a command is given besides its words can change what it does. */
function surroundings(
  input: CallInput,
  { commands }: ParsedCommand,
  places: PolicyPlaces,
): readonly string[] {
  const folders = input.texts(FOLDER_NAMES).map((folder) => resolvePath(folder, places));
  const isElsewhere = folders.some(
    ({ path, unclear }) => unclear || !isInside(path, places.workingDirectory),
  );
  const isMoved =
    folders.length > 0 && commands.some(({ redirections }) => redirections.length > 0);
  return [
    ...(isElsewhere || isMoved ? ["it runs in another folder"] : []),
    ...(input.values(ENVIRONMENT_NAMES).length > 0 ? ["it gets its own environment"] : []),
  ];
}

function fed(parsed: ParsedCommand, input: CallInput): ParsedCommand {
  if (input.values(FEED_NAMES).length === 0) return parsed;
  return { ...parsed, commands: parsed.commands.map((command) => ({ ...command, piped: true })) };
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
