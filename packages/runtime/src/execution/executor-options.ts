export interface ExecutorOptions {
  /** Programs by name (`python3`, `node`, `uv`, …) that the user's configuration names. */
  readonly interpreters?: Readonly<Record<string, string>>;
  /** Scripts that run at once; the others wait. */
  readonly concurrency?: number;
  /** Where the private folders of runs are made. */
  readonly temporaryDirectory?: string;
}
