import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Failure } from "@skillwright/core";
import { isBelow } from "../../execution/control-files.ts";
import { listCommand } from "../../policy/match-commands.ts";
import { programName } from "../../policy/programs.ts";
import { quotePath } from "../confinement/quote-path.ts";
import type { CommandScript } from "./command-runner.ts";
import { isInterpreterOf, scriptPosition } from "./script-interpreters.ts";
import type { SkillScriptFolder } from "./skill-script-folders.ts";

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
  const words = new Set([...argv, ...listCommand(argv).starts.flat()]);
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
