import type { BigIntStats } from "node:fs";
import type { Diagnostic, Mutable } from "../format/diagnostic.ts";
import type { MetadataResult } from "../format/parse-skill.ts";
import { misnamedSkillFile, similarFile, unreadableSkillFile } from "./look-for-skill.ts";
import { fileStamp, type IndexedSkill } from "./skill-source.ts";

type SkillPlace = Pick<IndexedSkill, "source" | "root" | "relativePath" | "directory">;

/** What the index keeps of a SKILL.md that was read. */
export function indexedSkill(
  { source, root, relativePath, directory }: SkillPlace,
  { metadata, diagnostics }: MetadataResult,
  stats: BigIntStats,
  now: bigint,
): IndexedSkill {
  const { stamp, racy } = fileStamp(stats, now);
  // Nearly all: an object that is made in one go is faster than one that grows.
  if (!racy && metadata !== undefined) {
    return { source, root, relativePath, directory, diagnostics, stamp, metadata };
  }
  const indexed: Mutable<IndexedSkill> = {
    source,
    root,
    relativePath,
    directory,
    diagnostics,
    stamp,
  };
  if (metadata !== undefined) indexed.metadata = metadata;
  if (racy) indexed.racy = true;
  return indexed;
}

/** Why there is no SKILL.md to read; undefined when nothing in the folder claims to be one. */
export function refusedSkill(place: SkillPlace, code: string): IndexedSkill | undefined {
  const file = `${place.directory}/SKILL.md`;
  const refused = (diagnostic: Diagnostic): IndexedSkill => {
    return { ...place, diagnostics: [diagnostic], stamp: "", racy: true };
  };
  if (code !== "ENOENT" && code !== "ENOTDIR") return refused(unreadableSkillFile(file, code));
  const similar = similarFile(place.directory);
  return similar === undefined ? undefined : refused(misnamedSkillFile(file, similar));
}
