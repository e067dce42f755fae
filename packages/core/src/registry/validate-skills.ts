import { lintSkill } from "../directory/lint-skill.ts";
import type { Logger } from "../logger.ts";
import type { SkillRecord } from "./skill-record.ts";

/** Runs the strict validator over all skills and logs what it finds; returns the number of errors. */
export async function validateSkills(
  records: readonly SkillRecord[],
  logger: Logger,
): Promise<number> {
  let errors = 0;
  for (const { path, name } of records) {
    if (path.startsWith("inline:")) continue;
    const { diagnostics } = await lintSkill(path, { strict: true });
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
