import { readLock } from "../lock/read-lock.ts";

/** Roots that need no word: our own, then those of other clients in the order they are preferred. */
export const KNOWN_ROOTS = [".agent/skills", ".agents/skills", ".claude/skills"] as const;

/** The root that all entries of a lock lie in, if it is one of those. */
export function lockedRoot(base: string, lockFile: string): string | undefined {
  const read = readLock({ base, lockFile });
  if (!read.ok) return undefined;
  const roots = new Set(Object.keys(read.lock.skills).map(knownRootOf));
  const [only] = roots;
  return roots.size === 1 ? only : undefined;
}

/** The root of one entry, relative to the base, if it is one of those. */
export function knownRootOf(path: string): string | undefined {
  return KNOWN_ROOTS.find((root) => path.startsWith(`${root}/`));
}
