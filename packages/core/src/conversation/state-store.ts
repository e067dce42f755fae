import { createHash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readIfPresent, writeAtomic } from "../internal/files.ts";
import { damaged, withStateLock } from "../registry/state-file.ts";

export interface StoredState {
  readonly state: unknown;
  /** Changes with every save. */
  readonly version: string;
}

/**
 * Where a server keeps what belongs to somebody, as plain JSON by an id: the saved state of a
 * conversation, decisions on trust. `describeStateStore` of `@skillwright/core/testing` checks one.
 */
export interface StateStore {
  load(id: string): Promise<StoredState | undefined>;
  /**
   * Saves where `version` is the one stored now, or where nothing is stored and none is given. Gives the
   * new version; undefined if another process was faster: then load, change and save again.
   */
  save(id: string, state: unknown, version?: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
}

/** Keeps states as long as the process lives. */
export function createMemoryStates(): StateStore {
  const states = new Map<string, StoredState>();
  return {
    load: async (id) => structuredClone(states.get(id)),
    async save(id, state, version) {
      if (states.get(id)?.version !== version) return undefined;
      const next = randomUUID();
      states.set(id, { state: structuredClone(state), version: next });
      return next;
    },
    async remove(id) {
      states.delete(id);
    },
  };
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Keeps each state in a file of a folder, readable only by its owner. */
export function createFileStates(folder: string): StateStore {
  const fileOf = (id: string) =>
    join(folder, `${createHash("sha256").update(id).digest("hex").slice(0, 40)}.json`);
  const load = (file: string): StoredState | undefined => {
    const text = readIfPresent(file, { maxBytes: MAX_BYTES })?.toString("utf8");
    if (text === undefined) return undefined;
    try {
      const { state, version } = JSON.parse(text) as StoredState;
      if (typeof version === "string") return { state, version };
    } catch {
      // Reported below.
    }
    throw damaged(`${file} does not hold a state`);
  };
  return {
    load: async (id) => load(fileOf(id)),
    save: async (id, state, version) =>
      withStateLock(fileOf(id), () => {
        const file = fileOf(id);
        if (load(file)?.version !== version) return undefined;
        const next = randomUUID();
        writeAtomic(file, `${JSON.stringify({ id, version: next, state })}\n`, { mode: 0o600 });
        return next;
      }),
    remove: async (id) => withStateLock(fileOf(id), () => rmSync(fileOf(id), { force: true })),
  };
}
