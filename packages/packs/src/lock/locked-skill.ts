import { combineDigests, type FileDigest } from "@skillwright/core/internal";
import type { PackOrigin } from "../pack-origin.ts";
import { byteOrder } from "../byte-order.ts";
import type { LockedSkill } from "./lock-file.ts";

export interface LockedSkillParts {
  readonly name: string;
  readonly origin: PackOrigin;
  readonly skillPath: string;
  /** As `fileDigests` of core gives them, in any order. */
  readonly files: readonly Pick<FileDigest, "path" | "sha256">[];
  readonly signer?: string | undefined;
  readonly signature?: string | undefined;
  readonly linked?: boolean | undefined;
}

/** The entry of a lock for a skill with these files. */
export function lockedSkill(parts: LockedSkillParts): LockedSkill {
  const { name, origin, skillPath, signer, signature, linked } = parts;
  const sorted = [...parts.files].sort((a, b) => byteOrder(a.path, b.path));
  const files = Object.create(null) as Record<string, string>;
  for (const { path, sha256 } of sorted) files[path] = sha256;
  return {
    name,
    origin,
    skillPath,
    digest: combineDigests(sorted.map((file) => ({ ...file, size: 0 }))),
    files,
    ...(signer !== undefined && { signer }),
    ...(signature !== undefined && { signature }),
    ...(linked === true ? { linked } : undefined),
  };
}
