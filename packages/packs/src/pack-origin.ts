/** Where skills came from, exactly enough to get the same again. What the lock records. */
export interface PackOrigin {
  readonly type: "local" | "archive" | "git" | "npm" | "url" | "well-known";
  /**
   * As a person would type it, without the part that is in the other fields: a path relative to
   * the lock's base, `owner/repo`, a git URL, a package name, an https URL. Never with a password.
   */
  readonly source: string;
  /** The branch, tag or range that was asked for; absent when none was. */
  readonly ref?: string;
  /** git: the full commit. npm: the exact version. */
  readonly resolved?: string;
  /** The folder within the repository or package that was asked for. */
  readonly path?: string;
  /** `sha256:…` of the archive that was read, for archive, url, npm and well-known. */
  readonly integrity?: string;
}
