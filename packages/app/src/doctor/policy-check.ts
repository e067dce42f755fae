import type { Configuration } from "@skillwright/core/internal";
import type { Check } from "./check.ts";

/** Whether every rule can be read, domains and paths in it too. */
export async function policyCheck(values: Configuration): Promise<Check> {
  const { policySettings } = await import("@skillwright/runtime");
  const { ruleProblems } = await import("@skillwright/runtime/internal");
  const { allow, ask, deny, allowedTools } = policySettings(values);
  const problems = ruleProblems({ allow, ask, deny });
  if (problems.length > 0) {
    const hint = "fix these rules in the configuration; docs/permissions.md shows the syntax";
    return { name: "policy", status: "error", message: problems.join("; "), hint };
  }
  const counts = `rules: ${allow.length} allow, ${ask.length} ask, ${deny.length} deny`;
  return { name: "policy", status: "ok", message: `${counts}; allowed-tools ${allowedTools}` };
}
