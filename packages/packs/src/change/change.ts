/**
 * What one command does to one root, decided beforehand and carried out wholly or not at all:
 * every folder that is placed was staged, checked and synced before the first of these moves.
 */
export interface Change {
  /** What the person called: `install pdf-tools`. Shown by `undo`. */
  readonly title: string;
  readonly moves: readonly Move[];
  /** New text of the lock files; undefined leaves one as it is, null removes it. */
  readonly lock?: string | null;
  readonly sharedLock?: string | null;
}

/** One skill's folder: what stands there goes to the backup, what is staged comes in its place. */
export interface Move {
  /** Of the folder below the root, one or more segments: `pdf-tools`, `acme/pdf-tools`. */
  readonly folder: string;
  /** Absolute path of the staged folder or link below the root's state folder; undefined removes. */
  readonly staged?: string;
  /** The `skillDigest` of what is staged, where the caller has computed it from the files there. */
  readonly digest?: string;
}
