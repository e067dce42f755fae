import { quoteNames } from "@skillwright/core/internal";
import { byteOrder } from "../byte-order.ts";
import type { LockFile } from "./lock-file.ts";
import { sharedEntry } from "./shared-entry.ts";
import { parseSharedLock, type SharedEntry } from "./shared-lock.ts";

export interface SharedLockOptions {
  /** The lock before the change: what it names and the new one does not is taken out. */
  readonly before?: LockFile;
  /** `sharedHash` by the path of the skill in the lock; needed for what is new or changed. */
  readonly hashes: ReadonlyMap<string, string>;
}

export interface RenderedSharedLock {
  /** The new text; undefined leaves the file as it is. */
  readonly text: string | undefined;
  /** What a person should know. */
  readonly notes: readonly string[];
}

const FILE = "skills-lock.json";

/**
 * The shared lock with our skills in it. Entries of other clients, and fields that are not known
 * here, stay. A file that cannot be understood is left alone.
 */
export function renderSharedLock(
  existingText: string | undefined,
  lock: LockFile,
  { before, hashes }: SharedLockOptions,
): RenderedSharedLock {
  const existing = parseSharedLock(existingText);
  if (!existing.ok) {
    return { text: undefined, notes: [`${FILE} was left as it is: ${existing.reason}`] };
  }
  const notes: string[] = [];
  const skills = new Map<string, SharedEntry>(Object.entries(existing.lock.skills));
  const names = new Set(Object.values(lock.skills).map(({ name }) => name));
  for (const { name } of Object.values(before?.skills ?? {})) {
    if (!names.has(name)) skills.delete(name);
  }
  const leftOut: string[] = [];
  const written = new Set<string>();
  for (const [path, skill] of Object.entries(lock.skills).sort(([a], [b]) => byteOrder(a, b))) {
    const { name } = skill;
    if (written.has(name)) {
      notes.push(`${FILE} names one skill ${JSON.stringify(name)} only, not that at ${path}`);
      continue;
    }
    written.add(name);
    const current = skills.get(name);
    const isSame = before?.skills[path]?.digest === skill.digest;
    const hash = hashes.get(path) ?? (isSame ? current?.computedHash : undefined);
    const entry = hash === undefined ? undefined : sharedEntry(skill, hash);
    if (entry !== undefined) skills.set(name, merged(current, entry));
    // What stands there describes content that has been replaced.
    else if (skills.delete(name) || !isSame) leftOut.push(name);
  }
  if (leftOut.length > 0) {
    notes.push(`${FILE} leaves out what other clients cannot restore: ${quoteNames(leftOut)}`);
  }
  if (existingText === undefined && skills.size === 0) return { text: undefined, notes };
  // The order that the other clients write.
  const sorted = [...skills].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const file = { ...existing.lock, version: 1, skills: Object.fromEntries(sorted) };
  return { text: `${JSON.stringify(file, null, 2)}\n`, notes };
}

const OURS: ReadonlySet<string> = new Set([
  "source",
  "sourceUrl",
  "ref",
  "sourceType",
  "skillPath",
  "computedHash",
  "wellKnownDigest",
  "version",
]);

/** Ours, with the fields of others that still hold for the same source. */
function merged(current: SharedEntry | undefined, entry: SharedEntry): SharedEntry {
  if (current?.source !== entry.source || current.sourceType !== entry.sourceType) return entry;
  const others = Object.entries(current).filter(([field]) => !OURS.has(field));
  return { ...entry, ...Object.fromEntries(others) };
}
