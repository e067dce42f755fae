import { type Failure, isVisibleToModel, ROOT_FOLDERS, type SkillRecord } from "@skillwright/core";
import { isBelow } from "@skillwright/core/internal";
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { interpreterNamed } from "../../execution/find-interpreter.ts";
import { listCommand } from "../../policy/match-commands.ts";
import { programName } from "../../policy/programs.ts";
import { quotePath } from "../confinement/workspace-failure.ts";
import type { CommandScript } from "./command-runner.ts";

/**
 * The index of the script in a command that an interpreter would run; undefined when the program is
 * not an interpreter, or has options that scripts are not given anyway.
 */
function scriptPosition(program: string, words: readonly string[]): number | undefined {
  const kind = interpreterNamed(program);
  if (kind === undefined) return undefined;
  // Without variables of Python in the environment, its -E changes nothing.
  const implied = kind.names.includes("python3") ? [...kind.args, "-E"] : kind.args;
  const position = words.findIndex((word, i) => i > 0 && !implied.includes(word));
  return position === -1 || words[position]?.startsWith("-") === true ? undefined : position;
}

/** Whether scripts with this ending are run by this program. */
function isInterpreterOf(program: string, script: string): boolean {
  const endings = interpreterNamed(program)?.endings;
  return endings?.includes(extname(script).toLowerCase()) === true;
}

/** Where scripts of a skill lie, by its real path. */
interface SkillScriptFolder {
  readonly skill: SkillRecord;
  /** The folder `scripts`, which is not a link. */
  readonly path: string;
  /** The same as it is named, where a link leads to it. */
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

/** A skill whose `scripts` folder is a link is never run. */
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
  const words = new Set(commandWords(argv));
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

/** Folders that a command may enter before it names a file. */
const MAX_BASES = 16;
const SEPARATORS = /[\s'"`;|&()<>,={}$]+/;

/**
 * A command that names something in the `scripts` folder of a skill that this session does not know:
 * one that cannot be read, or that lies outside all sources. It has no digest to approve and no trust,
 * so it is not run as a plain command either. Check known skills first.
 */
export function findUnknownScript(
  argv: readonly string[],
  cwd: string,
): Failure<"script-in-command"> | undefined {
  const words = wordParts(argv);
  const places = words.map((word) => existingPlace(resolve(cwd, word)));
  const bases = [...new Set(places)].filter(isFolder).slice(0, MAX_BASES);
  const behind = bases.flatMap((base) => words.map((word) => existingPlace(resolve(base, word))));
  for (const place of new Set([existingPlace(cwd), ...places, ...behind])) {
    const folder = scriptsFolderOf(place);
    if (folder !== undefined) return refuseUnknown(folder);
  }
  return undefined;
}

/** Whether a folder is named `scripts` and lies beside a SKILL.md, whatever that says. */
function isScriptsFolder(folder: string): boolean {
  if (basename(folder).toLowerCase() !== "scripts") return false;
  return ["SKILL.md", "skill.md"].some((name) => exists(join(dirname(folder), name)));
}

/** The words of a command, and the parts of those that hold code. */
function wordParts(argv: readonly string[]): readonly string[] {
  const parts = commandWords(argv).flatMap((word) => [
    word,
    word.slice(word.indexOf("=") + 1),
    ...word.split(SEPARATORS),
  ]);
  return [...new Set(parts)].filter((part) => part !== "" && !part.includes("\0"));
}

/** Those of the command itself, and of commands that a shell or a wrapper would start. */
function commandWords(argv: readonly string[]): readonly string[] {
  return [...argv, ...listCommand(argv).starts.flat()];
}

function scriptsFolderOf(place: string): string | undefined {
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    if (isScriptsFolder(folder)) return folder;
  }
  return undefined;
}

/** The real path of as much as exists. */
function existingPlace(path: string): string {
  for (let known = path; ; known = dirname(known)) {
    try {
      return realpathSync.native(known);
    } catch {
      if (known === dirname(known)) return known;
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function refuseUnknown(folder: string): Failure<"script-in-command"> {
  const skill = quotePath(basename(dirname(folder)));
  return {
    ok: false,
    code: "script-in-command",
    message: `the command names the "scripts" folder of ${skill}, a skill that is not known here`,
    hint: "Scripts of skills run only as such. Correct its SKILL.md, or add the folder that holds the skill to the sources of skills; then run the script by its path.",
  };
}

/** Every mount costs time at every start. */
const MAX_MOUNTS = 64;

/**
 * What a command must not see: the `scripts` folders of all skills, so that no script runs but under
 * its own approval. Where there are very many, the folders of skills that hold them.
 */
export function hiddenScripts(
  folders: readonly SkillScriptFolder[],
  skills: readonly SkillRecord[],
  root: string,
): readonly string[] {
  const known = knownScripts(folders, root);
  return [...known, ...unknownScripts(skills, root, known)];
}

function knownScripts(folders: readonly SkillScriptFolder[], root: string): readonly string[] {
  const paths = [...new Set(folders.map(({ path }) => path))];
  if (paths.length <= MAX_MOUNTS) return paths;
  const holding = new Set(folders.flatMap(({ skill }) => realFolder(skill.root)));
  // One that holds the working directory itself cannot be hidden.
  const roots = [...holding].filter((path) => !isBelow(path, root));
  return [...roots, ...paths.filter((path) => !roots.some((hidden) => isBelow(hidden, path)))];
}

/**
 * The `scripts` folders that no known skill has, in the folders where skills lie: beside known ones and
 * in the usual places. Commands must not see them either. Where there are very many in one folder, it
 * is that folder. Others are not looked for.
 */
function unknownScripts(
  skills: readonly SkillRecord[],
  root: string,
  hidden: readonly string[],
): readonly string[] {
  const usual = ROOT_FOLDERS.map((folder) => join(root, folder));
  const folders = [...usual, ...skills.map((skill) => skill.root)].flatMap(realFolder);
  return [...new Set(folders)].flatMap((folder) => {
    const found = scriptsIn(folder).filter((path) => !hidden.some((one) => isBelow(one, path)));
    return found.length > MAX_MOUNTS && !isBelow(folder, root) ? [folder] : found;
  });
}

function scriptsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "scripts")
      .map(({ name }) => join(folder, name, "scripts"))
      .filter((path) => isScriptsFolder(path) && realFolder(path)[0] === path);
  } catch {
    return [];
  }
}

function realFolder(path: string): readonly string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}
