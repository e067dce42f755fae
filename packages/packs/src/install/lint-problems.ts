import type { ReportedProblem } from "./change-report.ts";
import { BINARY } from "../scan/scan-contents.ts";
import type { StagedSkill } from "./stage-skill.ts";

/** What the linter and the scan found in a skill that was taken all the same. */
export function lintProblems({
  name,
  diagnostics,
  findings,
  suppressed,
  skipped,
}: StagedSkill): ReportedProblem[] {
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
    ...suppressed.map(({ rule, message, file, line, reason, suppressedIn }): ReportedProblem => {
      const accepted = `${message}; accepted in ${suppressedIn}: ${reason}`;
      return { code: rule, severity: "warning", message: accepted, skill: name, file, line };
    }),
    ...skipped
      .filter(({ reason }) => reason !== BINARY)
      .map(({ file, reason }): ReportedProblem => {
        return {
          code: "file-not-scanned",
          severity: "warning",
          message: `the scan did not look at it: ${reason}`,
          skill: name,
          file,
        };
      }),
  ];
}
