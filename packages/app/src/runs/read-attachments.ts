import type { Attachment } from "@skillwright/agent/internal";
import { imageTypeOf, openConfined, readUpTo } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { closeSync, realpathSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { AppFailure } from "../failure.ts";

interface AttachmentPlace {
  /** The working directory, which no file may lie outside of. */
  readonly root: string;
  readonly maxBytes: number;
}

/** All of a regular file that lies inside the working directory, links resolved. */
async function readInside(
  given: string,
  { root, maxBytes }: AttachmentPlace,
  cwd: string,
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  if (given.trim() === "") throw wrong("the path of a file is empty", { hint: "name a file" });
  const folder = realpathSync(root);
  const real = realPath(given, cwd);
  const path = relative(folder, real).split(sep).join("/");
  if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
    throw wrong(`${shown(given)} lies outside of the working directory`, {
      hint: `copy it into ${folder}, or start in its folder with --cwd <folder>`,
    });
  }
  if (statSync(real, { throwIfNoEntry: false })?.isFile() === false) {
    const hint = "give a file; a folder can be named in the request";
    throw wrong(`${shown(given)} is not a file`, { hint });
  }
  const { descriptor, stats } = await openConfined(folder, path).catch((cause: Error) => {
    throw wrong(`${shown(given)} cannot be opened`, { cause });
  });
  try {
    // As the tools that read files see it: its other name may be anywhere.
    if (stats.nlink > 1) {
      const hint = "give a copy of it: cp makes one";
      throw wrong(`${shown(given)} has a second name somewhere (a hard link)`, { hint });
    }
    if (stats.size > maxBytes) throw tooLarge(given, stats.size, maxBytes);
    const bytes = readUpTo(descriptor, maxBytes + 1, stats.size);
    if (bytes.length > maxBytes) throw tooLarge(given, bytes.length, maxBytes);
    return { path, bytes };
  } finally {
    closeSync(descriptor);
  }
}

function realPath(given: string, cwd: string): string {
  try {
    return realpathSync(resolve(cwd, given));
  } catch (cause) {
    const hint = `paths count from ${cwd}`;
    throw wrong(`there is no file ${shown(given)}`, { hint, cause });
  }
}

function tooLarge(given: string, size: number, maxBytes: number): AppFailure {
  return wrong(`${shown(given)} has ${size} bytes, at most ${maxBytes} are taken`, {
    hint: "name it in the request instead: scripts read it where it is (workspace.maxFileSizeBytes)",
  });
}

function shown(path: string): string {
  return JSON.stringify(path);
}

function wrong(
  message: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): AppFailure {
  return new AppFailure("usage", message, options);
}

/** The bytes as text, without a byte order mark; undefined when they are something else. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const MAX_FILES = 20;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Of all files together: what the model reads at once, and what a record has room for. */
const MAX_CHARACTERS = 48_000;

/** Files that a person gives with a request, each read once; `-` is what is piped in. */
export async function readAttachments(
  paths: readonly string[],
  place: AttachmentPlace,
  cwd: string,
  /** Reads what is piped in, for `-`. */
  piped: () => Promise<Buffer>,
): Promise<readonly Attachment[]> {
  if (paths.length > MAX_FILES) {
    throw new AppFailure("usage", `${paths.length} files are more than ${MAX_FILES}`, {
      hint: "name a folder in the request; the agent can list and read what is in it",
    });
  }
  const read: { readonly path: string; readonly bytes: Buffer }[] = [];
  for (const path of new Set(paths)) {
    const file =
      path === "-" ? { path: "stdin", bytes: await piped() } : await readInside(path, place, cwd);
    if (!read.some((one) => one.path === file.path)) read.push(file);
  }
  const share = Math.floor(MAX_CHARACTERS / Math.max(1, read.length));
  return read.map(({ path, bytes }) => attachment(path, bytes, share));
}

function attachment(path: string, bytes: Buffer, share: number): Attachment {
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const about = { path, bytes: bytes.length, digest };
  const mediaType = bytes.length <= MAX_IMAGE_BYTES ? imageTypeOf(bytes) : undefined;
  if (mediaType !== undefined) {
    const image = { mediaType, data: bytes.toString("base64"), bytes: bytes.length, digest };
    return { ...about, image };
  }
  const text = textOf(bytes);
  if (text === undefined) return about;
  if (text.length <= share) return { ...about, text };
  // Not half of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(share - 1)) ? share - 1 : share;
  return { ...about, text: text.slice(0, end), truncated: true };
}
