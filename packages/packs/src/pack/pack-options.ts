import type { Diagnostic } from "@skillwright/core";
import type { PackProgress } from "../fetched-pack.ts";
import type { PackLimits } from "../pack-limits.ts";
import type { ManifestFile, PackManifest } from "./manifest.ts";

/** Which skills: named folders, or all at and below a root. */
export type PackSource =
  | { readonly directories: readonly string[]; readonly root?: never }
  | { readonly root: string; readonly directories?: never };

export type PackFormat = "zip" | "tar.gz" | "well-known";

/**
 * How an archive is laid out. `pack`: `<name>/…` and the manifest, for one or many skills; what
 * `install`, `verify` and `sign` are made for. `folders`: without the manifest, for hosts that take
 * exactly one folder. `root`: one skill with its SKILL.md at the root of the archive.
 */
export type PackLayout = "pack" | "folders" | "root";

export type PackOptions = PackSource & {
  /** The archive; for `well-known` the folder that is served as `/`. */
  readonly output: string;
  readonly format: PackFormat;
  /** `pack` unless given. Not for `well-known`, whose layout is fixed. */
  readonly layout?: PackLayout;
  /**
   * `deflate` unless given: the same bytes wherever Node brings the same zlib. `store` does not
   * compress, and gives the same bytes with every version of Node on every processor.
   */
  readonly compression?: "deflate" | "store";
  /** Refuses what the linter warns about, too. */
  readonly strict?: boolean;
  /** Packs files that look like secrets. */
  readonly allowSecrets?: boolean;
  /** Replaces an output that has other content. */
  readonly force?: boolean;
  /** What an installer accepts by default, unless given. */
  readonly limits?: Partial<PackLimits>;
  /** `well-known`: where the folder is served, for absolute addresses; relative ones without. */
  readonly baseUrl?: string;
  /** `well-known`: the kind of archive; `tar.gz` unless given. */
  readonly archives?: "tar.gz" | "zip";
  /** `well-known`: also writes the older `/.well-known/skills/`, file by file. */
  readonly olderIndex?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackProgress) => void;
};

export interface PackResult {
  readonly ok: true;
  /** Absolute path of the archive or the index. */
  readonly file: string;
  /** All that was written or was there already with the same content. */
  readonly files: readonly string[];
  readonly skills: readonly PackedSkill[];
  /** Of all files together. */
  readonly bytes: number;
  readonly manifest: PackManifest;
  /** True when everything was there already. */
  readonly unchanged: boolean;
  /** What the linter has to say, errors excepted: with those there is no pack. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of files that belong to tools and were left out. Folders of tools are not named. */
  readonly leftOut: readonly string[];
}

interface PackedSkill {
  readonly name: string;
  readonly digest: string;
  /** In the archive; the address relative to the index for `well-known`. */
  readonly path: string;
  readonly files: readonly ManifestFile[];
}
