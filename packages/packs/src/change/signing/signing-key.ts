import { makeFolder } from "@skillwright/core/internal";
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync } from "node:fs";
import { rmSync, type Stats, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RootRefusal } from "../root-refusal.ts";

const KEY_BYTES = 32;
const { O_NOFOLLOW, O_NONBLOCK } = constants as Readonly<Record<string, number | undefined>>;
const FLAGS = constants.O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

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
  let descriptor: number;
  try {
    descriptor = openSync(file, FLAGS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(file, (error as Error).message);
  }
  try {
    const problem = problemOf(fstatSync(descriptor));
    if (problem !== undefined) throw unusable(file, problem);
    return createSecretKey(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** It appears whole under its name, and of processes that start at once all take the same. */
function makeKey(file: string): KeyObject {
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    makeFolder(dirname(file));
    writeFileSync(temporary, randomBytes(KEY_BYTES), { mode: 0o600, flag: "wx", flush: true });
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw unusable(file, (error as Error).message);
    }
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

function unusable(file: string, why: string): RootRefusal {
  return new RootRefusal(`the key ${file} cannot be used: ${why}`, {
    hint: "it must be a file of yours with mode 0600; without it changes made so far cannot be undone. XDG_STATE_HOME names another place",
  });
}
