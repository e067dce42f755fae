import { lintSkill } from "../directory/lint-skill.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import type { Logger } from "../logger.ts";
import type { SkillRecord } from "./skill-record.ts";

export type ValidatedSkill = Pick<SkillRecord, "name" | "path">;

/** Runs the strict validator over all skills and logs what it finds; returns the number of errors. */
export async function validateSkills(
  skills: readonly ValidatedSkill[],
  logger: Logger,
  rules: RuleSettings = {},
): Promise<number> {
  let errors = 0;
  for (const { path, name } of skills) {
    if (path.startsWith("inline:")) continue;
    const { diagnostics } = await lintSkill(path, { strict: true, rules });
    for (const { severity, code, message, file, line } of diagnostics) {
      if (severity === "info") continue;
      const context = { skill: name, code, file, line };
      if (severity === "warning") logger.warn(message, context);
      else logger.error(message, context);
      if (severity === "error") errors++;
    }
  }
  return errors;
}
