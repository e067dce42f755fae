import type { PackOrigin } from "../pack-origin.ts";

/** `.agent/skills.lock.json`: sorted, stable, without times, so that two branches merge. */
export interface LockFile {
  readonly schemaVersion: 1;
  /** By path of the skill's folder relative to the base, with `/`: `.agent/skills/pdf-tools`. */
  readonly skills: Readonly<Record<string, LockedSkill>>;
}

export interface LockedSkill {
  readonly name: string;
  readonly origin: PackOrigin;
  /** The skill's folder within the pack; empty for one at the root. */
  readonly skillPath: string;
  /** As `skillDigest` of core computes it. */
  readonly digest: string;
  /** Hexadecimal SHA-256 of each file, by path, in byte order. */
  readonly files: Readonly<Record<string, string>>;
  /** Fingerprint of the key that signed the pack: `SHA256:…` as ssh-keygen prints it. */
  readonly signer?: string;
  /** Names the signed manifest beside the lock; see `signedManifest`. */
  readonly signature?: string;
  /** The folder is a link to the local source (`--link`); digests are then those at that time. */
  readonly linked?: true;
}
