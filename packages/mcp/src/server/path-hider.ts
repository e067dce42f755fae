import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import type { SkillRecord, Skills } from "@skillwright/core";

export interface PathHiderOptions {
  readonly home: string;
  readonly cwd: string;
  readonly skills: Pick<Skills, "all" | "roots">;
}

/** A text without where on this machine things are. */
export type HidePaths = (text: string) => string;

/**
 * Says of folders of this machine only what a client has to know: a root of skills is `skills`, the home
 * is `~`, and the working directory has its name. For messages and what scripts print; the text of a
 * skill is its author's.
 */
export function pathHider({ home, cwd, skills }: PathHiderOptions): HidePaths {
  const homes = spellings(home);
  // Below the home, `~` says more than the name alone.
  const isAtHome = (path: string) => homes.some((one) => `${path}/`.startsWith(`${one}/`));
  const folders = [
    ...spellings(cwd)
      .filter((path) => !isAtHome(path))
      .map((path) => [path, `…/${basename(path)}`] as const),
    ...homes.map((path) => [path, "~"] as const),
  ];
  let records: readonly SkillRecord[] | undefined;
  let pattern: RegExp | undefined;
  let shown: ReadonlyMap<string, string> = new Map();
  const look = () => {
    records = skills.all;
    const roots = new Set([...skills.roots, ...skills.all.map(({ root }) => root)]);
    const named = [...roots].flatMap(spellings).map((path) => [path, "skills"] as const);
    shown = new Map([...folders, ...named]);
    pattern = patternOf([...shown.keys()]);
  };
  return (text) => {
    if (records !== skills.all) look();
    return pattern === undefined
      ? text
      : text.replaceAll(pattern, (path) => shown.get(path) ?? "…");
  };
}

/** As it is given, and where it really is. A folder of the system is no secret. */
function spellings(path: string): string[] {
  const trimmed = path.replace(/(?<=.)[/\\]+$/, "");
  if (!isAbsolute(trimmed)) return [];
  return [...new Set([trimmed, realPath(trimmed)])].filter((one) => dirname(one) !== one);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The longest first; no part of a longer name. */
function patternOf(paths: readonly string[]): RegExp | undefined {
  if (paths.length === 0) return undefined;
  const sources = paths
    .toSorted((a, b) => b.length - a.length)
    .map((path) => path.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\w.-])(?:${sources.join("|")})(?![\w-])`, "g");
}
