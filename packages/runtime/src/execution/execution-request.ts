import type { Snapshot } from "./snapshot.ts";

/** A script of a skill, what to give it, and what it may do. */
export interface ExecutionRequest {
  readonly skill: ExecutedSkill;
  /** `analyze.py` or `scripts/analyze.py`. */
  readonly script: string;
  /** Go to the process as they are; no shell sees them. */
  readonly args: readonly string[];
  /** The user's working directory, or `fresh` for a new empty one that is gone afterwards. */
  readonly cwd: string;
  readonly limits?: ExecutionLimits;
  /**
   * `example.com`, `*.example.com` for what is below it, or `example.com:8443`; without a port, those
   * of the web. Addresses that are not on the public internet are refused whatever leads to them.
   */
  readonly network?: "none" | { readonly domains: readonly string[] };
  /** Places below `cwd` that may be written; never control files such as `.git` or `.agent`. */
  readonly writable?: readonly string[];
  /** Added to the clean environment; names that change how programs start are refused. */
  readonly env?: Readonly<Record<string, string>>;
  /** Without it, standard input is closed. */
  readonly stdin?: string;
  /** Where the full output goes, within a second cap. */
  readonly spillDirectory?: string;
  /** A Python environment whose modules the script may use. */
  readonly virtualEnvironment?: string;
}

export interface ExecutedSkill {
  readonly name: string;
  readonly path: string;
  /** What was approved. A skill with another digest is refused. */
  readonly digest?: string;
  /** A private copy that was made before, by who approved it; it runs as it is. */
  readonly snapshot?: Snapshot;
}

export interface ExecutionLimits {
  readonly timeoutMs?: number;
  /** How much of each output stream is kept, head and tail. */
  readonly outputBytes?: number;
  /** Of each process. */
  readonly memoryBytes?: number;
  /** Of each process. */
  readonly cpuSeconds?: number;
  /** Of each file, and of all temporary files together. */
  readonly fileBytes?: number;
  readonly openFiles?: number;
  /** Processes and threads together. */
  readonly processes?: number;
}
