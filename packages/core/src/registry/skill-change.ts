import type { Snapshot } from "./build-snapshot.ts";

/** Names of skills by what happened to them between two scans. */
export interface SkillChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** `touched` are skills known to have changed although their SKILL.md did not. */
export function compareSnapshots(
  before: Snapshot,
  after: Snapshot,
  touched: ReadonlySet<string> = new Set(),
): SkillChange {
  if (before.all.length === 0) {
    return { added: after.all.map(({ name }) => name), removed: [], changed: [] };
  }
  const old = new Map(before.all.map((skill) => [skill.id, skill]));
  const now = new Set(after.all.map(({ id }) => id));
  return {
    added: after.all.filter(({ id }) => !old.has(id)).map(({ name }) => name),
    removed: before.all.filter(({ id }) => !now.has(id)).map(({ name }) => name),
    changed: after.all
      .filter(({ id, trusted, enabled }) => {
        const earlier = old.get(id);
        if (earlier === undefined) return false;
        const stamp = after.stamps.get(id);
        const rewritten = stamp !== before.stamps.get(id);
        const switched = earlier.trusted !== trusted || earlier.enabled !== enabled;
        return switched || touched.has(id) || rewritten;
      })
      .map(({ name }) => name),
  };
}

export function isEmptyChange({ added, removed, changed }: SkillChange): boolean {
  return added.length + removed.length + changed.length === 0;
}
