import { realpath, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { findSkills, visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { existingRoots, namedBase } from "@skillwright/app/internal";
import { relativePath } from "../terminal/relative-path.ts";

export interface LintTarget {
  readonly directory: string;
  /** What the skill must really lie in to be fixed. */
  readonly within: string;
}

export interface LintTargets {
  readonly targets: readonly LintTarget[];
  /** Folders that were not searched, so that skills may be missing. */
  readonly unfinished: number;
}

/** The folders of all skills that the paths name; a problem on the way is noted, not fatal. */
export async function lintTargets(
  paths: readonly string[],
  options: GlobalOptions,
  console: Console,
): Promise<LintTargets> {
  const starts =
    paths.length > 0 ? await expand(paths, console) : await defaultStarts(options, console);
  const targets = new Map<string, LintTarget>();
  let left = 0;
  for (const start of starts) {
    const { directories: found, unfinished } = await findSkills(start);
    left += unfinished.length;
    // One skill by several ways – installers link them – is one skill.
    for (const directory of found) {
      const real = await realpath(directory).catch(() => directory);
      if (!targets.has(real))
        targets.set(real, { directory, within: baseOf(start, options, console) });
    }
    for (const { directory, reason } of unfinished) {
      const path = relativePath(directory, console.cwd);
      console.note(visibleLine(`not searched: ${path} (${reason})`));
    }
    if (found.length === 0 && paths.length > 0) throw noSkill([start], console);
  }
  if (targets.size === 0) throw noSkill(starts, console);
  return { targets: [...targets.values()], unfinished: left };
}

function baseOf(start: string, { root, source }: GlobalOptions, console: Console): string {
  const home = console.env["HOME"];
  return source === "user" && root === undefined && home !== undefined
    ? namedBase(start, { cwd: home })
    : namedBase(start, console);
}

function noSkill(starts: readonly string[], { cwd }: Console): CommandFailure {
  const where = starts.map((start) => relativePath(start, cwd)).join(", ");
  return new CommandFailure(EXIT.missing, `there is no skill in ${where}`, {
    hint: "a skill is a folder with a file named SKILL.md",
  });
}

async function defaultStarts(options: GlobalOptions, console: Console): Promise<string[]> {
  const roots = await existingRoots(options, console);
  if (roots.length > 0) return roots;
  if (await exists(resolve(console.cwd, "SKILL.md"))) return [console.cwd];
  throw new CommandFailure(EXIT.missing, "this project has no skills", {
    hint: "name a path, or start one with `skillwright new <name>`",
  });
}

async function expand(paths: readonly string[], console: Console): Promise<string[]> {
  const starts: string[] = [];
  for (const path of paths) {
    const absolute = resolve(console.cwd, path);
    if (await exists(absolute)) {
      starts.push(await folderOf(absolute));
      continue;
    }
    const matches = isGlob(path) ? await glob(path, console.cwd) : [];
    if (matches.length === 0) {
      throw new CommandFailure(EXIT.usage, `there is nothing at "${path}"`);
    }
    const skills = await Promise.all(matches.map(skillFolder));
    const found = skills.filter((folder) => folder !== undefined);
    if (found.length === 0) throw new CommandFailure(EXIT.missing, `no skill matches "${path}"`);
    starts.push(...found);
  }
  return starts;
}

function isGlob(path: string): boolean {
  return /[*?[\]{}!]/.test(path);
}

async function glob(pattern: string, cwd: string): Promise<string[]> {
  const { glob: find } = await import("tinyglobby");
  const found = await find(pattern, {
    cwd,
    absolute: true,
    onlyFiles: false,
    dot: true,
    ignore: ["**/node_modules/**", "**/.git/**"],
  });
  return found.map((path) => resolve(path));
}

/** What a glob matches besides skills is not meant. */
async function skillFolder(path: string): Promise<string | undefined> {
  if (basename(path).toLowerCase() === "skill.md") return dirname(path);
  const { directories } = await findSkills(path);
  return directories.length > 0 ? path : undefined;
}

/** A SKILL.md means its folder. */
async function folderOf(path: string): Promise<string> {
  const stats = await stat(path);
  if (stats.isDirectory()) return path;
  if (basename(path).toLowerCase() === "skill.md") return dirname(path);
  throw new CommandFailure(EXIT.usage, `"${path}" is not a skill`, {
    hint: "name a folder with a SKILL.md, or the SKILL.md itself",
  });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
