import type { InstallScope } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { LockedSkill, LockFile } from "./lock-file.ts";
import { lockProblem } from "./lock-problem.ts";
import { readInside } from "./read-inside.ts";

export interface ReadLock {
  readonly ok: true;
  readonly lock: LockFile;
  /** As it stands in the file; absent when there is none. */
  readonly text?: string;
}

/** A skill takes about a kilobyte; more than this was not written by anybody's install. */
const MAX_LOCK_BYTES = 16 * 1024 * 1024;

/**
 * The lock of a scope; an empty one when there is no file. It comes with a project, so whoever made
 * the project wrote it: every path is checked to stay below the base, and every digest to fit.
 * Fields that are not known here are kept.
 */
export function readLock(scope: Pick<InstallScope, "base" | "lockFile">): ReadLock | PackFailure {
  const { base, lockFile } = scope;
  const read = readInside(base, lockFile, MAX_LOCK_BYTES);
  if (!read.ok) {
    if (read.isMissing) return { ok: true, lock: emptyLock() };
    return invalid(`${lockFile} cannot be read: ${read.reason}`);
  }
  return parseLock(read.text, lockFile);
}

export function emptyLock(): LockFile {
  return { schemaVersion: 1, skills: Object.create(null) as Record<string, never> };
}

/** `file` is only named in messages. */
export function parseLock(text: string, file: string): ReadLock | PackFailure {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (hasMergeConflict(text)) return mergeConflict(file);
    return invalid(`${file} is not JSON: ${(error as Error).message}`);
  }
  const problem = lockProblem(value);
  if (problem !== undefined) return invalid(`${file}: ${problem}`);
  const lock = value as LockFile;
  const skills = withoutPrototype(lock.skills, (skill: LockedSkill) => ({
    ...skill,
    files: withoutPrototype(skill.files, (sha256) => sha256),
  }));
  return { ok: true, lock: { ...lock, skills }, text };
}

/** What is looked up by a foreign name must not find `constructor`. */
function withoutPrototype<Value>(
  record: Readonly<Record<string, Value>>,
  copy: (value: Value) => Value,
): Record<string, Value> {
  const result = Object.create(null) as Record<string, Value>;
  for (const [key, value] of Object.entries(record)) result[key] = copy(value);
  return result;
}

export function hasMergeConflict(text: string): boolean {
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text);
}

function mergeConflict(file: string): PackFailure {
  return {
    ok: false,
    code: "lock-invalid",
    message: `${file} holds a merge conflict`,
    hint: `keep the entries of both sides and remove the markers, or run "git checkout --ours -- ${file}" and install again what the other side added`,
  };
}

function invalid(message: string): PackFailure {
  const hint = "mend it, take it from version control, or remove it and install again";
  return { ok: false, code: "lock-invalid", message, hint };
}
