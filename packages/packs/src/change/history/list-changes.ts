import { changeStacks } from "./undo-change.ts";
import { checkOptions } from "@skillwright/core/internal";
import { defaultStateDirectory } from "@skillwright/core";
import { type InstallScope, STATE_FOLDER } from "../../install-scope.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { type ChangedFolder, changedFolders, namesIn, readHistory } from "./history.ts";
import { confinedFolder, plainFolder, standing } from "../files/plain-path.ts";
import { statePaths } from "../root-context.ts";
import { rootFailure } from "../root-refusal.ts";
import { readSigningKey } from "../signing/signing-key.ts";

export interface ListedChange {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The id of the change that it took back. */
  readonly undoes?: string;
  readonly folders: readonly ChangedFolder[];
  /** It is in effect: an undo may get to it. */
  readonly inEffect: boolean;
}

export interface ListedChanges {
  readonly ok: true;
  /** Newest first; the first is what an undo takes back. */
  readonly changes: readonly ListedChange[];
  /** A change was interrupted, and the next command finishes it. */
  readonly isInterrupted: boolean;
  /** Files in the history that this user did not write for this root. They are not obeyed. */
  readonly refused: readonly string[];
}

/** What was done to a root. Reads only, and needs no lock. */
export function listChanges(
  scope: InstallScope,
  options: { readonly stateDirectory?: string } = {},
): ListedChanges | PackFailure {
  checkOptions("listChanges", options, { stateDirectory: "string" });
  try {
    const root = confinedFolder(scope.base, scope.root);
    const isThere = root !== undefined && plainFolder(root, [STATE_FOLDER, "history"]);
    if (root === undefined || isThere === undefined) {
      return { ok: true, changes: [], isInterrupted: false, refused: [] };
    }
    const state = statePaths(root);
    const key = readSigningKey(options.stateDirectory ?? defaultStateDirectory(process.env));
    const isInterrupted = standing(state.journal) !== undefined;
    if (key === undefined) {
      return { ok: true, changes: [], isInterrupted, refused: namesIn(state.history) };
    }
    const { entries, refused } = readHistory(state, { key, root });
    const { done } = changeStacks(entries);
    const changes = entries.map((entry) => {
      const { id, title, time, undoes } = entry;
      const told = undoes === undefined ? {} : { undoes };
      const inEffect = done.includes(entry);
      return { id, title, time, ...told, folders: changedFolders(entry), inEffect };
    });
    return { ok: true, changes, isInterrupted, refused };
  } catch (error) {
    return rootFailure(error, `cannot read the history of ${scope.root}`);
  }
}
