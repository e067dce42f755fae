import type { Snapshot } from "./build-snapshot.ts";
import type { RegistryOptions } from "./registry-options.ts";
import { compareSnapshots, isEmptyChange, type SkillChange } from "./skill-change.ts";

/** Those who hear of changes, and what they know already. */
export class ChangeListeners {
  readonly #logger: RegistryOptions["logger"];
  readonly #listeners = new Set<(change: SkillChange) => void>();
  /** Only while watching. */
  #announced: Snapshot | undefined;
  /** Ids of skills with other files since. */
  readonly #touched = new Set<string>();

  constructor(logger: RegistryOptions["logger"]) {
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
