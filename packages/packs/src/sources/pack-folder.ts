import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findCandidates } from "../archive/find-candidates.ts";
import type { FetchedPack, FetchOptions } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { DEFAULT_LIMITS, type PackLimits } from "../pack-limits.ts";
import type { PackOrigin } from "../pack-origin.ts";

/** A new folder below the quarantine. */
export async function newFolder({ quarantine }: FetchOptions, name: string): Promise<string> {
  const folder = join(quarantine, name);
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Nothing of a failed fetch stays; the folder itself is the caller's. */
export async function emptyQuarantine({ quarantine }: FetchOptions): Promise<void> {
  for (const name of await readdir(quarantine)) {
    await rm(join(quarantine, name), { recursive: true, force: true, maxRetries: 2 });
  }
}

/** What may still come after some files of a pack have been taken. */
export class RemainingLimits {
  #limits: PackLimits;

  constructor(limits: Partial<PackLimits> | undefined) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  get now(): PackLimits {
    return this.#limits;
  }

  take({ files = 0, bytes = 0, archiveBytes = 0 }: Partial<PackLimits>): void {
    const { now } = this;
    this.#limits = {
      ...now,
      files: Math.max(0, now.files - files),
      bytes: Math.max(0, now.bytes - bytes),
      archiveBytes: Math.max(0, now.archiveBytes - archiveBytes),
    };
  }
}

export interface PackContent {
  /** The folder with the content, in the quarantine. */
  readonly content: string;
  readonly origin: PackOrigin;
  /** What a skill at the root is called if it does not say. */
  readonly rootName: string;
  readonly notes: readonly string[];
  readonly archive?: string;
}

/** The end of every way: what is in the quarantine, by the skills that it holds. */
export async function packOf(
  { content, origin, rootName, notes, archive }: PackContent,
  { quarantine, signal }: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  const found = await findCandidates(content, { rootName, signal });
  if (!found.ok) return found;
  return {
    ok: true,
    origin,
    directory: quarantine,
    skills: found.skills,
    notes: [...notes, ...found.notes],
    ...(archive !== undefined && { archive }),
  };
}
