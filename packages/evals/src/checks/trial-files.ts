import type { Failure } from "@skillwright/core";
import { openConfinedSync, readRegularFile, walkDirectory } from "@skillwright/core/internal";
import { isUtf8 } from "node:buffer";
import { closeSync, readFileSync, realpathSync } from "node:fs";
import type { CaseFile } from "../cases/eval-case.ts";

/** `file-missing` says something about what was done, the others that it cannot be told. */
type TrialFile =
  | { readonly ok: true; readonly content: Buffer }
  | Failure<"file-missing" | "file-refused" | "file-too-large">;

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A file in the working directory of a trial. Nothing outside, no links, no more than the bound. */
export function readTrialFile(directory: string, path: string): TrialFile {
  const segments = path.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
  if (/^(?:[/\\]|[a-z]:)/i.test(path) || segments.includes("..") || segments.length === 0) {
    return refused(`${path} does not lie in the working directory`);
  }
  let root: string;
  try {
    root = realpathSync(directory);
  } catch {
    return refused("the working directory is gone");
  }
  const opened = openConfinedSync(root, segments);
  if (!opened.ok) {
    if (opened.reason === "missing") return missing(`there is no file ${path}`);
    if (opened.reason === "not-a-file") return missing(`${path} is no file`);
    return refused(`${path} cannot be read: ${opened.reason}`);
  }
  try {
    if (opened.stats.size > MAX_FILE_BYTES) {
      const message = `${path} is larger than ${MAX_FILE_BYTES} bytes`;
      return { ok: false, code: "file-too-large", message };
    }
    return { ok: true, content: readFileSync(opened.descriptor) };
  } catch (error) {
    return refused(`${path} cannot be read: ${String(error)}`);
  } finally {
    closeSync(opened.descriptor);
  }
}

function missing(message: string): Failure<"file-missing"> {
  return { ok: false, code: "file-missing", message };
}

function refused(message: string): Failure<"file-refused"> {
  return { ok: false, code: "file-refused", message };
}

/** A file that a trial made or changed. */
export interface MadeFile {
  /** In the working directory, with `/`. */
  readonly path: string;
  readonly change: "made" | "changed";
  readonly bytes: number;
  /** Undefined if it is not text, or too large to be read as a whole. */
  readonly text?: string;
}

/** What a trial did to the files of its working directory. */
export interface MadeFiles {
  readonly files: readonly MadeFile[];
  /** There are more, which were not looked at. */
  readonly isCut: boolean;
}

const MAX_WALKED = 20_000;
const MAX_LISTED = 100;
const MAX_READ = 20;
const MAX_TEXT_BYTES = 256 * 1024;

/** Compared with the files the case began with. At most 100 files, and the text of the first 20 that have one. */
export async function madeFiles(
  directory: string,
  before: readonly CaseFile[],
): Promise<MadeFiles> {
  const { entries, truncated } = await walkDirectory(directory, { maxEntries: MAX_WALKED });
  const given = new Map(before.map((file) => [file.path.replace(/^(?:\.\/)+/, ""), file]));
  const files: MadeFile[] = [];
  let texts = 0;
  for (const { kind, path, size } of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (kind !== "file") continue;
    const original = given.get(path);
    const isSmall = size <= MAX_TEXT_BYTES && texts < MAX_READ;
    const read = isSmall || original ? readTrialFile(directory, path) : undefined;
    const content = read?.ok === true ? read.content : undefined;
    if (original && content?.equals(originalOf(original)) === true) continue;
    if (files.length === MAX_LISTED) return { files, isCut: true };
    const isText = isSmall && content && isUtf8(content) && !content.includes(0);
    const text = isText === true ? content?.toString("utf8") : undefined;
    if (text !== undefined) texts++;
    const change = original ? "changed" : "made";
    files.push({ path, change, bytes: size, ...(text !== undefined && { text }) });
  }
  return { files, isCut: truncated };
}

function originalOf({ from, content = "" }: CaseFile): Buffer {
  return from === undefined ? Buffer.from(content) : readRegularFile(from);
}
