import { realpathSync } from "node:fs";
import type { SkillRecord } from "./skill-record.ts";

/** What a skill must still be to be trusted: this content, or this very folder. */
export type TrustBasis = { readonly digest: string } | { readonly realPath: string };

/** What two records have in common: one folder by two ways, or the same files. */
export async function sameContent(a: SkillRecord, b: SkillRecord): Promise<TrustBasis | undefined> {
  if (a.description !== b.description) return undefined;
  try {
    const realPath = realpathSync(a.path);
    if (realPath === realpathSync(b.path)) return { realPath };
    const { skillDigest } = await import("../directory/skill-digest.ts");
    const [digest, other] = await Promise.all([skillDigest(a.path), skillDigest(b.path)]);
    return digest === other ? { digest } : undefined;
  } catch {
    return undefined;
  }
}

/** Looks at the files as they are now. */
export async function holds(basis: TrustBasis, { path }: SkillRecord): Promise<boolean> {
  try {
    if ("realPath" in basis) return realpathSync(path) === basis.realPath;
    const { skillDigest } = await import("../directory/skill-digest.ts");
    return (await skillDigest(path)) === basis.digest;
  } catch {
    return false;
  }
}
