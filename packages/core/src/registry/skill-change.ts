import { dirname } from "node:path";
import type { Snapshot } from "./snapshot.ts";
import type { Logger } from "../logger.ts";
import type { SkillRecord } from "./skill-record.ts";

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
  const old = new Map(before.all.map((skill) => [placeOf(skill), skill]));
  const now = new Set(after.all.map(placeOf));
  return {
    added: after.all.filter((skill) => !old.has(placeOf(skill))).map(({ name }) => name),
    removed: before.all.filter((skill) => !now.has(placeOf(skill))).map(({ name }) => name),
    changed: after.all
      .filter((skill) => {
        const earlier = old.get(placeOf(skill));
        if (earlier === undefined) return false;
        const { id, trusted, enabled, shadowedBy } = skill;
        const rewritten = after.stamps.get(id) !== before.stamps.get(earlier.id);
        const switched = earlier.trusted !== trusted || earlier.enabled !== enabled;
        const moved = (earlier.shadowedBy === undefined) !== (shadowedBy === undefined);
        return switched || moved || touched.has(id) || rewritten;
      })
      .map(({ name }) => name),
  };
}

/** A skill stays the same one when its version, and so its id, changes. */
function placeOf({ source, root, relativePath, path }: SkillRecord): string {
  return `${source}\0${root}\0${relativePath}\0${path}`;
}

function isEmptyChange({ added, removed, changed }: SkillChange): boolean {
  return added.length + removed.length + changed.length === 0;
}

/** Ids of the skills in whose folders the paths lie. */
export function skillsAt(paths: readonly string[], { all }: Snapshot): Set<string> {
  if (paths.length === 0) return new Set();
  const byFolder = new Map(all.map((skill) => [skill.path, skill.id]));
  const ids = new Set<string>();
  for (const path of paths) {
    for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
      const id = byFolder.get(folder);
      if (id !== undefined) ids.add(id);
    }
  }
  return ids;
}

/** Those who hear of changes, and what they know already. */
export class ChangeListeners {
  readonly #logger: Logger | undefined;
  readonly #listeners = new Set<(change: SkillChange) => void>();
  /** Only while watching. */
  #announced: Snapshot | undefined;
  /** Ids of skills with other files since. */
  readonly #touched = new Set<string>();

  constructor(logger: Logger | undefined) {
    this.#logger = logger;
  }

  /** Returns how to stop listening. */
  add(listener: (change: SkillChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From now on, changes are those since this snapshot. */
  begin(snapshot: Snapshot): void {
    this.#announced ??= snapshot;
  }

  /** Of skills that changed although their SKILL.md did not. */
  touch(ids: Iterable<string>): void {
    for (const id of ids) this.#touched.add(id);
  }

  /** All that is new since the last time: others may have looked in between. */
  announce(snapshot: Snapshot): void {
    const change = compareSnapshots(this.#announced ?? snapshot, snapshot, this.#touched);
    this.#announced = snapshot;
    this.#touched.clear();
    this.tell(change);
  }

  tell(change: SkillChange): void {
    if (isEmptyChange(change)) return;
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#logger?.error("a listener for changed skills failed", { error: String(error) });
      }
    }
  }

  end(): void {
    this.#announced = undefined;
  }
}
