import { createHash } from "node:crypto";
import { type SkillRecord, type Skills } from "@skillwright/core";
import { combineDigests, fileDigests } from "@skillwright/core/internal";

const KNOWN = new WeakMap<Skills, Promise<string>>();

/** Of all that a model may come to see of these skills; found out once. Their evals are no part of it. */
export function catalogDigest(skills: Skills): Promise<string> {
  const known = KNOWN.get(skills) ?? digestOf(skills);
  KNOWN.set(skills, known);
  return known;
}

async function digestOf(skills: Skills): Promise<string> {
  const hash = createHash("sha256");
  for (const skill of skills.all.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    hash.update(JSON.stringify([skill.name, await skillContent(skill, skills)]));
  }
  return `sha256:${hash.digest("hex")}`;
}

/** Of a skill without its evals. */
export async function skillContent(skill: SkillRecord, skills: Skills): Promise<string> {
  if (skill.path.startsWith("inline:")) return skills.digest(skill);
  try {
    const files = await fileDigests(skill.path);
    return combineDigests(files.filter(({ path }) => !/^evals?\//.test(path)));
  } catch {
    return "unreadable";
  }
}
