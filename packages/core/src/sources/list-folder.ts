import { readdirSync } from "node:fs";
import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";
import type { IgnoreFilter } from "./ignore-filter.ts";

/** What in a folder may hold skills, by path from the root. */
export interface Listing {
  /** In order, links included. */
  readonly paths: string[];
  readonly links: ReadonlySet<string>;
}

/** What stands before the names in a folder to make paths from the root of them. */
export function prefixOf(path: string): string {
  return path === "" ? "" : `${path}/`;
}

/** Throws when the folder cannot be read. `path` is its own, from the root. */
export function listFolder(
  folder: string,
  path: string,
  ignore: IgnoreFilter | undefined,
): Listing {
  const children = readdirSync(folder, { withFileTypes: true });
  if (ignore !== undefined && children.some(({ name }) => name === ".gitignore")) {
    ignore.enter(path);
  }
  const prefix = prefixOf(path);
  const paths: string[] = [];
  const links = new Set<string>();
  for (const child of children) {
    const { name } = child;
    const isLink = child.isSymbolicLink();
    if ((!isLink && !child.isDirectory()) || SKIPPED_FOLDERS.has(name)) continue;
    if (name === "SKILL.md" || ignore?.ignores(prefix + name) === true) continue;
    if (isLink) links.add(prefix + name);
    paths.push(prefix + name);
  }
  return { paths: paths.sort(), links };
}
