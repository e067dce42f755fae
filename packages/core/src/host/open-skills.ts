import { sourceOf, startRegistry } from "../registry/open-registry.ts";
import { restoreState } from "../state/skills-state.ts";
import type { OpenSkillsOptions } from "./open-skills-options.ts";
import { Skills } from "./skills.ts";

/** Finds all skills and gives a model its way to them. */
export async function openSkills(given: OpenSkillsOptions = {}): Promise<Skills> {
  const options =
    given.restore === undefined ? given : { ...restoreState(given.restore).options, ...given };
  const skills = new Skills(sourceOf(options), options);
  await startRegistry(skills, options);
  return skills;
}
