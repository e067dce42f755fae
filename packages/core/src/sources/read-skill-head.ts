import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { READ_WITHOUT_FOLLOWING } from "../directory/open-flags.ts";

/** Enough for nearly all frontmatter, and then enough for all that is accepted. */
const FIRST_BYTES = 4096;
const ALL_BYTES = 20_000;
const buffer = Buffer.allocUnsafe(ALL_BYTES);

export type SkillHead =
  | { readonly ok: true; readonly text: string; readonly stats: BigIntStats }
  | { readonly ok: false; readonly code: string; readonly stats?: BigIntStats };

/** Reads the frontmatter bytes of a SKILL.md and no more; never follows a link or waits. */
export function readSkillHead(file: string): SkillHead {
  let descriptor: number;
  try {
    descriptor = openSync(file, READ_WITHOUT_FOLLOWING);
  } catch (error) {
    return { ok: false, code: errorCode(error) };
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return { ok: false, code: "not a regular file", stats };
    return { ok: true, text: readText(descriptor, Number(stats.size)), stats };
  } catch (error) {
    return { ok: false, code: errorCode(error) };
  } finally {
    closeSync(descriptor);
  }
}

function readText(descriptor: number, size: number): string {
  let length = readSync(descriptor, buffer, 0, FIRST_BYTES, 0);
  let end = frontmatterEnd(length);
  if (end === -1 && size > length) {
    length = readSync(descriptor, buffer, 0, ALL_BYTES, 0);
    end = frontmatterEnd(length);
  }
  return buffer.toString("utf8", 0, end === -1 ? length : end);
}

/** Offset behind what is surely the closing delimiter line; -1 when that is not known. */
function frontmatterEnd(length: number): number {
  const newline = buffer.subarray(0, length).indexOf("\n---", 3, "latin1");
  if (newline === -1) return -1;
  const lineEnd = buffer.subarray(0, length).indexOf(10, newline + 4);
  const last = lineEnd === -1 ? length : lineEnd + 1;
  for (let i = newline + 4; i < last; i++) {
    const byte = buffer[i];
    // Something behind the hyphens: let the parser look for itself.
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return -1;
  }
  return last;
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
