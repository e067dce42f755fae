import { openRegular, readUpTo } from "@skillwright/core/internal";
import { closeSync, type Dirent, readdirSync } from "node:fs";
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { openFolder } from "../confinement/open-folder.ts";
import type { OpenFolder } from "../confinement/opened-folder.ts";
import { isSecretFile } from "../confinement/protected-files.ts";
import type { Workspace } from "../workspace.ts";
import { type IgnoreRules, NO_RULES } from "./ignore-rules.ts";

export interface FoundText {
  readonly path: string;
  readonly text: string;
  /** How many files on the way here may not be read. */
  readonly leftOut: number;
}

/** Whether a file may be read: by its path from the root, and where that really is. */
export type MayRead = (path: string, realPath: string) => boolean;

export interface WalkOptions {
  readonly workspace: Workspace;
  readonly root: string;
  /** Where to begin, in real parts from the root. */
  readonly start: readonly string[];
  /** Says no to what was not asked for. */
  readonly wants: (path: string) => boolean;
  readonly mayRead: MayRead;
  /** Says no to what need not be opened. */
  readonly mayMatch: (path: string) => boolean;
  readonly isOver: () => boolean;
}

const MAX_DEPTH = 200;
const MAX_IGNORE_BYTES = 128 * 1024;

/**
 * The text files below a folder: those of a folder by name, then its folders by name. No link is
 * followed. Left out are `.git`, what a `.gitignore` names, secrets, binary and too large files.
 * Gives undefined where it may be left to rest, and at last how many files may not be read. Those
 * are counted whatever is in them: the number tells nothing about their text.
 */
export function* walkFiles(options: WalkOptions): Generator<FoundText | undefined, number> {
  return yield* walkFolder(options, options.start, rulesAt(options), 0);
}

function* walkFolder(
  options: WalkOptions,
  segments: readonly string[],
  inherited: IgnoreRules,
  leftOutBefore: number,
): Generator<FoundText | undefined, number> {
  let leftOut = leftOutBefore;
  if (options.isOver() || segments.length > MAX_DEPTH) return leftOut;
  const opened = openFolder(options.root, segments);
  if (!opened.ok) return leftOut;
  const { folder } = opened;
  const prefix = segments.map((segment) => `${segment}/`).join("");
  const folders: string[] = [];
  let rules = inherited;
  try {
    const entries = readEntries(folder);
    if (entries.some(({ name }) => name === ".gitignore")) {
      rules = withIgnoreFile(folder, prefix, inherited);
    }
    for (const entry of entries) {
      if (options.isOver()) return leftOut;
      const { name } = entry;
      const path = `${prefix}${name}`;
      if (entry.isDirectory()) {
        const isPassedOver = name === ".git" || rules.ignores(`${path}/`);
        if (!isPassedOver && !isSecretFile([...segments, name])) folders.push(name);
      } else if (entry.isFile() && options.wants(path) && !rules.ignores(path)) {
        if (isSecretFile([...segments, name])) continue;
        if (!options.mayRead(path, join(options.root, path))) {
          leftOut++;
          continue;
        }
        if (!options.mayMatch(path)) continue;
        const text = readText(folder, name, options.workspace);
        if (text !== undefined) yield { path, text, leftOut };
      }
    }
  } finally {
    folder.close();
  }
  yield undefined;
  for (const name of folders) {
    leftOut = yield* walkFolder(options, [...segments, name], rules, leftOut);
  }
  return leftOut;
}

/** What the folders above the start say; nothing when they ignore the start, which somebody named. */
function rulesAt({ root, start }: WalkOptions): IgnoreRules {
  let rules = NO_RULES;
  for (let depth = 0; depth < start.length; depth++) {
    const opened = openFolder(root, start.slice(0, depth));
    if (!opened.ok) return NO_RULES;
    const prefix = start
      .slice(0, depth)
      .map((segment) => `${segment}/`)
      .join("");
    rules = withIgnoreFile(opened.folder, prefix, rules);
    opened.folder.close();
    if (rules.ignores(`${prefix}${start[depth] ?? ""}/`)) return NO_RULES;
  }
  return rules;
}

function withIgnoreFile(folder: OpenFolder, prefix: string, rules: IgnoreRules): IgnoreRules {
  const bytes = readRegular(folder, ".gitignore", MAX_IGNORE_BYTES, true);
  return bytes === undefined ? rules : rules.with(prefix, bytes.toString("utf8"));
}

function readEntries(folder: OpenFolder): Dirent[] {
  try {
    const entries = readdirSync(folder.itself, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** The text of one file of an open folder; undefined when it is none, or none to be read. */
export function readText(
  folder: OpenFolder,
  name: string,
  { maxFileBytes, allowHardLinks }: Workspace,
): string | undefined {
  const bytes = readRegular(folder, name, maxFileBytes, allowHardLinks);
  if (bytes === undefined || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

function readRegular(
  folder: OpenFolder,
  name: string,
  maxBytes: number,
  allowHardLinks: boolean,
): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    const { stats, ...opened } = openRegular(folder.child(name), { maxBytes });
    descriptor = opened.descriptor;
    if (stats.nlink > 1 && !allowHardLinks) return undefined;
    return readUpTo(descriptor, stats.size, stats.size);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
