import { makeFolder } from "@skillwright/core/internal";
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { AuditError, orAuditError } from "./audit-error.ts";

const KEY_BYTES = 32;
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The key in this file, made on first use. Processes that start at once get the same one. */
export function openKey(file: string): KeyObject {
  return readKey(file) ?? orAuditError("audit-unwritable", `cannot make ${file}`, () => make(file));
}

/** The key in this file; undefined when there is none yet. */
export function readKey(file: string): KeyObject | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, READ);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(file, (error as Error).message, error);
  }
  try {
    const problem = problemOf(fstatSync(descriptor));
    if (problem !== undefined) throw unusable(file, problem);
    return createSecretKey(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** It appears whole under its name, and only if nobody else's did. */
function make(file: string): KeyObject {
  makeFolder(dirname(file));
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, randomBytes(KEY_BYTES), { mode: 0o600, flag: "wx", flush: true });
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const key = readKey(file);
  if (key === undefined) throw unusable(file, "it vanished");
  return key;
}

function problemOf(stats: Stats): string | undefined {
  if (!stats.isFile()) return "it is no regular file";
  if (stats.size !== KEY_BYTES) return `it has ${stats.size} bytes, not ${KEY_BYTES}`;
  if (process.platform === "win32") return undefined;
  if ((stats.mode & 0o077) !== 0) return "others may read it";
  return stats.uid === process.geteuid?.() ? undefined : "it belongs to someone else";
}

function unusable(file: string, why: string, cause?: unknown): AuditError {
  return new AuditError("audit-key-unusable", `the key ${file} cannot be used: ${why}`, {
    cause,
    hint: `Give it back to its owner with mode 0600. Without it, move ${dirname(file)} away: records made so far can then no longer be verified.`,
  });
}
