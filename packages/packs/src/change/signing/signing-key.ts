import { openRegular, placeNew } from "@skillwright/core/internal";
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { closeSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { RootRefusal } from "../root-refusal.ts";

const KEY_BYTES = 32;

/**
 * The user's key for journals and histories, made on first use. It lies outside every project, so
 * that nothing a project brings along can be taken for what this user did.
 */
export function openSigningKey(stateDirectory: string): KeyObject {
  const file = keyFile(stateDirectory);
  return readKey(file) ?? makeKey(file);
}

/** The same key; undefined when none was made yet. */
export function readSigningKey(stateDirectory: string): KeyObject | undefined {
  return readKey(keyFile(stateDirectory));
}

function keyFile(stateDirectory: string): string {
  return join(stateDirectory, "packs", "key");
}

function readKey(file: string): KeyObject | undefined {
  let opened: ReturnType<typeof openRegular>;
  try {
    opened = openRegular(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(file, (error as Error).message);
  }
  try {
    const problem = problemOf(opened.stats);
    if (problem !== undefined) throw unusable(file, problem);
    return createSecretKey(readFileSync(opened.descriptor));
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Processes that start at the same time end up with the same key. */
function makeKey(file: string): KeyObject {
  try {
    placeNew(file, randomBytes(KEY_BYTES), { flush: true });
  } catch (error) {
    throw unusable(file, (error as Error).message);
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

function unusable(file: string, why: string): RootRefusal {
  return new RootRefusal(`the key ${file} cannot be used: ${why}`, {
    hint: "it must be a file of yours with mode 0600; without it changes made so far cannot be undone. XDG_STATE_HOME names another place",
  });
}
