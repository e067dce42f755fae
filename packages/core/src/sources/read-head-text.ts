import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { READ_FLAGS } from "../internal/files.ts";

/** Enough for nearly all frontmatter, and then enough for all that is accepted. */
const FIRST_BYTES = 2048;
const ALL_BYTES = 20_000;
const buffer = Buffer.allocUnsafe(ALL_BYTES);
const DELIMITER = Buffer.from("\n---");

export type HeadText =
  | ({ readonly ok: true; readonly stats: BigIntStats } & Text)
  | { readonly ok: false; readonly code: string };

export interface Text {
  readonly text: string;
  readonly isAscii: boolean;
}

/** Reads the frontmatter bytes of a SKILL.md and no more; never follows a link or waits. */
export function readHeadText(file: string): HeadText {
  let descriptor: number;
  try {
    descriptor = openSync(file, READ_FLAGS);
  } catch (error) {
    return { ok: false, code: errorCode(error) };
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return { ok: false, code: "not a regular file" };
    const { text, isAscii } = readText(descriptor);
    return { ok: true, stats, text, isAscii };
  } catch (error) {
    return { ok: false, code: errorCode(error) };
  } finally {
    closeSync(descriptor);
  }
}

/** The text of the frontmatter; of the file's head when its end is not plain to see. */
function readText(descriptor: number): Text {
  let length = readSync(descriptor, buffer, 0, FIRST_BYTES, 0);
  let end = frontmatterEnd(length);
  if (end === -1 && length === FIRST_BYTES) {
    length = readSync(descriptor, buffer, 0, ALL_BYTES, 0);
    end = frontmatterEnd(length);
  }
  const bytes = end === -1 ? length : end;
  const text = buffer.toString("utf8", 0, bytes);
  // Every other character takes more bytes than it has units.
  return { text, isAscii: text.length === bytes };
}

/** Offset behind what is surely the closing delimiter line; -1 when that is not known. */
function frontmatterEnd(length: number): number {
  const newline = buffer.indexOf(DELIMITER, 3);
  // What lies behind the length is of another file.
  if (newline === -1 || newline + 4 > length) return -1;
  for (let i = newline + 4; i < length; i++) {
    const byte = buffer[i];
    if (byte === 10) return i + 1;
    // Something behind the hyphens: let the parser look for itself.
    if (byte !== 32 && byte !== 9 && byte !== 13) return -1;
  }
  // The line may go on behind what was read.
  return length === FIRST_BYTES ? -1 : length;
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
