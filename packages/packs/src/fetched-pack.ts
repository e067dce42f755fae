import type { PackFailure } from "./pack-failure.ts";
import type { PackLimits } from "./pack-limits.ts";
import type { PackOrigin } from "./pack-origin.ts";

/** A skill's folder in a quarantine. Nothing about it has been checked but that it is a folder of plain files. */
export interface Candidate {
  /** The name it would be installed under: that of its frontmatter if usable, else of its folder. */
  readonly name: string;
  /** Absolute, in the quarantine. */
  readonly directory: string;
  /** Within the pack, with `/`; empty for one at the root. */
  readonly path: string;
  /** Its own origin where that differs from the pack's (each skill of a well-known index). */
  readonly origin?: PackOrigin;
}

/** What every kind of source yields; everything after it is one path. */
export interface FetchedPack {
  readonly ok: true;
  readonly origin: PackOrigin;
  /** The quarantine folder that holds it all. The caller removes it. */
  readonly directory: string;
  /** In byte order of their paths. At least one. */
  readonly skills: readonly Candidate[];
  /** What a person should know: "took v0.1 of the index", "left out: …". */
  readonly notes: readonly string[];
  /** The archive itself when there was one, for its signature and manifest. */
  readonly archive?: string;
  /** Asks for the signature beside an archive on the web. Knows credentials: never recorded. */
  readonly fetchSignature?: () => Promise<FetchedSignature | PackFailure>;
}

/** What was answered where a signature would be; without a text there is none. */
export interface FetchedSignature {
  readonly ok: true;
  readonly text?: string;
}

export interface FetchOptions {
  /** An existing empty folder on the file system of the target; everything is written below it. */
  readonly quarantine: string;
  /** What relative paths are relative to. */
  readonly cwd: string;
  readonly limits?: Partial<PackLimits>;
  /** Builds the environment of git and npm; nothing else is inherited. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackProgress) => void;
}

/** One line of progress; `total` is absent while it is not known. */
export interface PackProgress {
  readonly phase: "fetch" | "unpack" | "check" | "scan" | "stage" | "place" | "verify" | "pack";
  readonly done: number;
  readonly total?: number;
  readonly unit: "bytes" | "files" | "skills";
  readonly detail?: string;
}

export type FetchPack = (
  source: string,
  options: FetchOptions,
) => Promise<FetchedPack | PackFailure>;
