import { quoteName, quoteNames } from "@skillwright/core/internal";
import { permitCall } from "./match/match-rules.ts";
import type { PolicyCall } from "./policy-call.ts";
import type { PolicyRequest, PolicySkill } from "./policy-request.ts";
import { declaredRules } from "./policy-rule.ts";
import type { ToolSettings } from "./tool-settings.ts";
import type { Verdict } from "./verdict.ts";

/** What skills take away from what policy allows. */
export function skillVerdicts(
  request: PolicyRequest,
  call: PolicyCall,
  tool: ToolSettings,
): readonly Verdict[] {
  const { skill, settings, places } = request;
  if (tool.disclosure) return [];
  const verdicts: Verdict[] = [];
  if (skill?.trusted === false && tool.risk !== "low") {
    verdicts.push({
      decision: "deny",
      reason: `the skill ${quoteName(skill.name)} is not trusted`,
    });
  }
  const unlisted = unlistedSkills(request, call, tool);
  if (unlisted.length > 0) {
    const names = quoteNames(unlisted);
    const reason = `not listed in the \`allowed-tools\` of any active skill: ${names}`;
    return [...verdicts, { decision: "ask", reason }];
  }
  if (settings.allowedTools === "ignore" || isForNoSkill(request)) return verdicts;
  for (const { name, trusted, allowedTools } of declaringSkills(request)) {
    if (settings.allowedTools === "grant" && trusted) continue;
    const match = permitCall(declaredRules(allowedTools), call, places);
    const declares = `the \`allowed-tools\` of the skill ${quoteName(name)}`;
    if (match === "no")
      verdicts.push({ decision: "deny", reason: `${declares} do not cover this` });
    if (match === "unclear") {
      verdicts.push({ decision: "ask", reason: `it is not clear whether ${declares} cover this` });
    }
  }
  return verdicts;
}

/**
 * For a call that names no skill: the active skills, when none of them covers it or declares nothing.
 * A person is asked then, since nobody knows which skill the call is for.
 */
export function unlistedSkills(
  request: PolicyRequest,
  call: PolicyCall,
  tool: ToolSettings,
): readonly string[] {
  const { activeSkills, settings, places } = request;
  if (tool.disclosure || !isForNoSkill(request)) return [];
  const isCovered = activeSkills.some(
    ({ trusted, allowedTools }) =>
      allowedTools === undefined ||
      (settings.allowedTools === "grant" && trusted) ||
      permitCall(declaredRules(allowedTools), call, places) === "yes",
  );
  return isCovered ? [] : activeSkills.map(({ name }) => name);
}

/** With `restrict`, a call that names no skill is for every active one. */
function isForNoSkill({ skill, settings: { allowedTools } }: PolicyRequest): boolean {
  return skill === undefined && (allowedTools === "ask" || allowedTools === "grant");
}

/**
 * The pre-approval that the specification describes: from the skill that the call names, or else from
 * all that are active. One that is not trusted or declares nothing grants nothing, and nobody can
 * tell which of them a call is for.
 */
export function grantVerdict(request: PolicyRequest, call: PolicyCall): Verdict | undefined {
  if (request.settings.allowedTools !== "grant") return undefined;
  const skills = countingSkills(request);
  const isGranted = skills.every(
    ({ trusted, allowedTools = [] }) =>
      trusted && permitCall(declaredRules(allowedTools), call, request.places) === "yes",
  );
  const names = skills.map(({ name }) => quoteName(name)).join(", ");
  if (skills.length === 0 || !isGranted) return undefined;
  return { decision: "allow", reason: `approved beforehand by the \`allowed-tools\` of ${names}` };
}

type DeclaringSkill = PolicySkill & Required<Pick<PolicySkill, "allowedTools">>;

function declaringSkills(request: PolicyRequest): readonly DeclaringSkill[] {
  return countingSkills(request).filter(
    (one): one is DeclaringSkill => one.allowedTools !== undefined,
  );
}

/** The skill that the call names, or else all that are active: no skill borrows another's rights. */
function countingSkills({ skill, activeSkills }: PolicyRequest): readonly PolicySkill[] {
  return skill === undefined ? activeSkills : [skill];
}
