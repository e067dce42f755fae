import { opendirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { linkNotSearched, rootDiagnostic, scanLimit } from "./scan-rules.ts";
import { TimeSlice } from "../internal/files.ts";
import type { IndexedFolder } from "./skill-source.ts";

/** What a look behind one link may cost, and one behind all links of a root. */
const MAX_ENTRIES = 200;
const MAX_DEPTH = 6;
const MAX_ENTRIES_OF_ALL = 10_000;

interface Look {
  /** A folder with a SKILL.md, from the link on. */
  readonly found?: string;
  readonly isCutOff: boolean;
  readonly entries: number;
}

/**
 * Links below a root that lead to folders of skills are not searched: this says which ones. A link
 * that leads nowhere, or to what was searched anyway, is nothing.
 */
export async function scanRootLinks(
  root: string,
  folders: ReadonlyMap<string, IndexedFolder>,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const slice = new TimeSlice();
  let realRoot: string | undefined;
  let left = MAX_ENTRIES_OF_ALL;
  for (const [path, { links = [] }] of folders) {
    for (const name of links) {
      const link = join(root, path, name);
      realRoot ??= realFolder(root) ?? root;
      const target = realFolder(link);
      if (target === undefined || isSearched(target, realRoot, folders)) continue;
      if (left <= 0) {
        const message = "the search stopped: too many links lead to folders that may hold skills";
        return [...diagnostics, rootDiagnostic(scanLimit, link, message)];
      }
      const look = lookForSkill(target, realRoot);
      left -= look.entries + 1;
      const diagnostic = reportOf(look, link, name);
      if (diagnostic !== undefined) diagnostics.push(diagnostic);
      if (slice.isOver) await slice.rest();
    }
  }
  return diagnostics;
}

function reportOf({ found, isCutOff }: Look, link: string, name: string): Diagnostic | undefined {
  if (found === undefined && !isCutOff) return undefined;
  const message =
    found === undefined
      ? `the link \`${name}\` leads to a large folder, which is not searched`
      : `the link \`${name}\` leads to a folder of skills, such as \`${name}/${found}\`, which is not searched`;
  const rule = found === undefined ? scanLimit : linkNotSearched;
  const hint = "name that folder as a root, or link each skill's own folder";
  return { ...rootDiagnostic(rule, link, message), hint };
}

/** Level by level, so that what lies near is found before the entries run out. */
function lookForSkill(target: string, realRoot: string): Look {
  let level: readonly string[] = [""];
  let entries = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: string[] = [];
    for (const path of level) {
      // The root's own skills are known.
      if (join(target, path) === realRoot) continue;
      for (const entry of entriesOf(join(target, path))) {
        if (entries === MAX_ENTRIES) return { isCutOff: true, entries };
        entries++;
        if (path !== "" && entry.name.toLowerCase() === "skill.md") {
          return { found: path, isCutOff: false, entries };
        }
        if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) {
          below.push(path === "" ? entry.name : `${path}/${entry.name}`);
        }
      }
    }
    level = below;
  }
  return { isCutOff: level.length > 0, entries };
}

/** One by one: a folder may hold any number. What cannot be read holds nothing we know of. */
function* entriesOf(folder: string) {
  let handle;
  try {
    handle = opendirSync(folder);
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) yield entry;
  } catch {
    // Nothing more is known of it.
  } finally {
    handle?.closeSync();
  }
}

function isSearched(
  target: string,
  realRoot: string,
  folders: ReadonlyMap<string, IndexedFolder>,
): boolean {
  return folders.has(relative(realRoot, target).split(sep).join("/"));
}

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
