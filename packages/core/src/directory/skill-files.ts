import { parseSkillPath } from "../files/skill-path.ts";
import { zeroWidth } from "../internal/text.ts";
import { closeSync, createReadStream, readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { openConfined, walkDirectory } from "../internal/confined.ts";
import { crypto, readUpTo, TimeSlice } from "../internal/files.ts";
import { SkillwrightError } from "../skillwright-error.ts";

const SMALL_BYTES = 1024 * 1024;

export interface FileDigest {
  readonly path: string;
  /** Hexadecimal SHA-256 of the bytes. */
  readonly sha256: string;
  readonly size: number;
}

/**
 * One name for the whole content of a skill: `sha256:` and the hash over `path NUL sha256 LF` for
 * every file in byte order of the paths. Times, modes and locale play no part. Throws a
 * `SkillwrightError` for links, special files, and paths that could be taken for two.
 */
export async function skillDigest(directory: string): Promise<string> {
  return combineDigests(await fileDigests(directory));
}

export function combineDigests(files: readonly FileDigest[]): string {
  const sum = crypto().createHash("sha256");
  for (const { path, sha256 } of files) sum.update(`${path}\0${sha256}\n`);
  return `sha256:${sum.digest("hex")}`;
}

/** The hash of each file, in byte order of the paths. */
export async function fileDigests(directory: string): Promise<FileDigest[]> {
  const root = await realpath(directory).catch((cause: unknown) => {
    const message = `the folder ${JSON.stringify(directory)} cannot be read`;
    throw new SkillwrightError("directory-unreadable", message, { cause });
  });
  const { entries, truncated, unreadable } = await walkDirectory(root);
  if (unreadable[0] !== undefined) {
    const message = `the folder ${JSON.stringify(unreadable[0])} cannot be read`;
    throw new SkillwrightError("directory-unreadable", message);
  }
  if (truncated) {
    const message = `the folders below ${JSON.stringify(directory)} are nested too deep`;
    throw new SkillwrightError("path-unsafe", message);
  }
  const digests: FileDigest[] = [];
  const slice = new TimeSlice();
  for (const { path, kind } of entries) {
    if (slice.isOver) await slice.rest();
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    if (/[\u0000-\u001f\u007f-\u009f]/.test(path) || path.includes("\uFFFD")) {
      throw new SkillwrightError("path-unsafe", `the path ${JSON.stringify(path)} is not allowed`);
    }
    if (kind === "link") {
      const message = `${JSON.stringify(path)} is a link; links inside a skill are refused`;
      throw new SkillwrightError("link-refused", message);
    }
    digests.push({ path, ...(await hashFile(root, path)) });
  }
  return digests;
}

/** Most files are small: those are read at once, which takes a fraction of the time. */
async function hashFile(root: string, path: string): Promise<{ sha256: string; size: number }> {
  const { descriptor, stats } = await openConfined(root, path);
  if (stats.size > SMALL_BYTES) return hashStream(descriptor);
  try {
    const bytes = readFileSync(descriptor);
    return { sha256: crypto().hash("sha256", bytes), size: bytes.length };
  } finally {
    closeSync(descriptor);
  }
}

async function hashStream(descriptor: number): Promise<{ sha256: string; size: number }> {
  const sum = crypto().createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream("", { fd: descriptor }) as AsyncIterable<Buffer>) {
    sum.update(chunk);
    size += chunk.length;
  }
  return { sha256: sum.digest("hex"), size };
}

export const SKILL_FILE = "SKILL.md";
const MAX_SKILL_FILE_BYTES = 1024 * 1024;

interface SkillFileText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly encoding: "utf-8" | "utf-8-invalid" | "utf-16";
}

interface SkillFileTooLarge {
  readonly size: number;
}

/** Reads SKILL.md, at most `MAX_SKILL_FILE_BYTES`. Throws as `openConfined` does. */
export async function readSkillFile(
  realDirectory: string,
): Promise<SkillFileText | SkillFileTooLarge> {
  const { descriptor, stats } = await openConfined(realDirectory, SKILL_FILE);
  try {
    if (stats.size > MAX_SKILL_FILE_BYTES) return { size: stats.size };
    return skillFileOf(readUpTo(descriptor, MAX_SKILL_FILE_BYTES + 1, stats.size));
  } finally {
    closeSync(descriptor);
  }
}

/** The same for bytes that were read elsewhere. */
export function skillFileOf(content: Uint8Array): SkillFileText | SkillFileTooLarge {
  const { buffer, byteOffset, length } = content;
  if (length > MAX_SKILL_FILE_BYTES) return { size: length };
  return decodeSkillFile(Buffer.from(buffer, byteOffset, length));
}

function decodeSkillFile(bytes: Buffer): SkillFileText {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe) {
    return { text: new TextDecoder("utf-16le").decode(bytes), bytes, encoding: "utf-16" };
  }
  if (mark === 0xfeff) {
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    return { text: Buffer.from(even).swap16().toString("utf16le"), bytes, encoding: "utf-16" };
  }
  const text = bytes.toString("utf8");
  const valid = !text.includes("\uFFFD") || Buffer.from(text).equals(bytes);
  return { text, bytes, encoding: valid ? "utf-8" : "utf-8-invalid" };
}

/** The usual ones, which need no further look. */
const PLAIN_PATH = /^(?:[\w-][\w.-]{0,99}\/){0,8}[\w-][\w.-]{0,99}$/;

/**
 * What a listing shows can be asked for; a name that is not UTF-8 cannot. One with characters that
 * nobody sees could be taken for another.
 */
export function isListed(path: string): boolean {
  if (PLAIN_PATH.test(path)) return true;
  return !path.includes("\uFFFD") && !zeroWidth().test(path) && parseSkillPath(path).ok;
}
