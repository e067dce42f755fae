import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { combineDigests, skillDigest } from "../directory/skill-files.ts";
import type { Failure } from "../failure.ts";
import { errorCode, makeFolder, temporaryPath, writeNew } from "../internal/files.ts";
import { inlineBytes, sha256 } from "./inline-skills.ts";
import type { InlineSkill } from "./skill-source.ts";

export type MaterializedSkill =
  | { readonly ok: true; readonly path: string; readonly digest: string }
  | Failure<"skill-unreadable">;

const MAX_FILES = 2000;
const MAX_BYTES = 256 * 1024 * 1024;
const ATTEMPTS = 3;

/**
 * Writes a skill that lies in no folder into one below `directory`, named after the digest of its
 * files, and returns it. The digest is that of the same folder on disk. The folder appears complete or
 * not at all, and one that is there is only used when its content still has the digest.
 */
export async function materializeSkill(
  skill: InlineSkill,
  directory: string,
): Promise<MaterializedSkill> {
  try {
    const files = await inlineBytes(skill, MAX_BYTES);
    if (files.length > MAX_FILES) throw new RangeError(`it has more than ${MAX_FILES} files`);
    const digest = combineDigests(
      files.map(({ path, bytes }) => ({ path, sha256: sha256(bytes), size: bytes.length })),
    );
    makeFolder(directory);
    requirePrivate(directory);
    const path = join(directory, digest.slice("sha256:".length));
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await hasDigest(path, digest)) return { ok: true, path, digest };
      // The first time something else may just have been put there by another process.
      writeFolder(path, files, attempt > 0);
    }
    throw new Error(`${path} changes while it is used`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the files of ${skill.name} cannot be written for its scripts: ${reason}`;
    return { ok: false, code: "skill-unreadable", message };
  }
}

/** What another user can write could be exchanged between the check and the use. */
function requirePrivate(directory: string): void {
  const stats = lstatSync(directory);
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  if (!stats.isDirectory() || !isOwn || (process.getuid && (stats.mode & 0o022) !== 0)) {
    throw new Error(`${directory} is not a private folder`);
  }
}

async function hasDigest(path: string, digest: string): Promise<boolean> {
  try {
    return lstatSync(path).isDirectory() && (await skillDigest(path)) === digest;
  } catch {
    return false;
  }
}

function writeFolder(
  path: string,
  files: readonly { readonly path: string; readonly bytes: Buffer }[],
  replaces: boolean,
): void {
  const fresh = temporaryPath(path);
  try {
    mkdirSync(fresh, { mode: 0o700 });
    for (const file of files) {
      const target = join(fresh, file.path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      writeNew(target, file.bytes);
    }
    if (replaces) rmSync(path, { recursive: true, force: true });
    renameUnlessTaken(fresh, path);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** What is there already is checked next. */
function renameUnlessTaken(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!TAKEN.has(errorCode(error) ?? "")) throw error;
  }
}

const TAKEN = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "EPERM"]);
