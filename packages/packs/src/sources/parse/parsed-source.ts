/** A source that is understood. What `source` holds goes into the lock; the rest is how to get it. */
export type ParsedSource = LocalSource | ArchiveSource | GitSource | NpmSource | WebSource;

interface AnySource {
  readonly ok: true;
  /** As a person would type it, normalized, without credentials and without the other fields. */
  readonly source: string;
  /** The one skill that is wanted. The caller selects it. */
  readonly skill?: string;
  /** What a person should know about how the text was understood. */
  readonly notes: readonly string[];
}

export interface LocalSource extends AnySource {
  readonly kind: "local";
  /** Absolute path of the folder. */
  readonly path: string;
}

export interface ArchiveSource extends AnySource {
  readonly kind: "archive";
  /** Absolute path of the file. */
  readonly file: string;
}

export interface GitSource extends AnySource {
  readonly kind: "git";
  /** What git is given. May hold credentials: never to be shown or kept. */
  readonly url: string;
  readonly transport: "https" | "http" | "ssh" | "git" | "file";
  /** A branch, tag or commit. */
  readonly ref?: string;
  /** A folder within the repository, with `/`. */
  readonly path?: string;
  /** `<ref>/<path>` of a web page, where only the repository can tell how much is the ref. */
  readonly tree?: string;
}

export interface NpmSource extends AnySource {
  readonly kind: "npm";
  /** A version, range or tag. */
  readonly ref?: string;
}

export interface WebSource extends AnySource {
  /** `url`: an archive or SKILL.md. `well-known`: a site that may have an index of skills. */
  readonly kind: "url" | "well-known";
  /** May hold credentials: never to be shown or kept. */
  readonly url: string;
}

/** What stands at a path; a repository is a bare one of git. */
export type Place = "folder" | "file" | "repository" | "nothing";

export interface ParseOptions {
  /** What relative paths are relative to. */
  readonly cwd: string;
  /** What `~` stands for; the user's home folder. */
  readonly home?: string;
  /** The only look at the file system. */
  readonly look?: (path: string) => Place;
}
