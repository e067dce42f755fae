import type { ReportedProblem } from "./change-report.ts";
import type { StagedSkill } from "./stage-skill.ts";

/** What the linter and the scan found in a skill that was taken all the same. */
export function lintProblems({ name, diagnostics, findings }: StagedSkill): ReportedProblem[] {
  return [
    ...diagnostics.map(({ code, severity, message, hint, line }): ReportedProblem => {
      return {
        code,
        severity,
        message,
        skill: name,
        file: "SKILL.md",
        line,
        ...(hint !== undefined && { hint }),
      };
    }),
    ...findings.map(({ rule, severity, message, file, line }): ReportedProblem => {
      const isSerious = severity === "high" || severity === "critical";
      return {
        code: rule,
        severity: isSerious ? "error" : "warning",
        message,
        skill: name,
        file,
        line,
      };
    }),
  ];
}
