import type { InstallScope } from "../install-scope.ts";
import { hasMergeConflict } from "./read-lock.ts";
import { readInside } from "./read-inside.ts";

/** One skill in `skills-lock.json`, the file that other clients write. Further fields are theirs. */
export interface SharedEntry {
  /** `owner/repo`, a URL, a host, `./path`, or the name of an npm package. */
  readonly source: string;
  /** Absent for repositories of GitHub and local folders. */
  readonly sourceUrl?: string;
  readonly ref?: string;
  /** `github`, `gitlab`, `git`, `local`, `well-known`, `node_modules`, or one that comes later. */
  readonly sourceType: string;
  /** Of the SKILL.md, within the repository. */
  readonly skillPath?: string;
  /** See `sharedHash`. */
  readonly computedHash?: string;
  readonly wellKnownDigest?: string;
  /** Of the npm package. */
  readonly version?: string;
}

interface SharedLock {
  readonly version: 1;
  /** By name. */
  readonly skills: Readonly<Record<string, SharedEntry>>;
}

export type SharedLockResult =
  | { readonly ok: true; readonly lock: SharedLock; readonly text?: string }
  | {
      readonly ok: false;
      /** Why it cannot be used: it is left as it is. */
      readonly reason: string;
    };

const MAX_BYTES = 16 * 1024 * 1024;

/** The shared lock of a scope; an empty one when there is no file. */
export function readSharedLock(
  scope: Pick<InstallScope, "base" | "sharedLockFile">,
): SharedLockResult {
  const { base, sharedLockFile } = scope;
  if (sharedLockFile === undefined) return parseSharedLock(undefined);
  const read = readInside(base, sharedLockFile, MAX_BYTES);
  if (read.ok) return parseSharedLock(read.text);
  return read.isMissing ? parseSharedLock(undefined) : { ok: false, reason: read.reason };
}

export function parseSharedLock(text: string | undefined): SharedLockResult {
  if (text === undefined) return { ok: true, lock: { version: 1, skills: {} } };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const reason = hasMergeConflict(text) ? "it holds a merge conflict" : "it is not JSON";
    return { ok: false, reason };
  }
  if (!isRecord(value)) return { ok: false, reason: "it does not hold an object" };
  if (value["version"] !== 1) {
    const version = (JSON.stringify(value["version"]) ?? "none").slice(0, 20);
    return { ok: false, reason: `its version is ${version}, and only 1 is known here` };
  }
  if (!isRecord(value["skills"])) return { ok: false, reason: "it has no skills" };
  for (const [name, entry] of Object.entries(value["skills"])) {
    const isEntry =
      isRecord(entry) &&
      typeof entry["source"] === "string" &&
      typeof entry["sourceType"] === "string";
    if (!isEntry) return { ok: false, reason: `the entry ${JSON.stringify(name)} is malformed` };
  }
  return { ok: true, lock: value as unknown as SharedLock, text };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
