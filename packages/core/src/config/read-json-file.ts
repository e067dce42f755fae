import { closeSync, readFileSync } from "node:fs";
import { errorCode, openRegular, UnusableFileError } from "../internal/files.ts";
import { parseJsonc } from "../internal/json-edit.ts";
import { SkillwrightError } from "../skillwright-error.ts";

export { errorCode };

const MAX_BYTES = 1024 * 1024;

/** The object that a file holds, and its text without a byte order mark. */
export interface JsonFile {
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly mode: number;
}

/** Reads a configuration file. Throws `configuration-unreadable` with the reason and the place. */
export async function readJsonFile(file: string, follow = true): Promise<JsonFile> {
  const { bytes, mode } = readBytes(file, follow);
  const text = decode(bytes);
  if (text === undefined) throw unreadable(file, "it is not UTF-8 text");
  const parsed = await parseJsonc(text);
  if (!parsed.ok) {
    throw unreadable(file, `it is not JSON at line ${parsed.line}, column ${parsed.column}`);
  }
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw unreadable(file, "it must hold a JSON object");
  }
  return { content: value as Record<string, unknown>, text, mode };
}

function unreadable(file: string, reason: string, cause?: unknown): SkillwrightError {
  const message = `the configuration ${JSON.stringify(file)} cannot be read: ${reason}; fix or remove it`;
  return new SkillwrightError("configuration-unreadable", message, { cause });
}

function readBytes(file: string, follow: boolean): { bytes: Buffer; mode: number } {
  try {
    const { descriptor, stats } = openRegular(file, { follow, maxBytes: MAX_BYTES });
    try {
      return { bytes: readFileSync(descriptor), mode: stats.mode & 0o777 };
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw unreadable(file, reasonOf(cause), cause);
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof UnusableFileError)) return errorCode(cause) ?? "unknown reason";
  if (cause.reason === "too-large") return `it is larger than ${MAX_BYTES} bytes`;
  return "it is not a regular file";
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
