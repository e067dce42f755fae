import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { SkillwrightError } from "../../skillwright-error.ts";
import { parseCommentedJson } from "./parse-commented-json.ts";

const MAX_BYTES = 1024 * 1024;
/** Windows has no such flag. */
const NO_BLOCKING = (constants as Readonly<Record<string, number | undefined>>)["O_NONBLOCK"] ?? 0;

/** The object that a file holds, and its text without a byte order mark. */
export interface JsonFile {
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly mode: number;
}

/** Reads a configuration file. Throws `configuration-unreadable` with the reason and the place. */
export function readJsonFile(file: string): JsonFile {
  const { bytes, mode } = readBytes(file);
  const text = decode(bytes);
  if (text === undefined) throw unreadable(file, "it is not UTF-8 text");
  const parsed = parseCommentedJson(text);
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

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function readBytes(file: string): { bytes: Buffer; mode: number } {
  try {
    // A FIFO would otherwise block until someone writes to it.
    const descriptor = openSync(file, constants.O_RDONLY | NO_BLOCKING);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw unreadable(file, "it is not a regular file");
      if (stats.size > MAX_BYTES) throw unreadable(file, `it is larger than ${MAX_BYTES} bytes`);
      return { bytes: readFileSync(descriptor), mode: stats.mode & 0o777 };
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    if (SkillwrightError.isInstance(cause)) throw cause;
    throw unreadable(file, errorCode(cause) ?? "unknown reason", cause);
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
