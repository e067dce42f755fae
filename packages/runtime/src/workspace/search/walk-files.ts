import { openRegular, readRegularFile, readUpTo } from "@skillwright/core/internal";
import ignore, { type Ignore } from "ignore";
import { isUtf8 } from "node:buffer";
import { closeSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openFolder, type OpenFolder } from "../confinement/open-folder.ts";
import { isSecretFile } from "../confinement/protected-files.ts";
import type { SeenEntry, SeenFile, SeenFolders } from "../../changes/run-changes.ts";
import type { Workspace } from "../workspace.ts";

/** Which files a search passes over. Paths are relative to the working directory; folders end in `/`. */
interface IgnoreRules {
  ignores(path: string): boolean;
  /** The same rules and those of the `.gitignore` of one more folder (`` or `src/`). */
  with(folder: string, text: string): IgnoreRules;
}

interface FolderRules {
  readonly folder: string;
  readonly rules: Ignore;
}

/** As git does by default: names differ by case where files do. */
const OPTIONS = { ignorecase: process.platform === "darwin" || process.platform === "win32" };
const MAX_LINES = 5000;
/** Lines that can cost much; each wildcard multiplies the steps that a hostile name takes. */
const MAX_COSTLY_LINES = 50;
const CHEAP_WILDCARDS = 2;
const MAX_WILDCARDS = 4;
const MAX_LINE_LENGTH = 256;

const NO_RULES: IgnoreRules = rulesOf([]);

/** A pattern in the grammar of `.gitignore` that says yes or no; undefined when it is too costly. */
export function pathMatcher(patterns: readonly string[]): ((path: string) => boolean) | undefined {
  if (patterns.some((pattern) => !isBounded(pattern))) return undefined;
  const rules = ignore(OPTIONS).add([...patterns]);
  return (path) => rules.ignores(path);
}

/** The nearest `.gitignore` that says anything about a path decides. */
function rulesOf(chain: readonly FolderRules[]): IgnoreRules {
  return {
    ignores(path) {
      for (const { folder, rules } of chain) {
        if (!path.startsWith(folder) || path === folder) continue;
        const { ignored, unignored } = rules.test(path.slice(folder.length));
        if (ignored || unignored) return ignored;
      }
      return false;
    },
    with: (folder, text) =>
      rulesOf([{ folder, rules: ignore(OPTIONS).add(boundedLines(text)) }, ...chain]),
  };
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

function isBounded(pattern: string): boolean {
  return pattern.length <= MAX_LINE_LENGTH && wildcardsIn(pattern) <= MAX_WILDCARDS;
}

function wildcardsIn(pattern: string): number {
  return pattern.match(/\*+/g)?.length ?? 0;
}

export interface FoundText {
  readonly path: string;
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
  /** What scripts of the run changed: it is searched instead of the real files. */
  readonly seen: SeenFolders | undefined;
}

const MAX_DEPTH = 200;
const MAX_IGNORE_BYTES = 128 * 1024;

/**
 * The text files below a folder: those of a folder by name, then its folders by name. No link is
 * followed. Left out are `.git`, what a `.gitignore` names, secrets, binary and too large files.
 * Yields undefined where the caller may pause, and returns how many files may not be read. They are
 * counted regardless of their content, so the number discloses nothing about it.
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
  const changed = options.seen?.get(segments.join("/"));
  // A script may have made the folder.
  if (!opened.ok && changed === undefined) return leftOut;
  const folder = opened.ok ? opened.folder : undefined;
  const prefix = segments.map((segment) => `${segment}/`).join("");
  const folders: string[] = [];
  let rules = inherited;
  try {
    const entries = readEntries(folder, changed);
    if (folder !== undefined && entries.some(({ name }) => name === ".gitignore")) {
      rules = withIgnoreFile(folder, prefix, inherited);
    }
    for (const entry of entries) {
      if (options.isOver()) return leftOut;
      const { name, type, file } = entry;
      const path = `${prefix}${name}`;
      if (type === "folder") {
        const isPassedOver = name === ".git" || rules.ignores(`${path}/`);
        if (!isPassedOver && !isSecretFile([...segments, name])) folders.push(name);
      } else if (type === "file" && options.wants(path) && !rules.ignores(path)) {
        if (isSecretFile([...segments, name])) continue;
        if (!options.mayRead(path, join(options.root, path))) {
          leftOut++;
          continue;
        }
        const text =
          file === undefined
            ? folder && readText(folder, name, options.workspace)
            : readSeenText(file, options.workspace);
        if (text !== undefined) yield { path, text, leftOut };
      }
    }
  } finally {
    folder?.close();
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

interface WalkedEntry {
  readonly name: string;
  readonly type: "file" | "folder" | "other";
  /** The copy that a script left. */
  readonly file?: SeenFile;
}

function readEntries(
  folder: OpenFolder | undefined,
  changed: ReadonlyMap<string, SeenEntry | "deleted"> = new Map(),
): WalkedEntry[] {
  const entries: WalkedEntry[] = [];
  for (const [name, entry] of changed) {
    if (entry === "deleted") continue;
    if (entry.type === "file") entries.push({ name, type: "file", file: entry.file });
    else if (entry.type === "folder") entries.push({ name, type: "folder" });
  }
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

/** The text of a file as a script of this run left it. */
export function readSeenText(
  { folder, name }: SeenFile,
  { maxFileBytes }: Workspace,
): string | undefined {
  try {
    return textIn(readRegularFile(join(folder, name), { maxBytes: maxFileBytes }));
  } catch {
    return undefined;
  }
}

/** The text of one file of an open folder; undefined when it is not text, or may not be read. */
export function readText(
  folder: OpenFolder,
  name: string,
  { maxFileBytes }: Workspace,
): string | undefined {
  return textIn(readRegular(folder, name, maxFileBytes));
}

function textIn(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

function readRegular(
  folder: OpenFolder,
  name: string,
  maxBytes: number,
  mayHaveOtherNames = false,
): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    const { stats, ...opened } = openRegular(folder.child(name), { maxBytes });
    descriptor = opened.descriptor;
    if (stats.nlink > 1 && !mayHaveOtherNames) return undefined;
    return readUpTo(descriptor, stats.size, stats.size);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
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
