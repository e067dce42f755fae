import { SkillwrightError } from "@skillwright/core";
import {
  type DirectoryEntry,
  openSettled,
  readUpTo,
  walkDirectory,
} from "@skillwright/core/internal";
import { closeSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { leftOutAs } from "../archive/entries/left-out.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { PackLimits } from "../pack-limits.ts";
import { secretProblem } from "./secret-problem.ts";

export interface PackedFile {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  readonly content: Buffer;
  readonly executable: boolean;
}

export interface CollectOptions {
  readonly limits: Pick<PackLimits, "files" | "bytes">;
  readonly allowSecrets: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface CollectedFiles {
  readonly ok: true;
  /** In byte order of their paths. */
  readonly files: readonly PackedFile[];
  readonly leftOut: readonly string[];
}

const MAX_ENTRIES = 50_000;
const FILES_AT_ONCE = 32;
const DOCUMENT = /\.(?:md|txt|json|ya?ml|toml|csv|tsv|xml|html?|css|svg|png|jpe?g|gif|webp|pdf)$/i;

/** The content of a skill's folder, read once: what is checked afterwards is what is packed. */
export async function collectFiles(
  directory: string,
  options: CollectOptions,
): Promise<CollectedFiles | PackFailure> {
  try {
    const root = realpathSync.native(directory);
    const walked = await walkDirectory(root, { maxEntries: MAX_ENTRIES, skip: LEFT_OUT_FOLDERS });
    if (walked.truncated) return tooMuch(directory, "too many or too deep files and folders");
    const unreadable = walked.unreadable[0];
    if (unreadable !== undefined) return refused(directory, unreadable, "cannot be read");
    const leftOut = walked.entries.filter(({ path }) => isLeftOut(path));
    const entries = walked.entries.filter(({ path }) => !isLeftOut(path));
    const read = await readEntries(directory, root, entries, options);
    return Array.isArray(read)
      ? { ok: true, files: read, leftOut: leftOut.map(({ path }) => join(directory, path)) }
      : read;
  } catch (error) {
    if (!SkillwrightError.isInstance(error) && !isSystemError(error)) throw error;
    const code =
      isSystemError(error) && error.code === "ENOENT" ? "source-missing" : "source-unreachable";
    const message = `the folder ${JSON.stringify(directory)} cannot be read: ${error.message}`;
    return { ok: false, code, message };
  }
}

async function readEntries(
  directory: string,
  root: string,
  entries: readonly DirectoryEntry[],
  { limits, allowSecrets, signal }: CollectOptions,
): Promise<PackedFile[] | PackFailure> {
  if (entries.length > limits.files) return tooMuch(directory, `more than ${limits.files} files`);
  const files: PackedFile[] = [];
  let bytes = 0;
  for (const { path, kind } of entries) {
    if (signal?.aborted === true) return canceled();
    if (kind !== "file") {
      const what = kind === "link" ? "is a link" : "is a pipe, socket or device";
      return refused(directory, path, `${what}; only plain files are packed`);
    }
    if (files.length % FILES_AT_ONCE === 0) await setImmediate();
    const file = await readEntry(root, path, limits.bytes - bytes);
    if (typeof file === "string") return refused(directory, path, `cannot be read (${file})`);
    if (file === undefined) return tooMuch(directory, `more than ${limits.bytes} bytes`);
    const secret = allowSecrets ? undefined : secretProblem(path, file.content);
    if (secret !== undefined) return secretRefused(directory, path, secret);
    bytes += file.content.length;
    files.push({ path, content: file.content, executable: isExecutable(path, file) });
  }
  return files;
}

/** Undefined when it has more bytes than are left, or why it cannot be read. */
async function readEntry(root: string, path: string, most: number) {
  const opened = await openSettled(root, path.split("/"));
  if (!opened.ok) return opened.errorCode ?? opened.reason;
  const { descriptor, stats } = opened;
  try {
    if (stats.size > most) return undefined;
    const content = readUpTo(descriptor, most + 1, stats.size);
    return content.length > most ? undefined : { content, mode: stats.mode };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * By the bit, but never a document: some file systems give every file all bits, others none, and
 * the pack should be the same. So a script that says how it is run needs no bit.
 */
function isExecutable(path: string, file: { readonly content: Buffer; readonly mode: number }) {
  const isScript = path.startsWith("scripts/") && file.content.subarray(0, 2).toString() === "#!";
  const hasBit = process.platform !== "win32" && (file.mode & 0o111) !== 0;
  return isScript || (hasBit && !DOCUMENT.test(path));
}

export function canceled(): PackFailure {
  return { ok: false, code: "canceled", message: "packing was canceled; nothing was written" };
}

function tooMuch(directory: string, what: string): PackFailure {
  return {
    ok: false,
    code: "limit-exceeded",
    message: `${JSON.stringify(directory)} holds ${what}`,
    hint: "installers refuse such packs by default; move data out of the skill or raise the limits",
  };
}

function refused(directory: string, path: string, reason: string): PackFailure {
  const message = `${JSON.stringify(join(directory, path))} ${reason}`;
  return { ok: false, code: "skill-invalid", message };
}

function secretRefused(directory: string, path: string, reason: string): PackFailure {
  return {
    ok: false,
    code: "scan-refused",
    message: `${JSON.stringify(join(directory, path))} ${reason} and would be published`,
    hint: "move it out of the skill, or allow secrets if this one is none",
  };
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** Folders that belong to tools, not to a skill. */
const LEFT_OUT_FOLDERS: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".idea",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".skillwright",
  ".svn",
  ".venv",
  ".vscode",
  "__MACOSX",
  "__pycache__",
  "node_modules",
  "venv",
]);

const LEFT_OUT_FILES: ReadonlySet<string> = new Set([
  ".DS_Store",
  ".git",
  "Desktop.ini",
  "Thumbs.db",
  "desktop.ini",
]);

const LEFT_OUT_NAMES = /^(?:\._.*|\.#.*|#.*#|.+~|.*\.py[co]|\..*\.sw[a-p]|.*\.swp)$/;

/**
 * Whether a file is left by a tool: an editor's backup, a file manager's notes, compiled Python.
 * What a reader of archives drops is left out here, so that what is listed is what arrives.
 */
function isLeftOut(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (leftOutAs(path.split("/")) !== undefined) return true;
  return LEFT_OUT_FILES.has(name) || LEFT_OUT_NAMES.test(name);
}
