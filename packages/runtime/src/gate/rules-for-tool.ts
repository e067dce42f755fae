import { restrictingRules } from "../policy/policy-rule.ts";
import type { RunPolicy } from "../policy/policy-request.ts";
import type { PolicySettings } from "../policy/policy-settings.ts";
import { restrictedTools, RISK_CLASSES, toolName } from "../policy/tools.ts";

/** The same settings without rules that are surely for other tools: for many decisions on one tool. */
export function settingsForTool(settings: PolicySettings, tool: string): PolicySettings {
  const { deny, ask, allow } = settings;
  const only = (texts: readonly string[]) => texts.filter((text) => mayConcern(text, tool));
  return { ...settings, deny: only(deny), ask: only(ask), allow: only(allow) };
}

/** As `settingsForTool`; what a run is limited to stays as it is. */
export function runPolicyForTool(policy: RunPolicy, tool: string): RunPolicy {
  const { deny = [], ask = [] } = policy;
  const only = (texts: readonly string[]) => texts.filter((text) => mayConcern(text, tool));
  return { ...policy, deny: only(deny), ask: only(ask) };
}

function mayConcern(text: string, tool: string): boolean {
  const { rules, unreadable } = restrictingRules([text]);
  if (unreadable.length > 0) return true;
  return rules.some(
    (rule) =>
      !RISK_CLASSES.has(toolName(rule.tool)) || restrictedTools(rule.tool).includes(toolName(tool)),
  );
}
