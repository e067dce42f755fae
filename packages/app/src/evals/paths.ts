import { existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { findSkills } from "@skillwright/core/internal";
import type { AppHost, PlaceOptions } from "../host.ts";
import { AppFailure } from "../failure.ts";
import { existingRoots } from "../session/roots.ts";

const MAX_LEVELS = 4;

/** Where cases are looked for: what was named, else the project's skills and its `.agent/evals`. */
export async function evalPaths(
  paths: readonly string[],
  project: string,
  options: PlaceOptions,
  host: AppHost,
): Promise<readonly string[]> {
  if (paths.length > 0) return paths.map((path) => casesPath(path, host));
  const roots = await existingRoots(options, { ...host, cwd: project });
  const own = join(project, ".agent", "evals");
  const isSkill = hasSkillFile(host.cwd);
  return [...(isSkill ? [host.cwd] : roots), ...(existsSync(own) ? [own] : [])];
}

/** A pipe would be waited for, and a device never ends. */
function casesPath(given: string, { cwd }: AppHost): string {
  const path = resolve(cwd, given);
  // What cannot be looked at is said where cases are read.
  const stats = statIfThere(path);
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return path;
  throw new AppFailure("usage", `${given} is neither a file nor a folder`, {
    hint: "name a skill, a folder of skills, or a file with cases",
  });
}

/** Whether the paths, or a working directory that is a skill, leave cases of the project out. */
export function isPartOf(
  project: string,
  paths: readonly string[],
  given: readonly string[],
  cwd: string,
): boolean {
  if (given.length === 0) return hasSkillFile(cwd) && realPath(cwd) !== realPath(project);
  const whole = realPath(project);
  return !paths.some(
    (path) => whole === realPath(path) || whole.startsWith(`${realPath(path)}${sep}`),
  );
}

/** Folders of the skills that the paths hold or lie in; real, each once. */
export async function skillsAt(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const around = skillAround(stats.isDirectory() ? path : dirname(path));
    const below = around === undefined && stats.isDirectory() ? await findSkills(path) : undefined;
    for (const folder of around === undefined ? (below?.directories ?? []) : [around]) {
      found.add(realPath(folder));
    }
  }
  return [...found];
}

/** The nearest folder at or above that is a skill, as cases count it. */
function skillAround(folder: string, levels = MAX_LEVELS): string | undefined {
  if (hasSkillFile(folder)) return folder;
  const above = dirname(folder);
  return levels <= 1 || above === folder ? undefined : skillAround(above, levels - 1);
}

function hasSkillFile(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.toLowerCase() === "skill.md");
  } catch {
    return false;
  }
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** From the working directory, with forward slashes on every platform. */
export function shownPath(file: string, { cwd }: Pick<AppHost, "cwd">): string {
  const path = relative(cwd, resolve(cwd, file)).split(sep).join("/");
  return path === "" ? "." : path;
}
