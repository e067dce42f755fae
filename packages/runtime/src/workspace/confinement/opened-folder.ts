import type { FolderProblem } from "./folder-problem.ts";

/** A folder below the working directory that was reached without following a link. */
export interface OpenFolder {
  /**
   * A path for a call of the system that means this name in this folder, wherever the folder's own
   * name leads by now. The last part is only followed when the call follows links.
   */
  child(name: string): string;
  /** A path for a call of the system that means the folder. */
  readonly itself: string;
  /** False when the folder no longer lies where it was reached. */
  isInPlace(): boolean;
  close(): void;
  /** Takes back the folders that were made on the way, as far as they are empty. */
  undoMade(): void;
}

export type OpenedFolder =
  | { readonly ok: true; readonly folder: OpenFolder }
  | { readonly ok: false; readonly reason: FolderProblem };
