import type { Snapshot } from "./build-snapshot.ts";
import { foldName, type SkillRecord } from "./skill-record.ts";

/** Names first, then folders and ids, so that nothing takes a name away from its skill. */
export function indexNames({ all, shadowed }: Snapshot): Map<string, SkillRecord> {
  const index = new Map<string, SkillRecord>();
  const add = (key: string, skill: SkillRecord) => {
    const folded = foldName(key);
    if (!index.has(folded)) index.set(folded, skill);
  };
  for (const skill of all) if (skill.shadowedBy === undefined) add(skill.name, skill);
  for (const skill of all) {
    add(skill.relativePath, skill);
    add(skill.relativePath.slice(skill.relativePath.lastIndexOf("/") + 1), skill);
  }
  for (const skill of shadowed) add(skill.relativePath, skill);
  for (const skill of [...all, ...shadowed]) add(skill.id, skill);
  return index;
}

/**
 * What `name@source` means, shadowed or not: rather the skill of which both name and path are that. Of an
 * MCP server its label alone is enough.
 */
export function skillFromSource(name: string, { all, shadowed }: Snapshot) {
  const at = name.lastIndexOf("@");
  if (at <= 0) return undefined;
  const wanted = foldName(name.slice(0, at));
  const source = foldName(name.slice(at + 1));
  const meant = (skill: SkillRecord) =>
    [skill.name, skill.relativePath].filter((one) => foldName(one) === wanted).length;
  const isFrom = (skill: SkillRecord, wantedSource: string) =>
    [skill.source, ...skill.alsoFrom].some((other) => foldName(other) === wantedSource);
  const skills = [...all, ...shadowed]
    .filter((skill) => meant(skill) > 0)
    .toSorted((a, b) => meant(b) - meant(a));
  return (
    skills.find((skill) => isFrom(skill, source)) ??
    skills.find((skill) => isFrom(skill, `mcp:${source}`))
  );
}
