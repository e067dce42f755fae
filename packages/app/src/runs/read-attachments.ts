import { createHash } from "node:crypto";
import type { Attachment } from "@skillwright/agent/internal";
import { imageTypeOf } from "@skillwright/core/internal";
import { type AttachmentPlace, readInside } from "./read-inside.ts";
import { textOf } from "./text-of.ts";
import { AppFailure } from "../failure.ts";

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
