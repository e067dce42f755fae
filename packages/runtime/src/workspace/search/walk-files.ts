import { openRegular, readUpTo } from "@skillwright/core/internal";
import ignore, { type Ignore } from "ignore";
import { closeSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { SeenEntry, SeenFolders } from "../../changes/run-changes.ts";
import { inFolder, openFolder, type OpenFolder } from "../confinement/open-folder.ts";
import { isSecretFile } from "../confinement/protected-files.ts";
import { textOf } from "../files/write-file.ts";
import type { Workspace } from "../workspace.ts";

export interface FoundText {
  readonly path: string;
  /** Empty where the caller may pause. */
  readonly text: string;
  /** How many files on the way here may not be read. */
  readonly leftOut: number;
}

/** Whether a file may be read: by its path from the root, and where that really is. */
export type MayRead = (path: string, realPath: string) => boolean;

interface WalkOptions {
  readonly workspace: Workspace;
  readonly root: string;
  /** Where to begin, in real parts from the root. */
  readonly start: readonly string[];
  /** Says no to what was not asked for. */
  readonly wants: (path: string) => boolean;
  readonly mayRead: MayRead;
  readonly isOver: () => boolean;
}

interface Walk extends WalkOptions {
  /** What scripts of the run changed: it is searched instead of the real files. */
  readonly seen: SeenFolders | undefined;
  leftOut: number;
}

const MAX_DEPTH = 200;
const MAX_IGNORE_BYTES = 128 * 1024;

/**
 * The text files below a folder: those of a folder by name, then its folders by name. No link is
 * followed. Left out are `.git`, what a `.gitignore` names, secrets, binary and too large files. Files
 * that may not be read are counted regardless of their content, so the number discloses nothing about it.
 */
export function walkFiles(options: WalkOptions): Generator<FoundText> {
  const walk: Walk = { ...options, seen: options.workspace.changes?.seenFolders(), leftOut: 0 };
  return walkFolder(walk, options.start, rulesAt(options));
}

function* walkFolder(
  walk: Walk,
  segments: readonly string[],
  inherited: IgnoreRules,
): Generator<FoundText> {
  if (walk.isOver() || segments.length > MAX_DEPTH) return;
  const opened = openFolder(walk.root, segments);
  const changed = walk.seen?.get(segments.join("/"));
  // A script may have made the folder.
  if (!opened.ok && changed === undefined) return;
  const folder = opened.ok ? opened.folder : undefined;
  const prefix = prefixOf(segments);
  const folders: string[] = [];
  let rules = inherited;
  try {
    const entries = readEntries(folder, changed);
    if (folder !== undefined && entries.some(({ name }) => name === ".gitignore")) {
      rules = withIgnoreFile(folder, prefix, inherited);
    }
    for (const { name, type, copy } of entries) {
      if (walk.isOver()) return;
      const path = `${prefix}${name}`;
      const isFolder = type === "folder";
      const isWanted = isFolder ? name !== ".git" : type === "file" && walk.wants(path);
      if (!isWanted || isIgnored(rules, isFolder ? `${path}/` : path)) continue;
      if (isSecretFile([...segments, name])) walk.leftOut++;
      else if (isFolder) folders.push(name);
      else if (walk.mayRead(path, join(walk.root, path))) {
        const text = readText(copy ?? folder?.child(name) ?? "", walk.workspace.maxFileBytes);
        if (text !== undefined) yield { path, text, leftOut: walk.leftOut };
      } else walk.leftOut++;
    }
  } finally {
    folder?.close();
  }
  yield { path: prefix, text: "", leftOut: walk.leftOut };
  for (const name of folders) yield* walkFolder(walk, [...segments, name], rules);
}

interface WalkedEntry {
  readonly name: string;
  readonly type: SeenEntry["type"] | "other";
  /** The path of the copy that a script left. */
  readonly copy?: string;
}

function readEntries(
  folder: OpenFolder | undefined,
  changed: ReadonlyMap<string, SeenEntry> = new Map(),
): WalkedEntry[] {
  const entries = [...changed].map(([name, entry]): WalkedEntry => {
    return { name, ...entry };
  });
  try {
    for (const entry of folder ? readdirSync(folder.itself, { withFileTypes: true }) : []) {
      const { name } = entry;
      if (changed.has(name)) continue;
      const other = entry.isFile() ? "file" : "other";
      entries.push({ name, type: entry.isDirectory() ? "folder" : other });
    }
  } catch {
    // What cannot be listed is not searched.
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of a file; undefined when it is not text, has several names, or may not be read. */
export function readText(path: string, maxBytes: number): string | undefined {
  const bytes = readRegular(path, maxBytes, 1);
  return bytes && textOf(bytes)?.replace(/^\uFEFF/, "");
}

function readRegular(path: string, maxBytes: number, maxNames: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    const { stats, ...opened } = openRegular(path, { maxBytes });
    descriptor = opened.descriptor;
    return stats.nlink > maxNames ? undefined : readUpTo(descriptor, stats.size, stats.size);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function prefixOf(segments: readonly string[]): string {
  return segments.map((segment) => `${segment}/`).join("");
}

/** The `.gitignore` of folders (`""` or `src/`), the nearest first. */
type IgnoreRules = readonly { readonly folder: string; readonly rules: Ignore }[];

/** As git does by default: names differ by case where files do. */
const OPTIONS = { ignorecase: process.platform === "darwin" || process.platform === "win32" };
const MAX_LINES = 5000;
/** Lines that can cost much; each wildcard multiplies the steps that a hostile name takes. */
const MAX_COSTLY_LINES = 50;
const CHEAP_WILDCARDS = 2;
const MAX_WILDCARDS = 4;
const MAX_LINE_LENGTH = 256;

/** The nearest `.gitignore` that says anything about a path decides. Folders end in `/`. */
function isIgnored(chain: IgnoreRules, path: string): boolean {
  for (const { folder, rules } of chain) {
    if (!path.startsWith(folder) || path === folder) continue;
    const { ignored, unignored } = rules.test(path.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** What the folders above the start say; nothing when they ignore the start, which somebody named. */
function rulesAt({ root, start }: WalkOptions): IgnoreRules {
  let rules: IgnoreRules = [];
  for (const depth of start.keys()) {
    const above = start.slice(0, depth);
    const known = rules;
    const found = inFolder(root, above, (one) => withIgnoreFile(one, prefixOf(above), known));
    if (found === undefined || isIgnored(found, prefixOf(start.slice(0, depth + 1)))) return [];
    rules = found;
  }
  return rules;
}

function withIgnoreFile(open: OpenFolder, folder: string, chain: IgnoreRules): IgnoreRules {
  const many = Number.POSITIVE_INFINITY;
  const bytes = readRegular(open.child(".gitignore"), MAX_IGNORE_BYTES, many);
  if (bytes === undefined) return chain;
  const rules = ignore(OPTIONS).add(boundedLines(bytes.toString("utf8")));
  return [{ folder, rules }, ...chain];
}

/**
 * Patterns become regular expressions that try every way to fill their wildcards, and a project's
 * `.gitignore` may be written to make that last for ever. Real ones have few wildcards.
 */
function boundedLines(text: string): string[] {
  let costly = 0;
  return text
    .split(/\r?\n/)
    .slice(0, MAX_LINES)
    .filter((line) => {
      if (wildcardsIn(line) <= CHEAP_WILDCARDS) return line.length <= MAX_LINE_LENGTH;
      return isBounded(line) && costly++ < MAX_COSTLY_LINES;
    });
}

/** A pattern in the grammar of `.gitignore` that says yes or no; undefined when it is too costly. */
export function pathMatcher(patterns: readonly string[]): ((path: string) => boolean) | undefined {
  if (!patterns.every(isBounded)) return undefined;
  const rules = ignore(OPTIONS).add([...patterns]);
  return (path) => rules.ignores(path);
}

function isBounded(pattern: string): boolean {
  return pattern.length <= MAX_LINE_LENGTH && wildcardsIn(pattern) <= MAX_WILDCARDS;
}

function wildcardsIn(pattern: string): number {
  return pattern.match(/\*+/g)?.length ?? 0;
}

const MAX_PATTERNS = 64;

/** `*.{ts,tsx}` as `*.ts` and `*.tsx`; groups inside groups stay as they are. */
export function expandBraces(pattern: string): readonly string[] {
  let patterns = [""];
  for (const part of pattern.split(/(\{[^{}]*,[^{}]*\})/)) {
    const isGroup = part.startsWith("{") && part.endsWith("}") && part.includes(",");
    const choices = isGroup ? part.slice(1, -1).split(",") : [part];
    patterns = patterns.flatMap((head) => choices.map((choice) => head + choice));
    if (patterns.length > MAX_PATTERNS) return [pattern];
  }
  return patterns;
}
