/** One place skills are installed into, with the lock that describes it. */
export interface InstallScope {
  /** `project`, `user`, or a label of the caller. */
  readonly label: string;
  /** The project or home; paths in the lock are relative to it. */
  readonly base: string;
  /** The folder of skills. Made when it is missing. */
  readonly root: string;
  /** `<base>/.agent/skills.lock.json`. */
  readonly lockFile: string;
  /** `<base>/skills-lock.json`, which other clients read; absent where nobody would look for it. */
  readonly sharedLockFile?: string;
}

/** Below a root: staging, journal, backups, history, pristine copies. Never scanned for skills. */
export const STATE_FOLDER = ".skillwright";
