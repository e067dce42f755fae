import { type Failure, type SkillRecord } from "@skillwright/core";
import { isVisibleToModel, ROOT_FOLDERS, isBelow } from "@skillwright/core/internal";
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { interpreterNamed } from "../../execution/find-program.ts";
import { listCommand, programName } from "../../policy/match-commands.ts";
import { quotePath } from "../confinement/open-folder.ts";
import type { CommandScript } from "../workspace.ts";

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
      const named = join(folder, "scripts");
      // Skills defined in code have no folder, and one whose `scripts` folder is a link is never run.
      const path = isAbsolute(folder) ? join(realPath(folder) ?? "", "scripts") : "";
      if (realPath(path) !== path || !isFolder(path)) return [];
      const isRunnable = isVisibleToModel(skill) && skill.shadowedBy === undefined;
      return [{ skill, path, named, isRunnable }];
    }),
  );
}

interface ScriptPlace extends SkillScriptFolder {
  /** Where the word really leads. */
  readonly file: string;
}

type FoundScript = CommandScript | Failure<"script-in-command">;

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
): FoundScript | undefined {
  if (folders.length === 0) return undefined;
  const placeOf = (word: string): ScriptPlace | undefined => {
    if (word === "" || word.includes("\0")) return undefined;
    const file = realPlace(resolve(cwd, word));
    const folder = folders.find(({ path }) => isBelow(path, file));
    return folder && { ...folder, file };
  };
  const words = withoutEnv(argv);
  const [first = ""] = words;
  const program = programName(first);
  const meant = (word: string) => placeOf(word) ?? ownPlace(word, cwd, folders);
  const direct = first.includes("/") ? meant(first) : undefined;
  if (direct !== undefined) return scriptAt(direct, words.slice(1));
  const position = scriptPosition(program, words) ?? words.length;
  const named = meant(words[position] ?? "");
  if (named !== undefined) {
    if (isInterpreterOf(program, named.file)) return scriptAt(named, words.slice(position + 1));
    return refuse(named, `it is not run by ${JSON.stringify(program)}`);
  }
  const other = [".", ...commandWords(argv)]
    .map((word) => placeOf(word) ?? placeOf(afterEquals(word)) ?? placeWithin(word, folders))
    .find((place) => place !== undefined);
  return other && refuse(other, "the command does more than run it");
}

/**
 * `scripts/join.py` as a SKILL.md writes it, from the skill's folder: where the working directory has no
 * such file and one skill that may be used has, that one is meant.
 */
function ownPlace(
  word: string,
  cwd: string,
  folders: readonly SkillScriptFolder[],
): ScriptPlace | undefined {
  const [, inside] = /^(?:\.\/)?scripts\/(.+)$/.exec(word) ?? [];
  if (inside === undefined || existsSync(resolve(cwd, word))) return undefined;
  const places = folders.flatMap((folder) => {
    const file = realPlace(join(folder.path, inside));
    return folder.isRunnable && isBelow(folder.path, file) && existsSync(file)
      ? [{ ...folder, file }]
      : [];
  });
  const [place] = places;
  return new Set(places.map(({ skill }) => skill)).size === 1 ? place : undefined;
}

/** `env python3 x` starts `python3 x`; with options or variables it does something else. */
function withoutEnv(argv: readonly string[]): readonly string[] {
  const [first = "", second = ""] = argv;
  const isEnv = /^(?:\/usr)?(?:\/bin\/)?env$/.test(first);
  return isEnv && !second.startsWith("-") && !ASSIGNMENT.test(second) ? argv.slice(1) : argv;
}

function scriptAt(place: ScriptPlace, args: readonly string[]): FoundScript {
  if (!place.isRunnable) return refuse(place, "the skill is not one that may be used here");
  if (lstatSync(place.file, { throwIfNoEntry: false })?.isFile() !== true) {
    return refuse(place, "it is not a file");
  }
  return { ok: true, skill: place.skill, script: scriptPath(place), args };
}

function placeWithin(word: string, folders: readonly SkillScriptFolder[]): ScriptPlace | undefined {
  const within = folders.find(({ path, named }) => word.includes(path) || word.includes(named));
  return within && { ...within, file: within.path };
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
  const parts = commandWords(argv).flatMap((word) => [
    word,
    afterEquals(word),
    ...word.split(SEPARATORS),
  ]);
  const words = [...new Set(parts)].filter((part) => part !== "" && !part.includes("\0"));
  const places = [".", ...words].map((word) => nearestPlace(resolve(cwd, word)).real);
  const bases = [...new Set(places)].filter(isFolder).slice(0, MAX_BASES);
  const behind = bases.flatMap((base) =>
    words.map((word) => nearestPlace(resolve(base, word)).real),
  );
  const folder = [...new Set([...places, ...behind])]
    .map(scriptsFolderOf)
    .find((found) => found !== undefined);
  if (folder === undefined) return undefined;
  const skill = quotePath(basename(dirname(folder)));
  return {
    ok: false,
    code: "script-in-command",
    message: `the command names the "scripts" folder of ${skill}, a skill that is not known here`,
    hint: "Scripts of skills run only as such. Correct its SKILL.md, or add the folder that holds the skill to the sources of skills; then run the script by its path.",
  };
}

/** Those of the command itself, and of commands that a shell or a wrapper would start. */
function commandWords(argv: readonly string[]): readonly string[] {
  return [...new Set([...argv, ...listCommand(argv).starts.flat()])];
}

function afterEquals(word: string): string {
  return word.slice(word.indexOf("=") + 1);
}

function scriptsFolderOf(place: string): string | undefined {
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    if (isScriptsFolder(folder)) return folder;
  }
  return undefined;
}

/** Whether a folder is named `scripts` and lies beside a SKILL.md, whatever that says. */
function isScriptsFolder(folder: string): boolean {
  if (basename(folder).toLowerCase() !== "scripts") return false;
  const isThere = (name: string) =>
    lstatSync(join(dirname(folder), name), { throwIfNoEntry: false }) !== undefined;
  return isThere("SKILL.md") || isThere("skill.md");
}

function realPlace(path: string): string {
  const { real, rest } = nearestPlace(path);
  return join(real, rest);
}

/** The real path of as much as exists, and the rest behind it. */
function nearestPlace(path: string): { readonly real: string; readonly rest: string } {
  for (let known = path; ; known = dirname(known)) {
    const real = realPath(known) ?? (known === dirname(known) ? known : undefined);
    if (real !== undefined) return { real, rest: relative(known, path) };
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Every mount costs time at every start. */
const MAX_MOUNTS = 64;

/**
 * What a command must not see: the `scripts` folders of all skills, so that no script runs but under
 * its own approval, and those that no known skill has, in the folders where skills lie: beside known
 * ones and in the usual places. Where there are very many, the folders that hold the skills.
 */
export function hiddenScripts(
  folders: readonly SkillScriptFolder[],
  skills: readonly SkillRecord[],
  root: string,
): readonly string[] {
  // One that holds the working directory itself cannot be hidden.
  const hideable = (paths: readonly string[]) =>
    [...new Set(paths.flatMap((path) => realPath(path) ?? []))].filter(
      (path) => !isBelow(path, root),
    );
  const paths = [...new Set(folders.map(({ path }) => path))];
  const isMany = paths.length > MAX_MOUNTS;
  const roots = isMany ? hideable(folders.map(({ skill }) => skill.root)) : [];
  const known = [
    ...roots,
    ...paths.filter((path) => !roots.some((hidden) => isBelow(hidden, path))),
  ];
  const usual = ROOT_FOLDERS.map((folder) => join(root, folder));
  const places = [...usual, ...skills.map((skill) => skill.root)].flatMap(
    (path) => realPath(path) ?? [],
  );
  const unknown = [...new Set(places)].flatMap((folder) => {
    const found = scriptsIn(folder).filter((path) => !known.some((one) => isBelow(one, path)));
    return found.length > MAX_MOUNTS && !isBelow(folder, root) ? [folder] : found;
  });
  return [...known, ...unknown];
}

function scriptsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "scripts")
      .map(({ name }) => join(folder, name, "scripts"))
      .filter((path) => isScriptsFolder(path) && realPath(path) === path);
  } catch {
    return [];
  }
}
