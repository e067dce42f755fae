import { errorCode, openRegular, placeNew, readUpTo } from "@skillwright/core/internal";
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { closeSync, type Stats } from "node:fs";

const KEY_BYTES = 32;

/** A key that exists but cannot be used. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
  readonly file: string;

  constructor(file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.file = file;
  }
}

/** The key in this file, made on first use. Processes that start at once get the same one. */
export function openKeyFile(file: string): KeyObject {
  const found = readKeyFile(file);
  if (found !== undefined) return found;
  // When another process was faster, its key is the one.
  placeNew(file, randomBytes(KEY_BYTES), { flush: true });
  const key = readKeyFile(file);
  if (key === undefined) throw new KeyFileError(file, "it vanished");
  return key;
}

/** The key in this file; undefined if absent. Throws a `KeyFileError` when it cannot be used. */
export function readKeyFile(file: string): KeyObject | undefined {
  let opened: ReturnType<typeof openRegular>;
  try {
    opened = openRegular(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw new KeyFileError(file, (error as Error).message, { cause: error });
  }
  const { descriptor, stats } = opened;
  try {
    const problem = problemOf(stats);
    if (problem !== undefined) throw new KeyFileError(file, problem);
    return createSecretKey(readUpTo(descriptor, KEY_BYTES, KEY_BYTES));
  } finally {
    closeSync(descriptor);
  }
}

function problemOf({ size, mode, uid }: Stats): string | undefined {
  if (size !== KEY_BYTES) return `it has ${size} bytes, not ${KEY_BYTES}`;
  if (process.platform === "win32") return undefined;
  if ((mode & 0o077) !== 0) return "others may read it";
  return uid === process.geteuid?.() ? undefined : "it belongs to someone else";
}
