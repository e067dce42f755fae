import { sourceOf, startRegistry } from "../registry/open-registry.ts";
import { restoredOptions, restoredSource, trustAsSaved } from "../state/restored-source.ts";
import { restoreState } from "../state/skills-state.ts";
import type { OpenSkillsOptions } from "./open-skills-options.ts";
import { safeLogger } from "./safe-logger.ts";
import { Skills } from "./skills.ts";

export async function openSkills(asGiven: OpenSkillsOptions = {}): Promise<Skills> {
  const { logger } = asGiven;
  const given = logger === undefined ? asGiven : { ...asGiven, logger: safeLogger(logger) };
  if (given.restore === undefined) return start(new Skills(sourceOf(given), given), given);
  const state = restoreState(given.restore);
  const options = { ...trustAsSaved(state), ...restoredOptions(state, given) };
  const source = restoredSource(sourceOf(options), state, given);
  return start(new Skills(source, options), options);
}

async function start(skills: Skills, options: OpenSkillsOptions): Promise<Skills> {
  const { validateOnStartup = options.configuration?.skillTools?.validateOnStartup } = options;
  await startRegistry(skills, {
    ...options,
    ...(validateOnStartup === undefined ? undefined : { validateOnStartup }),
  });
  return skills;
}
