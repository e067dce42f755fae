import ignore, { type Ignore } from "ignore";
import type { Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";
import { readRegularFile } from "../internal/files.ts";

/** Tells which folders below a root a project ignores. Paths are relative to the root. */
export interface IgnoreFilter {
  ignores(path: string): boolean;
  /** Takes the `.gitignore` of a folder below the root into account. */
  enter(path: string): void;
}

const MAX_BYTES = 1024 * 1024;

interface Rules {
  /** Where the `.gitignore` lies, from the root: empty, or `org/`; or the other way round. */
  readonly toFull: (path: string) => string | undefined;
  readonly rules: Ignore;
}

/**
 * The `.gitignore` files from the project's folder down to the root. One that ignores the root
 * itself does not count: somebody named that root.
 */
export function createIgnoreFilter(project: string, root: string): IgnoreFilter | undefined {
  const below = relative(project, root);
  if (below.startsWith("..") || below === "") return undefined;
  const segments = below.split(sep);
  const folders = segments.map((_, i) => join(project, ...segments.slice(0, i)));
  const filters: Rules[] = folders.flatMap((folder) => {
    const rules = readIgnoreFile(folder);
    const prefix = relative(folder, root).split(sep).join("/");
    if (rules === undefined || rules.ignores(`${prefix}/`)) return [];
    return [{ rules, toFull: (path: string) => `${prefix}/${path}` }];
  });
  return {
    ignores(path) {
      // From the top down: the last file that says something about it decides.
      let isIgnored = false;
      for (const { rules, toFull } of filters) {
        const full = toFull(path);
        if (full === undefined) continue;
        const { ignored, unignored } = rules.test(`${full}/`);
        if (ignored || unignored) isIgnored = ignored && !isInherited(path, rules, toFull);
      }
      return isIgnored;
    },
    enter(path) {
      const rules = readIgnoreFile(join(root, path));
      const prefix = path === "" ? "" : `${path}/`;
      const toFull = (other: string) =>
        other.startsWith(prefix) ? other.slice(prefix.length) : undefined;
      if (rules !== undefined) filters.push({ rules, toFull });
    },
  };
}

/** A folder is only asked about when the one above it is not ignored: another file took it back. */
function isInherited(path: string, rules: Ignore, toFull: Rules["toFull"]): boolean {
  const above = path.lastIndexOf("/");
  const full = above === -1 ? undefined : toFull(path.slice(0, above));
  return full !== undefined && full !== "" && rules.ignores(`${full}/`);
}

function readIgnoreFile(folder: string): Ignore | undefined {
  try {
    const file = join(folder, ".gitignore");
    return ignore().add(
      readRegularFile(file, { maxBytes: MAX_BYTES, follow: true }).toString("utf8"),
    );
  } catch {
    return undefined;
  }
}

/** What in a folder may hold skills, by path from the root. */
interface Listing {
  /** In order, links included. */
  readonly paths: string[];
  readonly links: ReadonlySet<string>;
}

/** What stands before the names in a folder to make paths from the root of them. */
export function prefixOf(path: string): string {
  return path === "" ? "" : `${path}/`;
}

/** What of a folder's children `listFolder` looks at. */
export function isSearched(child: Dirent): boolean {
  return child.isDirectory() || child.isSymbolicLink() || child.name === ".gitignore";
}

/** What the children of a folder are. `path` is the folder's own, from the root. */
export function listFolder(
  children: readonly Dirent[],
  path: string,
  ignore: IgnoreFilter | undefined,
): Listing {
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
