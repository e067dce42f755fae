import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { makeFolder } from "@skillwright/core/internal";
import { standing, standingOrMade } from "./plain-path.ts";
import { RootRefusal } from "../root-refusal.ts";

/**
 * The real path of a folder at or below a base, made when it is missing. A link on the way is
 * followed as long as it stays within the base: one that leads out may have been planted by whoever
 * wrote the project.
 */
export function makeConfinedFolder(base: string, folder: string): string {
  makeFolder(base, 0o777);
  return descend(base, folder, true)!;
}

/** As `makeConfinedFolder`, but undefined when the folder is missing. */
export function confinedFolder(base: string, folder: string): string | undefined {
  return standing(base) === undefined ? undefined : descend(base, folder, false);
}

function descend(base: string, folder: string, isMade: boolean): string | undefined {
  const below = relative(base, folder);
  if (isAbsolute(below) || below === ".." || below.startsWith(`..${sep}`)) {
    throw new RootRefusal(`${folder} is not below ${base}`);
  }
  const realBase = realpathSync.native(base);
  let current = realBase;
  for (const segment of below.split(sep).filter((name) => name !== "")) {
    const next = join(current, segment);
    const stats = isMade ? standingOrMade(next) : standing(next);
    if (stats === undefined) return undefined;
    current = stats.isSymbolicLink() ? followWithin(realBase, next) : next;
    if (!statSync(current).isDirectory()) throw new RootRefusal(`${next} is not a folder`);
  }
  return current;
}

function followWithin(realBase: string, link: string): string {
  let target: string | undefined;
  try {
    target = realpathSync.native(link);
  } catch {
    // It leads nowhere, or in a circle.
  }
  if (target === realBase || target?.startsWith(join(realBase, sep)) === true) return target;
  const where = target === undefined ? "that leads nowhere" : `that leads out to ${target}`;
  throw new RootRefusal(`${link} is a link ${where}`, {
    hint: "remove the link, or name the folder it leads to as the target",
  });
}
