import { estimateTokens } from "../format/body/estimate-tokens.ts";
import { findReferences } from "../format/body/markdown.ts";
import { plural, promptLine } from "../internal/text.ts";

export interface ListedFile {
  readonly path: string;
  /** In bytes; absent for text that code makes only when it is read. */
  readonly size?: number;
}

export interface FileListOptions {
  /** The instructions; files that they mention come first. */
  readonly body: string;
  /** There are more files than these. */
  readonly moreFiles?: boolean | undefined;
  /** Default 400. */
  readonly maxTokens?: number | undefined;
  /** The tool that lists a folder, named in the last line. */
  readonly listTool?: string | undefined;
}

interface Folder {
  readonly path: string;
  readonly files: ListedFile[];
  readonly folders: Map<string, Folder>;
  /** Files below it by extension. */
  readonly kinds: Map<string, number>;
  /** Of the files below it, some have a line already. */
  hasListed: boolean;
}

type Entry = ListedFile | Folder;

const MAX_TOKENS = 400;
/** The rest is for an overview of the other files. */
const SHARE_OF_FIRST = 0.75;
/** Folders with more files than this are one line. */
const LARGE_FOLDER = 8;
const MAX_SEGMENTS = 10;
/** No path is longer, and no body has mentions that matter further on. */
const MAX_WORD = 1024;
const MAX_TEXT = 200_000;
/** More files than this are not looked for one by one. */
const MAX_NAMES = 100;
const SCRIPT = /\.(?:py|sh|bash|js|mjs|cjs|ts|mts|rb|pl|ps1|php|lua|r)$/i;
const IN_SCRIPTS = /(?:^|\/)scripts?\//i;
const DATA_FOLDER = /^(?:assets|references?|templates)\//i;
const WORDS = /[\p{L}\p{N}_.+@-]+(?:\/[\p{L}\p{N}_.+@-]+)*/gu;
/** Text without spaces between words, such as Chinese, runs into the names of files. */
const ASCII_WORDS = /[A-Za-z0-9_.+@-]+(?:\/[A-Za-z0-9_.+@-]+)*/g;
const NOT_ASCII = /[^\t\n\x20-\x7e]/;

/**
 * One line per file within a token budget: first what the instructions mention, in that order, then
 * scripts, then the rest, where large folders are one line (`schemas/ (39 .xsd files)`). The last line
 * says how many files have no line. The same input always gives the same lines.
 */
export function fileListLines(files: readonly ListedFile[], options: FileListOptions): string[] {
  const { body, moreFiles = false, maxTokens = MAX_TOKENS, listTool } = options;
  if (files.length === 0) return [];
  const budget = maxTokens - tokensOf(lastLine(files.length, true, listTool));
  const first: ListedFile[] = [];
  let used = 0;
  for (const file of firstFiles(files, body)) {
    const tokens = tokensOf(lineOf(file));
    if (used + tokens > budget * SHARE_OF_FIRST) continue;
    first.push(file);
    used += tokens;
  }
  const listed = new Set(first);
  const root = folderTree(files, listed);
  const entries = fittingEntries(root, budget - used);
  const unnamed = files.length - first.length - entries.filter((entry) => !isFolder(entry)).length;
  return [
    ...[...first, ...entries].map(lineOf),
    ...(unnamed > 0 || moreFiles ? [lastLine(unnamed, moreFiles, listTool)] : []),
  ];
}

function lastLine(unnamed: number, moreFiles: boolean, listTool: string | undefined): string {
  const count = `${moreFiles ? "more than " : ""}${plural(unnamed, "more file")}`;
  const how = listTool === undefined ? "list a folder" : `call ${listTool} with a folder`;
  return `and ${count}; ${how} to see its files`;
}

function firstFiles(files: readonly ListedFile[], body: string): ListedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const mentioned = mentionedPaths([...byPath.keys()], body);
  const scripts = files
    .filter(({ path }) => isScript(path) && !mentioned.has(path))
    .sort((a, b) => scriptRank(a.path) - scriptRank(b.path));
  return [...Array.from(mentioned, (path) => byPath.get(path)), ...scripts].filter(
    (file) => file !== undefined,
  );
}

function isScript(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "__init__.py" || DATA_FOLDER.test(path)) return false;
  return SCRIPT.test(name) || (IN_SCRIPTS.test(path) && !name.includes("."));
}

/** Those in a folder for scripts come first, and those in folders of folders last. */
function scriptRank(path: string): number {
  return path.split("/").length + (IN_SCRIPTS.test(path) ? 0 : 1000);
}

/** Paths in the order in which a text first mentions them: whole, by their end, or by their name. */
function mentionedPaths(paths: readonly string[], body: string): Set<string> {
  const text = body.slice(0, MAX_TEXT);
  const byPath = groupBy(paths, (path) => path.toLowerCase());
  const byName = groupBy(paths, (path) => path.slice(path.lastIndexOf("/") + 1).toLowerCase());
  const mayMention = mentionTest([...byName.keys()], text);
  const mentioned = new Set<string>();
  if (!mayMention(text)) return mentioned;
  const mentions = [
    ...findReferences(text).map(({ path, start }) => ({ word: path, start })),
    ...wordsOf(text, mayMention),
  ].sort((a, b) => a.start - b.start);
  const seen = new Set<string>();
  for (const { word } of mentions) {
    if (word.length > MAX_WORD || seen.has(word)) continue;
    seen.add(word);
    for (const path of pathsOf(word, byPath, byName)) mentioned.add(path);
  }
  return mentioned;
}

/** Whether a part of the text may mention one of the files: few lines do. */
function mentionTest(names: readonly string[], text: string): (part: string) => boolean {
  // A link may escape any character.
  if (names.length > MAX_NAMES || text.includes("%")) return () => true;
  const lower = text.toLowerCase();
  const present = names.filter((name) => lower.includes(name));
  return (part) => {
    const folded = part.toLowerCase();
    return present.some((name) => folded.includes(name));
  };
}

function* wordsOf(text: string, mayMention: (line: string) => boolean) {
  let lineStart = 0;
  for (const line of text.split("\n")) {
    if (mayMention(line)) {
      const patterns = NOT_ASCII.test(line) ? [WORDS, ASCII_WORDS] : [ASCII_WORDS];
      for (const pattern of patterns) {
        for (const { 0: word, index } of line.matchAll(pattern)) {
          yield { word, start: lineStart + index };
        }
      }
    }
    lineStart += line.length + 1;
  }
}

function pathsOf(
  word: string,
  byPath: ReadonlyMap<string, readonly string[]>,
  byName: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const segments = word
    .replace(/\.+$/, "")
    .split("/")
    .filter((segment) => segment !== ".")
    .slice(-MAX_SEGMENTS);
  // A word such as "license" is not the file LICENSE.
  const isName = segments.length > 1 || word.includes(".");
  for (let from = 0; from < segments.length; from++) {
    const found = byPath.get(segments.slice(from).join("/").toLowerCase());
    if (found !== undefined) return isName ? found : found.filter((path) => path === word);
  }
  if (!isName) return [];
  const end = `/${segments.join("/").toLowerCase()}`;
  const named = byName.get(segments.at(-1)?.toLowerCase() ?? "") ?? [];
  const ending = named.filter((path) => `/${path}`.toLowerCase().endsWith(end));
  return ending.length === 1 ? ending : [];
}

function groupBy(
  paths: readonly string[],
  keyOf: (path: string) => string,
): Map<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const group = groups.get(keyOf(path));
    if (group === undefined) groups.set(keyOf(path), [path]);
    else group.push(path);
  }
  return groups;
}

/** The files without a line, by folder. */
function folderTree(files: readonly ListedFile[], listed: ReadonlySet<ListedFile>): Folder {
  const root = newFolder("");
  for (const file of files) {
    const segments = file.path.split("/");
    const name = segments.pop() ?? "";
    const isListed = listed.has(file);
    let folder = root;
    for (const segment of segments) {
      let child = folder.folders.get(segment);
      if (child === undefined) {
        child = newFolder(`${folder.path}${segment}/`);
        folder.folders.set(segment, child);
      }
      if (isListed) child.hasListed = true;
      else child.kinds.set(extensionOf(name), (child.kinds.get(extensionOf(name)) ?? 0) + 1);
      folder = child;
    }
    if (!isListed) folder.files.push(file);
  }
  return root;
}

function newFolder(path: string): Folder {
  return { path, files: [], folders: new Map(), kinds: new Map(), hasListed: false };
}

function extensionOf(name: string): string {
  return /[^.](\.[A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Folders as one line each, then opened as far as there is room, those with few files first. */
function fittingEntries(root: Folder, budget: number): Entry[] {
  const entries = new Set<Entry>();
  let left = budget;
  const top = childrenOf(root);
  for (const entry of [...top.filter(isFolder), ...top.filter((one) => !isFolder(one))]) {
    const tokens = tokensOf(lineOf(entry));
    if (tokens > left) continue;
    entries.add(entry);
    left -= tokens;
  }
  const closed = new Set([...entries].filter(isFolder).filter(mayBeOpened));
  while (closed.size > 0) {
    const [smallest] = [...closed].sort((a, b) => countOf(a) - countOf(b));
    if (smallest === undefined) break;
    closed.delete(smallest);
    const inside = childrenOf(smallest);
    const more = inside.reduce((sum, entry) => sum + tokensOf(lineOf(entry)), 0);
    const tokens = more - tokensOf(lineOf(smallest));
    if (tokens > left) continue;
    left -= tokens;
    entries.delete(smallest);
    for (const entry of inside) entries.add(entry);
    for (const entry of inside.filter(isFolder).filter(mayBeOpened)) closed.add(entry);
  }
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Not folders with many files, nor with many files of one kind in folders below. */
function mayBeOpened(folder: Folder): boolean {
  const isUniform = folder.kinds.size === 1 && countOf(folder) > LARGE_FOLDER;
  return !isUniform && folder.files.length <= LARGE_FOLDER;
}

function childrenOf({ files, folders }: Folder): Entry[] {
  return [...files, ...Array.from(folders.values()).flatMap(shortened)];
}

/** A folder with nothing but a folder is that folder; one with a single file is the file. */
function shortened(folder: Folder): Entry[] {
  if (countOf(folder) === 0) return [];
  const filled = [...folder.folders.values()].filter((child) => countOf(child) > 0);
  const [only] = filled;
  if (folder.files.length === 0 && filled.length === 1 && only) return shortened(only);
  return countOf(folder) === 1 ? [...folder.files] : [folder];
}

function countOf({ kinds }: Folder): number {
  return [...kinds.values()].reduce((sum, count) => sum + count, 0);
}

function isFolder(entry: Entry): entry is Folder {
  return "kinds" in entry;
}

function lineOf(entry: Entry): string {
  const path = promptLine(entry.path).slice(0, 500);
  if (!isFolder(entry)) {
    const { size } = entry;
    return size === undefined ? path : `${path} (${size} ${size === 1 ? "byte" : "bytes"})`;
  }
  const [kind = ""] = entry.kinds.size === 1 ? entry.kinds.keys() : [];
  const noun = [entry.hasListed ? "more" : "", promptLine(kind), "file"]
    .filter((word) => word !== "")
    .join(" ");
  return `${path} (${plural(countOf(entry), noun)})`;
}

function tokensOf(line: string): number {
  return estimateTokens(`${line}\n`);
}
