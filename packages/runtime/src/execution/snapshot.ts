export interface Snapshot {
  readonly ok: true;
  readonly directory: string;
  readonly digest: string;
  /** Paths of the files, relative to the skill. */
  readonly files: ReadonlySet<string>;
  /** What was copied, of the files that were asked for. */
  readonly contents: ReadonlyMap<string, Buffer>;
}
