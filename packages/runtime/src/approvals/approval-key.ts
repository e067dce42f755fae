import { makeFolder } from "@skillwright/core/internal";
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { linkSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ApprovalError } from "./approval-error.ts";
import { readRegularFile } from "./read-regular-file.ts";

const KEY_BYTES = 32;

/** The user's key, made on first use. Processes that start at once get the same one. */
export function openApprovalKey(stateDirectory: string): KeyObject {
  const file = join(stateDirectory, "approvals", "key");
  return readKey(file) ?? makeKey(file);
}

function readKey(file: string): KeyObject | undefined {
  const read = readRegularFile(file, KEY_BYTES, (why, cause) => unusable(file, why, cause));
  if (read === undefined) return undefined;
  const problem = problemOf(read.stats);
  if (problem !== undefined) throw unusable(file, problem);
  return createSecretKey(read.bytes);
}

/** It appears whole under its name, and only if nobody else's did. */
function makeKey(file: string): KeyObject {
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    makeFolder(dirname(file));
    writeFileSync(temporary, randomBytes(KEY_BYTES), { mode: 0o600, flag: "wx", flush: true });
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      const message = `cannot make the key ${file}: ${(error as Error).message}`;
      throw new ApprovalError("approval-unwritable", message, {
        cause: error,
        hint: "Without a key nothing can be approved. Make the state directory writable.",
      });
    }
  } finally {
    removeIfPossible(temporary);
  }
  const key = readKey(file);
  if (key === undefined) throw unusable(file, "it vanished");
  return key;
}

function problemOf(stats: Stats): string | undefined {
  if (stats.size !== KEY_BYTES) return `it has ${stats.size} bytes, not ${KEY_BYTES}`;
  if (process.platform === "win32") return undefined;
  if ((stats.mode & 0o077) !== 0) return "others may read it";
  return stats.uid === process.geteuid?.() ? undefined : "it belongs to someone else";
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be written there is nothing to remove.
  }
}

function unusable(file: string, why: string, cause?: unknown): ApprovalError {
  return new ApprovalError("approval-key-unusable", `the key ${file} cannot be used: ${why}`, {
    cause,
    hint: `Give it back to its owner with mode 0600. Without it, remove ${dirname(file)}: everything is then asked again.`,
  });
}
