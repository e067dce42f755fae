import type { Failure } from "@skillwright/core";
import {
  defined,
  imageTypeOf,
  plural,
  resolvedNote,
  readFile as readConfined,
  visibleLine,
} from "@skillwright/core/internal";
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SeenEntry } from "../../changes/run-changes.ts";
import {
  folderFailure,
  openFolder,
  type OpenFolder,
  quotePath,
  refuse,
  systemFailure,
  type WorkspaceFailure,
} from "../confinement/open-folder.ts";
import { locate, MAX_NAMES, namesIn } from "../confinement/workspace-path.ts";
import { defineWorkspaceTool, type Workspace, type WorkspaceTool } from "../workspace.ts";

interface ReadFileResult {
  readonly ok: true;
  readonly path: string;
  readonly text: string;
  readonly startLine: number;
  /** 0 for an empty file. */
  readonly endLine: number;
  readonly totalLines?: number;
  /** Of the file, in bytes. */
  readonly size: number;
  /** Less than what was asked for; the rest begins at `endLine + 1`. */
  readonly truncated: boolean;
  /** The name that was asked for, where the file has another one. */
  readonly resolvedFrom?: string;
}

/** A picture, for a model that can look at it. */
interface ReadImageResult {
  readonly ok: true;
  readonly kind: "image";
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** The bytes in base64, for hosts to attach. */
  readonly image: { readonly mediaType: string; readonly data: string };
}

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

export function readFileTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "read_file",
    description: "Reads a text file, or some lines of it, or an image (PNG, JPEG, GIF, WebP).",
    parameters: {
      path: { type: "string" },
      start_line: { type: "integer", minimum: 1, optional: true, description: "From 1." },
      end_line: { type: "integer", minimum: 1, optional: true, description: "Inclusive." },
      limit: {
        type: "integer",
        minimum: 1,
        optional: true,
        description: "Lines to read, instead of end_line.",
      },
      line_numbers: { type: "boolean", optional: true },
    },
    run: async ({ path, start_line, end_line, limit, line_numbers }) =>
      readWorkspaceFile(workspace, path, {
        startLine: start_line,
        endLine: lastLine(start_line, end_line, limit),
        lineNumbers: line_numbers ?? false,
      }),
    toText: readText,
  });
}

/** The nearer end counts when both are given. */
function lastLine(start = 1, end?: number, limit?: number): number | undefined {
  if (limit === undefined) return end;
  const last = Math.min(start + limit - 1, Number.MAX_SAFE_INTEGER);
  return end === undefined ? last : Math.min(end, last);
}

interface Range {
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  readonly lineNumbers: boolean;
}

async function readWorkspaceFile(
  workspace: Workspace,
  asked: string,
  range: Range,
): Promise<ReadFileResult | ReadImageResult | Failure> {
  const located = await locate(asked, workspace);
  if (!located.ok) return located;
  const { segments, seen } = located;
  const copy = seen?.type === "file" ? seen.copy : undefined;
  const directory = copy === undefined ? located.root : dirname(copy);
  const real = copy === undefined ? located.real.join("/") : basename(copy);
  const path = segments.join("/");
  const stats = await lstat(join(directory, real)).catch(() => undefined);
  if (stats?.isDirectory() === true) {
    const hint = "Use list_directory to see what is in it.";
    return refuse("not-a-file", `${quotePath(path || ".")} is a folder`, hint);
  }
  const { maxFileBytes, maxOutputBytes } = workspace;
  if ((stats?.size ?? 0) > maxFileBytes) return tooLarge(path, stats?.size ?? 0, maxFileBytes);
  // Links were resolved above; from here on every link means that something was swapped.
  const options = { ...defined(range), maxBytes: maxOutputBytes, page: true };
  const read = await readConfined({ directory }, real, options);
  if (!read.ok) return inWorkspaceWords(read, path);
  const { size } = read;
  if (size > maxFileBytes) return tooLarge(path, size, maxFileBytes);
  if (read.kind === "binary") {
    const message = `${quotePath(path)} is not text (${read.mediaType}, ${plural(size, "byte")})`;
    const image = await readImage(path, directory, real);
    return image ?? refuse("file-binary", message, "This tool cannot show it.");
  }
  const { text, startLine, endLine, totalLines, truncated } = read;
  const lines = defined({ startLine, endLine, totalLines });
  return { ok: true, path, text, ...lines, size, truncated };
}

/** Undefined for other files, and for images that are too large for a model. */
async function readImage(
  path: string,
  directory: string,
  real: string,
): Promise<ReadImageResult | undefined> {
  const options = { bytes: true, maxBytes: MAX_IMAGE_BYTES };
  const read = await readConfined({ directory }, real, options);
  if (!read.ok || read.kind !== "binary" || read.bytes === undefined) return undefined;
  const bytes = Buffer.from(read.bytes);
  const mediaType = imageTypeOf(bytes);
  if (mediaType === undefined) return undefined;
  const image = { mediaType, data: bytes.toString("base64") };
  return { ok: true, kind: "image", path, mediaType, bytes: bytes.length, image };
}

function readText(result: ReadFileResult | ReadImageResult): string {
  if ("image" in result) return `${result.mediaType}, ${result.bytes} bytes`;
  const { path, startLine, endLine, totalLines, truncated, resolvedFrom } = result;
  const head = resolvedFrom === undefined ? "" : `${resolvedNote(path, resolvedFrom)}\n`;
  const text = `${head}${result.text}`;
  if (!truncated) return text;
  const of = totalLines === undefined ? "" : ` of ${totalLines}`;
  const note = `[Lines ${startLine} to ${endLine}${of}. Continue with start_line ${endLine + 1}.]`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}${note}`;
}

const IN_OUR_WORDS: Readonly<Record<string, string>> = {
  "link-refused": "became a link, or has a second name (a hard link)",
  "not-a-file": "is not a regular file",
  "file-not-found": "does not exist",
};

/** Core words its failures for skills. */
function inWorkspaceWords({ code, message, hint }: Failure, path: string): Failure {
  const words = IN_OUR_WORDS[code];
  if (words !== undefined) return { ok: false, code, message: `${quotePath(path)} ${words}` };
  return { ok: false, code, message, ...(code === "range-invalid" && defined({ hint })) };
}

function tooLarge(path: string, size: number, limit: number): WorkspaceFailure {
  const message = `${quotePath(path)} is ${size} bytes long; the limit is ${limit}`;
  return refuse("file-too-large", message, "This tool cannot read it.");
}

/**
 * The path of the one file or folder that differs only in upper and lower case; undefined where the path
 * itself exists, or none or several fit. Follows no links.
 */
export function pathInOtherCase(
  { root, changes }: Pick<Workspace, "root" | "changes">,
  segments: readonly string[],
): string | undefined {
  const seen = changes?.seen(segments)?.type;
  if (root === undefined || seen === "file" || seen === "deleted") return undefined;
  const found: string[] = [];
  for (const segment of segments) {
    const names = namesIn(root, found);
    const fold = (name: string) => name.normalize("NFC").toLowerCase();
    const fitting = names.filter((name) => fold(name) === fold(segment));
    const [fit] = fitting.includes(segment) ? [segment] : fitting;
    const isUnclear = fit !== segment && (fitting.length > 1 || names.length >= MAX_NAMES);
    if (fit === undefined || isUnclear) return undefined;
    found.push(fit);
  }
  const path = found.join("/");
  return path === segments.join("/") ? undefined : path;
}

interface ListDirectoryResult {
  readonly ok: true;
  readonly path: string;
  /** By name. */
  readonly entries: readonly ListedEntry[];
  /** How many more there are. */
  readonly left: number;
}

interface ListedEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Of files, in bytes. */
  readonly size?: number;
}

const MAX_ENTRIES = 2000;

export function listDirectoryTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "list_directory",
    description: "Lists a folder: files with sizes, folders with /, links with @.",
    parameters: {
      path: { type: "string", optional: true, description: "Default: the working directory." },
      after: { type: "string", optional: true, description: "Continue after this name." },
    },
    run: async ({ path = ".", after = "" }) => listWorkspaceFolder(workspace, path, after),
    toText: listText,
  });
}

async function listWorkspaceFolder(
  workspace: Workspace,
  asked: string,
  after: string,
): Promise<ListDirectoryResult | Failure> {
  const located = await locate(asked, workspace);
  if (!located.ok) return located;
  const { root, segments, real, seen } = located;
  const opened = openFolder(root, real);
  // A script may have made the folder.
  if (!opened.ok && seen?.type !== "folder") return folderFailure(opened.reason, segments);
  const folder = opened.ok ? opened.folder : undefined;
  const path = segments.join("/") || ".";
  try {
    const found = new Map<string, () => ListedEntry>();
    if (folder !== undefined) {
      for (const entry of readdirSync(folder.itself, { withFileTypes: true })) {
        found.set(entry.name, () => describe(folder, entry));
      }
      if (!folder.isInPlace()) return folderFailure("changing", segments);
    }
    for (const [name, entry] of workspace.changes?.seenFolders().get(real.join("/")) ?? []) {
      if (entry.type === "deleted") found.delete(name);
      else found.set(name, () => describeSeen(name, entry));
    }
    const names = [...found.keys()].filter((name) => name > after).toSorted();
    const entries: ListedEntry[] = [];
    let bytes = 0;
    for (const name of names.slice(0, MAX_ENTRIES)) {
      bytes += Buffer.byteLength(name) + 30;
      const entry = bytes > workspace.maxOutputBytes ? undefined : found.get(name)?.();
      if (entry === undefined) break;
      entries.push(entry);
    }
    return { ok: true, path, entries, left: names.length - entries.length };
  } catch (error) {
    return systemFailure(error, quotePath(path), "file-unreadable");
  } finally {
    folder?.close();
  }
}

/** As a script of this run left it. */
function describeSeen(name: string, entry: SeenEntry): ListedEntry {
  const { type } = entry;
  const kind = type === "special" || type === "deleted" ? "other" : type;
  return { name: visibleLine(name), kind, ...(entry.type === "file" && { size: entry.size }) };
}

function describe(folder: OpenFolder, entry: Dirent): ListedEntry {
  const name = visibleLine(entry.name);
  if (entry.isDirectory()) return { name, kind: "folder" };
  if (entry.isSymbolicLink()) return { name, kind: "link" };
  if (!entry.isFile()) return { name, kind: "other" };
  const size = lstatSync(folder.child(entry.name), { throwIfNoEntry: false })?.size;
  return { name, kind: "file", ...defined({ size }) };
}

const SIGNS = { file: "", folder: "/", link: "@", other: "?" } as const;

function listText({ entries, left }: ListDirectoryResult): string {
  if (entries.length === 0) return "The folder is empty.";
  const lines = entries.map(({ name, kind, size }) => {
    const shown = `${name}${SIGNS[kind]}`;
    return size === undefined ? shown : `${shown}\t${size}`;
  });
  const last = entries.at(-1)?.name ?? "";
  const note = `[${left} more. Continue with after ${quotePath(last)}.]`;
  return [...lines, ...(left > 0 ? [note] : [])].join("\n");
}
