import {
  errorCode,
  readIfPresent,
  removeQuietly,
  waitForLock,
  writeAtomic,
} from "@skillwright/core/internal";
import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EnvironmentNeed } from "./needs.ts";

/** One library of a locked environment. */
export interface LockedLibrary {
  readonly name: string;
  readonly version: string;
  /** Where it is fetched from; the resolver decides it again where there is none. */
  readonly url?: string;
}

/** A prepared environment. */
export interface Environment {
  readonly id: string;
  readonly kind: EnvironmentNeed["kind"];
  readonly folder: string;
  /** Skills that it was prepared for, by name. */
  readonly skills: readonly string[];
  readonly libraries: readonly LockedLibrary[];
  /** ISO time. */
  readonly preparedAt: string;
  readonly bytes: number;
}

const ID = /^[0-9a-f]{32}$/;
/** Written last: a folder without it is an attempt that was interrupted. */
const RECORD = "environment.json";
const PATIENCE_MS = 15 * 60_000;

/** Environments below one folder of the user's cache, each in a folder named after the need. */
export class EnvironmentStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  folderOf(id: string): string {
    return join(this.folder, id);
  }

  /** What was locked when this need was first prepared; it outlives the environment. */
  lockFileOf(id: string): string {
    return join(this.folder, "locks", id);
  }

  find(id: string): Environment | undefined {
    if (!ID.test(id)) return undefined;
    const folder = this.folderOf(id);
    const text = readIfPresent(join(folder, RECORD), { maxBytes: 4 << 20 })?.toString("utf8");
    if (text === undefined) return undefined;
    try {
      return { ...(JSON.parse(text) as Environment), id, folder };
    } catch {
      return undefined;
    }
  }

  list(): readonly Environment[] {
    return namesIn(this.folder)
      .filter((name) => ID.test(name))
      .flatMap((id) => this.find(id) ?? []);
  }

  /** Removes it, and frees its lock of versions too when asked. Its name goes first, so no script starts in half of it. */
  remove(id: string, { lock = false }: { readonly lock?: boolean } = {}): boolean {
    if (!ID.test(id)) return false;
    if (lock) removeQuietly(this.lockFileOf(id));
    const removed = join(this.folder, `removed-${id}-${process.pid}`);
    try {
      renameSync(this.folderOf(id), removed);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    }
    removeTree(removed);
    return true;
  }

  /** One process prepares an environment; others wait and find it. */
  async prepare(
    id: string,
    build: (folder: string) => Promise<Omit<Environment, "id" | "folder" | "bytes">>,
    signal?: AbortSignal,
  ): Promise<Environment> {
    const held = await waitForLock(join(this.folder, `${id}.lock`), {
      patienceMs: PATIENCE_MS,
      signal,
    });
    if (!held.ok) throw new Error(`Another process has been preparing ${id} for too long.`);
    try {
      const ready = this.find(id);
      if (ready !== undefined) return ready;
      const folder = this.folderOf(id);
      removeTree(folder);
      try {
        const built = await build(folder);
        const bytes = protectTree(folder);
        chmodSync(folder, 0o700);
        writeAtomic(join(folder, RECORD), JSON.stringify({ ...built, bytes }), { flush: true });
        chmodSync(folder, 0o500);
        return { ...built, id, folder, bytes };
      } catch (error) {
        removeTree(folder);
        throw error;
      }
    } finally {
      held.release();
    }
  }

  /** Names the skills that share an environment. */
  setSkills(environment: Environment, skills: readonly string[]): Environment {
    const { id, folder, ...record } = environment;
    const noted = { ...record, skills: [...new Set(skills)].toSorted() };
    if (noted.skills.join("/") === record.skills.join("/")) return environment;
    chmodSync(folder, 0o700);
    writeAtomic(join(folder, RECORD), JSON.stringify(noted));
    chmodSync(folder, 0o500);
    return { ...noted, id, folder };
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Takes write permission from everything in it; gives the bytes of its files. */
function protectTree(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) continue;
    if (stats.isDirectory()) bytes += protectTree(path);
    else bytes += stats.size;
    chmodSync(path, stats.mode & 0o555);
  }
  return bytes;
}

function removeTree(folder: string): void {
  const makeWritable = (path: string) => {
    chmodSync(path, 0o700);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) makeWritable(join(path, entry.name));
    }
  };
  try {
    if (lstatSync(folder).isDirectory()) makeWritable(folder);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  rmSync(folder, { recursive: true, force: true });
}
