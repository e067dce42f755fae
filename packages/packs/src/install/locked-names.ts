import { nearNames } from "@skillwright/core/internal";
import type { LockedSkill, LockFile } from "../lock/lock-file.ts";
import type { PackFailure } from "../pack-failure.ts";
import { foldName } from "../archive/entries/fold-name.ts";

export type LockEntry = readonly [path: string, locked: LockedSkill];

/** The entries of a lock that are meant: all, or those of these names or paths. */
export function lockedNames(
  { skills }: LockFile,
  names: readonly string[] | undefined,
): { readonly ok: true; readonly entries: readonly LockEntry[] } | PackFailure {
  const all = Object.entries(skills);
  if (names === undefined || names.length === 0) return { ok: true, entries: all };
  const entries = new Set<LockEntry>();
  for (const word of names) {
    const found = all.filter(
      ([path, { name }]) => path === word || foldName(name) === foldName(word),
    );
    if (found.length === 0)
      return notInstalled(
        word,
        all.map(([, { name }]) => name),
      );
    for (const entry of found) entries.add(entry);
  }
  return { ok: true, entries: [...entries] };
}

export function notInstalled(word: string, names: readonly string[]): PackFailure {
  const near = nearNames(word, names);
  return {
    ok: false,
    code: "not-installed",
    message: `no skill ${JSON.stringify(word)} is installed here`,
    ...(near.length > 0
      ? { candidates: near }
      : { hint: "`skillwright verify` lists what is installed" }),
  };
}
