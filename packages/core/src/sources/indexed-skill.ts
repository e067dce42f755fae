import type { Diagnostic } from "../format/diagnostic.ts";
import type { Mutable } from "../format/parsed-skill.ts";
import { fileStamp } from "./file-stamp.ts";
import type { SkillHead } from "./read-skill-head.ts";
import type { IndexedSkill } from "./skill-source.ts";
import { misnamedSkillFile, similarFile, unreadableSkillFile } from "./unreadable-skill-file.ts";

/** What the index keeps of a SKILL.md that was read. */
export function indexedSkill(
  name: string,
  { stats, metadata, diagnostics }: SkillHead & { ok: true },
  now: bigint,
): IndexedSkill {
  const { stamp, racy } = fileStamp(stats, now);
  // Nearly all: an object that is made in one go is faster than one that grows.
  if (!racy && metadata !== undefined) {
    return diagnostics.length === 0
      ? { name, stamp, metadata }
      : { name, stamp, metadata, diagnostics };
  }
  const indexed: Mutable<IndexedSkill> = { name, stamp };
  if (racy) indexed.racy = true;
  if (metadata !== undefined) indexed.metadata = metadata;
  if (diagnostics.length > 0) indexed.diagnostics = diagnostics;
  return indexed;
}

/** Why there is no SKILL.md to read; undefined when nothing in the folder claims to be one. */
export function refusedSkill(name: string, folder: string, code: string): IndexedSkill | undefined {
  const file = `${folder}/SKILL.md`;
  const refused = (diagnostic: Diagnostic): IndexedSkill => {
    return { name, stamp: "", racy: true, diagnostics: [diagnostic] };
  };
  if (code !== "ENOENT" && code !== "ENOTDIR") return refused(unreadableSkillFile(file, code));
  const similar = similarFile(folder);
  return similar === undefined ? undefined : refused(misnamedSkillFile(file, similar));
}
