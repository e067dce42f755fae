import type { Argument, Command, Option } from "commander";
import { type Candidate, FILES, FOLDERS } from "./candidate.ts";
import {
  findOption,
  splitFlag,
  takesValue,
  type TypedCommand,
  typedCommand,
  visibleOptions,
} from "./typed-command.ts";

/** Names that only the project knows; asked for when they are needed. */
export interface KnownNames {
  skills(typed: TypedCommand): Promise<readonly Candidate[]>;
  runs(typed: TypedCommand): Promise<readonly Candidate[]>;
}

/** How a command line could go on; the last word is the one at the cursor. */
export async function findCandidates(
  program: Command,
  words: readonly string[],
  names: KnownNames,
): Promise<Candidate[]> {
  const cursor = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const isHelp = before[0] === "help";
  const typed = typedCommand(program, isHelp ? before.slice(1) : before);
  const found = isHelp ? commandsBelow(typed.command) : await candidatesAt(cursor, typed, names);
  return found.filter((one) => isPlace(one) || one.value.startsWith(cursor));
}

/** The shell knows what is there. */
function isPlace(candidate: Candidate): boolean {
  return candidate === FILES || candidate === FOLDERS;
}

async function candidatesAt(
  cursor: string,
  typed: TypedCommand,
  names: KnownNames,
): Promise<readonly Candidate[]> {
  const { command, pending, isPlain, positionals } = typed;
  if (pending !== undefined) return optionValues(pending, typed, names);
  if (cursor.startsWith("-") && !isPlain) return flagsAt(cursor, typed, names);
  const below = positionals.length === 0 && !isPlain ? commandsBelow(command) : [];
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument =
    registeredArguments[positionals.length] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined
    ? below
    : [...below, ...(await argumentValues(argument, typed, names))];
}

async function flagsAt(
  cursor: string,
  typed: TypedCommand,
  names: KnownNames,
): Promise<readonly Candidate[]> {
  const [flag, value] = splitFlag(cursor);
  const option = findOption(typed.command, flag);
  if (value === undefined || option === undefined) {
    return visibleOptions(typed.command).flatMap(({ long, short, description }) => {
      const name = long ?? short;
      return name === undefined ? [] : [{ value: name, description }];
    });
  }
  if (!takesValue(option)) return [];
  const values = await optionValues(option, typed, names);
  return values.map((one) => (isPlace(one) ? one : { ...one, value: `${flag}=${one.value}` }));
}

function commandsBelow(command: Command): Candidate[] {
  const helper = command.createHelp();
  return helper.visibleCommands(command).map((one) => ({
    value: one.name(),
    description: helper.subcommandDescription(one),
  }));
}

/** Of options that check their values themselves. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  "--sandbox": ["auto", "bubblewrap", "sandbox-runtime", "none"],
  "--yes": ["run_script"],
};

async function optionValues(
  option: Option,
  typed: TypedCommand,
  names: KnownNames,
): Promise<readonly Candidate[]> {
  const long = option.long ?? "";
  const values = option.argChoices ?? (Object.hasOwn(KNOWN_VALUES, long) ? KNOWN_VALUES[long] : []);
  if (values !== undefined && values.length > 0) return values.map((value) => ({ value }));
  // The skills of `install --skill` are those of its source.
  if (long === "--skill" && typed.command.name() !== "install") return names.skills(typed);
  const [, placeholder = ""] = /[<[](\w+)/.exec(option.flags) ?? [];
  return placesFor(placeholder);
}

async function argumentValues(
  argument: Argument,
  typed: TypedCommand,
  names: KnownNames,
): Promise<readonly Candidate[]> {
  if (argument.argChoices !== undefined) return argument.argChoices.map((value) => ({ value }));
  const name = argument.name();
  const isNewName = typed.command.name() === "new";
  if (["name", "names", "skill"].includes(name) && !isNewName) return names.skills(typed);
  if (name === "run") return names.runs(typed);
  if (name === "what") return [...(await names.skills(typed)), FILES];
  return placesFor(name);
}

/** How the help calls what is a place; `version` may be a commit too. */
const FOLDER_WORDS = new Set(["dir", "folder"]);
const FILE_WORDS = new Set("file path paths source pack key results before now version".split(" "));

function placesFor(placeholder: string): Candidate[] {
  if (FOLDER_WORDS.has(placeholder)) return [FOLDERS];
  return FILE_WORDS.has(placeholder) ? [FILES] : [];
}
