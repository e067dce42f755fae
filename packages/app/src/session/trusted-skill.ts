import type { SkillRecord } from "@skillwright/core";
import type { TrustStore } from "@skillwright/core/internal";

/** A skill whose content is trusted, as the store has it. */
export interface TrustedSkill {
  /** What the store calls it. */
  readonly stored: string;
  readonly digest: string;
  /** The name of one in a folder; of a server's, its path on that server. */
  readonly path: string;
  /** Of a server's. */
  readonly label?: string;
  /** Of a server's; those that were trusted long ago have none. */
  readonly uri?: string;
}

const OF_SERVER = /^(?:(\S+) )?(.+)@mcp:([\w-]+)$/s;

/** What the store calls a server's skill: two of one name have two URIs. */
export function storedName({ uri, relativePath, source }: SkillRecord): string {
  return `${uri} ${relativePath}@${source}`;
}

export function trustedSkills({ digests }: Pick<TrustStore, "digests">): readonly TrustedSkill[] {
  return [...digests].map(([digest, stored]) => {
    const [, uri, path, label] = OF_SERVER.exec(stored) ?? [];
    if (path === undefined || label === undefined) return { stored, digest, path: stored };
    return { stored, digest, path, label, ...(uri !== undefined && { uri }) };
  });
}

/** The name by which it can be called. */
export function trustedName({ path, label }: TrustedSkill): string {
  return label === undefined ? path : `${path}@mcp:${label}`;
}
