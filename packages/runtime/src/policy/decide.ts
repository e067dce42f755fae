import { quoteName, quoteNames } from "@skillwright/core/internal";
import { matchingFile, SECRET_FILES } from "../workspace/confinement/protected-files.ts";
import { argumentsOf, permitCall, restrictCall } from "./match-rules.ts";
import { isInside, pathSegments, resolvePath, slash } from "./patterns.ts";
import { type PolicyCall, readCall } from "./policy-call.ts";
import type { PolicyDecision, PolicyRequest, PolicySkill, Verdict } from "./policy-request.ts";
import {
  declaredRules,
  permittingRules,
  type PolicyRules,
  restrictingRules,
} from "./policy-rule.ts";
import { type Decision, toolSettings, type ToolSettings } from "./policy-settings.ts";
import { restrictedTools, RISK_CLASSES, toolName } from "./tools.ts";

/** What skills take away from what policy allows. */
function skillVerdicts(
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
 * A person is asked then, since the skill that the call is for is unknown.
 */
function unlistedSkills(
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
function grantVerdict(request: PolicyRequest, call: PolicyCall): Verdict | undefined {
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

/**
 * Decides on one tool call: what denies comes first, then what asks, then what allows, however
 * specific each is. A pure function of the request; never throws.
 */
export function decide(request: PolicyRequest): PolicyDecision {
  const call = readCall(request);
  const tool = toolSettings(call.tool, request.settings, request.offered);
  const verdicts = [...restrictions(request, call), ...limits(request, call, tool)];
  const found =
    verdicts.find(({ decision }) => decision === "deny") ??
    verdicts.find(({ decision }) => decision === "ask") ??
    permission(request, call, tool);
  const unlistedBy = found.decision === "ask" ? unlistedSkills(request, call, tool) : [];
  return { ...found, risk: tool.risk, ...(unlistedBy.length > 0 && { unlistedBy }) };
}

/** What rules of the configuration and of the run take away. */
function restrictions(request: PolicyRequest, call: PolicyCall): readonly Verdict[] {
  const { settings, runPolicy } = request;
  return [
    ...restrict("deny", restrictingRules(settings.deny), call, request),
    ...restrict("deny", restrictingRules(runPolicy?.deny), call, request),
    ...restrict("ask", restrictingRules(settings.ask), call, request),
    ...restrict("ask", restrictingRules(runPolicy?.ask), call, request),
  ];
}

function restrict(
  decision: "deny" | "ask",
  { rules, unreadable }: PolicyRules,
  call: PolicyCall,
  { places }: PolicyRequest,
): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  for (const rule of rules) {
    const match = restrictCall(rule, call, places, decision);
    const verb = decision === "deny" ? "denies" : "asks for";
    if (match === "yes") {
      verdicts.push({
        decision,
        reason: `the rule \`${rule.text}\` ${verb} this`,
        rule: rule.text,
      });
    } else if (match === "unclear") {
      const reason = `it is not clear whether the rule \`${rule.text}\` ${verb} this`;
      verdicts.push({ decision: "ask", reason, rule: rule.text });
    }
  }
  for (const text of unreadable.filter((text) => mayMean(text, call))) {
    verdicts.push({
      decision: "ask",
      reason: `the rule ${quoteName(text)} cannot be read`,
      rule: text,
    });
  }
  return verdicts;
}

/** A rule that cannot be read may mean any tool, unless it starts with the name of another one. */
function mayMean(text: string, { tool }: PolicyCall): boolean {
  const name = /^[\w-]+/.exec(text)?.[0];
  if (name === undefined || !RISK_CLASSES.has(toolName(name))) return true;
  return restrictedTools(name).includes(tool);
}

/** What holds without a rule of the configuration. */
function limits(request: PolicyRequest, call: PolicyCall, tool: ToolSettings): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  const add = (decision: Decision, reason: string) => verdicts.push({ decision, reason });
  const { settings, places, runPolicy } = request;
  const { rules } = permittingRules(settings.allow);
  const isAllowed = permitCall(rules, call, places) === "yes";
  if (!tool.on && (tool.isOurs || !isAllowed))
    add("deny", `${quoteName(call.tool)} is switched off`);
  if (call.command?.tooLong === true) add("deny", "the command is longer than a system takes");
  if (call.outside !== undefined && permitCall(rules.filter(isElsewhere), call, places) !== "yes") {
    add("deny", `the path ${quoteName(call.outside)} is outside the working directory`);
  }
  const secret = secretFile(call, places);
  const isNamed = permitCall(rules.filter(isExact), call, places) === "yes";
  if (secret !== undefined && (settings.secretReads === "deny" || !isNamed)) {
    add(settings.secretReads, `${quoteName(secret)} may hold secrets`);
  }
  if (runPolicy?.only !== undefined) {
    const match = permitCall(permittingRules(runPolicy.only).rules, call, places);
    if (match === "no") add("deny", "this run does not include it");
    if (match === "unclear") add("ask", "it is not clear whether this run includes it");
  }
  verdicts.push(...skillVerdicts(request, call, tool));
  for (const reason of call.unclear) add("ask", `not understood: ${reason}`);
  return verdicts;
}

/** A rule that names a place beside the working directory. */
function isElsewhere({ specifier }: { readonly specifier?: string }): boolean {
  return /^\s*(?:\/\/|~|\.\.|[a-z]:)/i.test(specifier ?? "");
}

const READERS: ReadonlySet<string> = new Set(["read_file", "search_files"]);

/** A file that a call would read and that is known to hold secrets, as people name it. */
function secretFile(call: PolicyCall, places: PolicyRequest["places"]): string | undefined {
  const named = READERS.has(call.tool)
    ? call.paths
    : (call.command?.command.starts.flatMap(argumentsOf) ?? []).map((path) =>
        resolvePath(path, places),
      );
  const root = pathSegments(slash(places.workingDirectory)).length;
  for (const { path } of named) {
    const segments = pathSegments(path);
    const below = isInside(path, places.workingDirectory) ? segments.slice(root) : segments;
    if (matchingFile(below, SECRET_FILES) !== undefined) return below.join("/");
  }
  return undefined;
}

/** A rule for a file of this name: who wrote it meant it. */
function isExact({ specifier }: { readonly specifier?: string }): boolean {
  return specifier !== undefined && !/[*?[]/.test(specifier);
}

/** What is left when nothing denies or asks. */
function permission(request: PolicyRequest, call: PolicyCall, tool: ToolSettings): Verdict {
  const { settings, places } = request;
  const { rules } = permittingRules(settings.allow);
  if (permitCall(rules, call, places) === "yes") {
    const one = rules.find((rule) => permitCall([rule], call, places) === "yes");
    if (one === undefined)
      return { decision: "allow", reason: "several rules together allow this" };
    return { decision: "allow", reason: `the rule \`${one.text}\` allows this`, rule: one.text };
  }
  const granted = grantVerdict(request, call);
  if (granted !== undefined) return granted;
  const decision = settings.decisions[tool.risk];
  const verb = { allow: "is allowed", ask: "asks", deny: "is denied" }[decision];
  return { decision, reason: `a tool of ${tool.risk} risk ${verb} by default` };
}
