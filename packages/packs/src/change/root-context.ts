import type { KeyObject } from "node:crypto";
import { join } from "node:path";
import { type InstallScope, STATE_FOLDER } from "../install-scope.ts";
import type { OnStep } from "./change-step.ts";

/** What the parts of a change on an open root share. */
export interface RootContext {
  readonly scope: InstallScope;
  /** Real path of the folder of skills. */
  readonly root: string;
  readonly state: StatePaths;
  readonly key: KeyObject;
  readonly clock: () => number;
  readonly ids: () => string;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
}

export interface StatePaths {
  readonly folder: string;
  readonly staging: string;
  readonly journal: string;
  readonly backups: string;
  readonly history: string;
  readonly pristine: string;
  readonly lock: string;
}

export function statePaths(root: string): StatePaths {
  const folder = join(root, STATE_FOLDER);
  return {
    folder,
    staging: join(folder, "staging"),
    journal: join(folder, "journal.json"),
    backups: join(folder, "backups"),
    history: join(folder, "history"),
    pristine: join(folder, "pristine"),
    lock: join(folder, "lock"),
  };
}

/** An id that may be the name of a file. */
export function freshId(ids: () => string): string {
  const id = ids();
  if (isId(id)) return id;
  throw new Error(`the id ${JSON.stringify(id)} cannot be the name of a folder`);
}

export function isId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id);
}
