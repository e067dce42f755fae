import { type Failure, isVisibleToModel, type SkillRecord } from "@skillwright/core";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isBelow } from "../../execution/control-files.ts";
import { reachableCommands } from "../../policy/command/reachable-commands.ts";
import { literalCommand } from "../../policy/command/simple-command.ts";
import { programName } from "../../policy/command/wrappers.ts";
import { quotePath } from "../confinement/quote-path.ts";
import type { CommandScript } from "./command-runner.ts";

interface ScriptInterpreter {
  readonly programs: RegExp;
  readonly endings: readonly string[];
  /** Options that scripts are given anyway, so that leaving them out changes nothing. */
  readonly implied: readonly string[];
}

const INTERPRETERS: readonly ScriptInterpreter[] = [
  {
    programs: /^python(?:3(?:\.\d+)?)?$/,
    endings: [".py"],
    implied: ["-E", "-s", "-B", "-u"],
  },
  {
    programs: /^(?:bash|sh|dash)$/,
    endings: [".sh", ".bash"],
    implied: ["--norc", "--noprofile"],
  },
  {
    programs: /^(?:node|nodejs)$/,
    endings: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"],
    implied: [],
  },
  { programs: /^ruby$/, endings: [".rb"], implied: [] },
  { programs: /^perl$/, endings: [".pl"], implied: [] },
];

/**
 * Where in a command the script stands that an interpreter would run; undefined when the program is
 * no interpreter, or has options that would be lost.
 */
function scriptPosition(program: string, words: readonly string[]): number | undefined {
  const interpreter = INTERPRETERS.find(({ programs }) => programs.test(program));
  if (interpreter === undefined) return undefined;
  const position = words.findIndex((word, i) => i > 0 && !interpreter.implied.includes(word));
  return position === -1 || words[position]?.startsWith("-") === true ? undefined : position;
}

/** Whether scripts with this ending are run by this program. */
function isInterpreterOf(program: string, script: string): boolean {
  const ending = extname(script).toLowerCase();
  return INTERPRETERS.some(
    ({ programs, endings }) => programs.test(program) && endings.includes(ending),
  );
}

/** Where scripts of a skill lie, by its real path. */
interface SkillScriptFolder {
  readonly skill: SkillRecord;
  /** The folder `scripts`, which is no link. */
  readonly path: string;
  /** The same as it is named, when a link stands between. */
  readonly named: string;
  /** Whether a model may run what is in it. */
  readonly isRunnable: boolean;
}

/** Of all skills, also those that are not trusted, switched off, or come second. */
export function skillScriptFolders(skills: readonly SkillRecord[]): readonly SkillScriptFolder[] {
  return skills.flatMap((skill) =>
    // The same skill in other folders: its scripts run from the first one.
    [skill.path, ...skill.alsoAt].flatMap((folder) => {
      const path = realScripts(folder);
      if (path === undefined) return [];
      const isRunnable = isVisibleToModel(skill) && skill.shadowedBy === undefined;
      return [{ skill, path, named: join(folder, "scripts"), isRunnable }];
    }),
  );
}

/** A folder that is a link makes the whole skill one that is not run. */
function realScripts(folder: string): string | undefined {
  // Skills defined in code have no folder.
  if (!isAbsolute(folder)) return undefined;
  try {
    const path = join(realpathSync.native(folder), "scripts");
    return lstatSync(path).isDirectory() ? path : undefined;
  } catch {
    return undefined;
  }
}

interface ScriptPlace extends SkillScriptFolder {
  /** Where the word really leads. */
  readonly file: string;
}

const ASSIGNMENT = /^\w+=/;

/**
 * The script of a skill that a command runs: by its path, through `env`, through its interpreter, and
 * behind links. A command that names something in a `scripts` folder in any other way is a failure;
 * what does not name it is an ordinary command, which the sandbox keeps from seeing the folder.
 */
export function findSkillScript(
  argv: readonly string[],
  cwd: string,
  folders: readonly SkillScriptFolder[],
): CommandScript | Failure<"script-in-command"> | undefined {
  if (folders.length === 0) return undefined;
  const words = withoutEnv(argv);
  const [first = ""] = words;
  const program = programName(first);
  const direct = first.includes("/") ? placeOf(first, cwd, folders) : undefined;
  if (direct !== undefined) return scriptAt(direct, words.slice(1));
  const position = scriptPosition(program, words);
  const named = position === undefined ? undefined : placeOf(words[position] ?? "", cwd, folders);
  if (named !== undefined && position !== undefined) {
    return isInterpreterOf(program, named.file)
      ? scriptAt(named, words.slice(position + 1))
      : refuse(named, `it is not run by ${JSON.stringify(program)}`);
  }
  const other = mentioned(argv, cwd, folders);
  return other && refuse(other, "the command does more than run it");
}

/** `env python3 x` starts `python3 x`; with options or variables it does something else. */
function withoutEnv(argv: readonly string[]): readonly string[] {
  const [first = "", second = ""] = argv;
  const isEnv = /^(?:\/usr)?(?:\/bin\/)?env$/.test(first);
  return isEnv && !second.startsWith("-") && !ASSIGNMENT.test(second) ? argv.slice(1) : argv;
}

function scriptAt(
  place: ScriptPlace,
  args: readonly string[],
): CommandScript | Failure<"script-in-command"> {
  if (!place.isRunnable) return refuse(place, "the skill is not one that may be used here");
  if (lstatSync(place.file, { throwIfNoEntry: false })?.isFile() !== true) {
    return refuse(place, "it is not a file");
  }
  return { ok: true, skill: place.skill, script: scriptPath(place), args };
}

/** The first place that any word names, also in commands that a shell or a wrapper would start. */
function mentioned(
  argv: readonly string[],
  cwd: string,
  folders: readonly SkillScriptFolder[],
): ScriptPlace | undefined {
  const inside = folders.find(({ path }) => isBelow(path, cwd));
  if (inside !== undefined) return { ...inside, file: cwd };
  const parsed = { commands: [literalCommand(argv)], unclear: [] };
  const behind = reachableCommands(argv.join(" "), parsed).commands;
  const words = new Set([
    ...argv,
    ...behind.flatMap(({ command }) => command.words.map(({ value }) => value)),
  ]);
  for (const word of words) {
    const value = word.slice(word.indexOf("=") + 1);
    const found = placeOf(word, cwd, folders) ?? placeOf(value, cwd, folders);
    if (found !== undefined) return found;
    const within = folders.find(({ path, named }) => word.includes(path) || word.includes(named));
    if (within !== undefined) return { ...within, file: within.path };
  }
  return undefined;
}

function placeOf(
  word: string,
  cwd: string,
  folders: readonly SkillScriptFolder[],
): ScriptPlace | undefined {
  if (word === "" || word.includes("\0")) return undefined;
  const file = realPlace(resolve(cwd, word));
  const folder = folders.find(({ path }) => isBelow(path, file));
  return folder && { ...folder, file };
}

/** The real path of as much as exists, with the rest behind it. */
function realPlace(path: string): string {
  for (let known = path; ; known = dirname(known)) {
    try {
      return join(realpathSync.native(known), relative(known, path));
    } catch {
      if (known === dirname(known)) return path;
    }
  }
}

function scriptPath({ path, file }: ScriptPlace): string {
  return join("scripts", relative(path, file)).split(sep).join("/");
}

function refuse(place: ScriptPlace, why: string): Failure<"script-in-command"> {
  const shown = `${quotePath(scriptPath(place))} of the skill ${JSON.stringify(place.skill.name)}`;
  return {
    ok: false,
    code: "script-in-command",
    message: `the command names ${shown}: ${why}`,
    hint: 'A script of a skill is run by itself: its path, or its interpreter and its path, then the arguments. Commands do not see the "scripts" folders of skills; to read one, use the tool that reads files of skills.',
  };
}

/** Every mount costs time at every start. */
const MAX_MOUNTS = 64;

/**
 * What a command must not see: the `scripts` folders of all skills, so that no script runs but through
 * the way of scripts. Where there are very many, the folders of skills that hold them.
 */
export function hiddenScripts(
  folders: readonly SkillScriptFolder[],
  root: string,
): readonly string[] {
  const paths = [...new Set(folders.map(({ path }) => path))];
  if (paths.length <= MAX_MOUNTS) return paths;
  const holding = new Set(folders.map(({ skill }) => realFolder(skill.root)));
  // One that holds the working directory itself cannot be hidden.
  const roots = [...holding].filter((path) => path !== undefined && !isBelow(path, root));
  const rest = paths.filter((path) => !roots.some((hidden) => isBelow(hidden ?? "", path)));
  return [...roots.filter((path) => path !== undefined), ...rest];
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
