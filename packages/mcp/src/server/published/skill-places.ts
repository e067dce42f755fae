import { type SkillRecord, type Skills } from "@skillwright/core";
import { isVisibleToModel } from "@skillwright/core/internal";
import { skillUri } from "../../uri/skill-uri.ts";
import { SKILL_FILE } from "./published-skill.ts";
import type { SkillPlace } from "./publish-skill.ts";

/**
 * Where each skill that a model may see stands: under its name, and those of the same name that come
 * after it under their source and name. Of two with one name in one source, the second has no place.
 */
export function skillPlaces(skills: Skills): SkillPlace[] {
  const visible = [...skills.all, ...skills.shadowed].filter(isVisibleToModel);
  const names = new Set(visible.map(({ name }) => name));
  const taken = new Set<string>();
  const places: SkillPlace[] = [];
  for (const record of visible) {
    const isListed = record.shadowedBy === undefined;
    const segments = isListed ? [record.name] : [sourceSegment(record, names), record.name];
    const key = segments.join("/");
    if (taken.has(key) || !canBeUri(segments)) continue;
    taken.add(key);
    const inline = skills.inlineSkill(record);
    const files = inline === undefined ? { directory: record.path } : { inline };
    places.push({ record, segments, isListed, files, stamp: stampOf(record, skills) });
  }
  return places;
}

/** What is below the name of a skill are its files, so that no source may be called like one. */
function sourceSegment({ source }: SkillRecord, names: ReadonlySet<string>): string {
  let segment = source;
  while (names.has(segment)) segment = `${segment}-source`;
  return segment;
}

function canBeUri(segments: readonly string[]): boolean {
  try {
    const uri = skillUri([...segments, SKILL_FILE]);
    return new URL(uri).href === uri;
  } catch {
    return false;
  }
}

function stampOf(record: SkillRecord, skills: Skills): string {
  return `${record.path}\n${skills.stampOf(record)}`;
}
