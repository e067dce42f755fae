import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Failure } from "@skillwright/core";
import { listCommand } from "../policy/match-commands.ts";
import { quotePath } from "../workspace/confinement/quote-path.ts";

/** Of folders that a command may go to before it names a file. */
const MAX_BASES = 16;
const SEPARATORS = /[\s'"`;|&()<>,={}$]+/;

/**
 * A command that names something in the `scripts` folder of a skill that this session does not know:
 * one that cannot be read, or that lies where nobody looks for skills. It has no digest to approve
 * and no trust, so it is not run as a plain command either. Ask about known skills first.
 */
export function findUnknownScript(
  argv: readonly string[],
  cwd: string,
): Failure<"script-in-command"> | undefined {
  const words = wordsOf(argv);
  const places = words.map((word) => realPlace(resolve(cwd, word)));
  const bases = [...new Set(places)].filter(isFolder).slice(0, MAX_BASES);
  const behind = bases.flatMap((base) => words.map((word) => realPlace(resolve(base, word))));
  for (const place of new Set([realPlace(cwd), ...places, ...behind])) {
    const folder = scriptsFolderOf(place);
    if (folder !== undefined) return refuse(folder);
  }
  return undefined;
}

/** Whether a folder is the `scripts` of something that has a SKILL.md, whatever that says. */
export function isScriptsFolder(folder: string): boolean {
  if (basename(folder).toLowerCase() !== "scripts") return false;
  return ["SKILL.md", "skill.md"].some((name) => exists(join(dirname(folder), name)));
}

/** Words, the parts of those that hold code, and the words of commands that would be started. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const words = [...argv, ...listCommand(argv).starts.flat()];
  const parts = words.flatMap((word) => [
    word,
    word.slice(word.indexOf("=") + 1),
    ...word.split(SEPARATORS),
  ]);
  return [...new Set(parts)].filter((part) => part !== "" && !part.includes("\0"));
}

function scriptsFolderOf(place: string): string | undefined {
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    if (isScriptsFolder(folder)) return folder;
  }
  return undefined;
}

/** The real path of as much as exists. */
function realPlace(path: string): string {
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

function refuse(folder: string): Failure<"script-in-command"> {
  const skill = quotePath(basename(dirname(folder)));
  return {
    ok: false,
    code: "script-in-command",
    message: `the command names the "scripts" folder of ${skill}, a skill that is not known here`,
    hint: "Scripts of skills run only as such. Correct its SKILL.md, or add the folder that holds the skill to the sources of skills; then run the script by its path.",
  };
}
