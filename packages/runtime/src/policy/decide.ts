import { quoteName, quoteNames } from "@skillwright/core/internal";
import { matchingFile, SECRET_FILES } from "../workspace/confinement/protected-files.ts";
import { isInside, type Match, pathSegments, resolvePath, slash } from "./patterns.ts";
import { type PolicyCall, readCall } from "./policy-call.ts";
import {
  type Decision,
  type PolicyDecision,
  type PolicyPlaces,
  type PolicyRequest,
  type PolicyRule,
  type PolicySkill,
  restrictedTools,
  toolName,
  TOOLS,
  toolSettings,
  type ToolSettings,
} from "./policy-settings.ts";
import { argumentsOf, permitCall, readRules, restrictCall } from "./rules.ts";

type PolicySources = Pick<PolicyRequest, "settings" | "runPolicy">;

/** What one part of the policy says. */
type Verdict = Pick<PolicyDecision, "decision" | "reason" | "rule">;

interface PolicyRules {
  readonly allow: readonly PolicyRule[];
  readonly ask: readonly PolicyRule[];
  readonly deny: readonly PolicyRule[];
  readonly only: readonly PolicyRule[] | undefined;
}

/** A call with all that is decided by. */
interface Case extends PolicyRequest {
  readonly call: PolicyCall;
  readonly rules: PolicyRules;
  readonly kind: ToolSettings;
}

/**
 * Decides on one tool call: what denies comes first, then what asks, then what allows, however
 * specific each is. A pure function of the request; never throws.
 */
export function decide(request: PolicyRequest): PolicyDecision {
  return decideBy(readPolicy(request), request);
}

/** The rules of settings and of a run, read once for many calls. */
export function readPolicy({ settings, runPolicy }: PolicySources): PolicyRules {
  return {
    allow: readRules(settings.allow, "permit"),
    ask: [...readRules(settings.ask, "restrict"), ...readRules(runPolicy?.ask, "restrict")],
    deny: [...readRules(settings.deny, "restrict"), ...readRules(runPolicy?.deny, "restrict")],
    only: runPolicy?.only && readRules(runPolicy.only, "permit"),
  };
}

/** As `decide`, with the rules that the request's settings mean. */
export function decideBy(rules: PolicyRules, request: PolicyRequest): PolicyDecision {
  const call = readCall(request, rules.allow);
  const kind = toolSettings(call.tool, request.settings, request.offered);
  const one: Case = { ...request, call, rules, kind };
  const { verdicts: skillVerdicts, unlisted } = skillLimits(one);
  const verdicts = [
    ...restrictions("deny", one),
    ...restrictions("ask", one),
    ...limits(one),
    ...skillVerdicts,
    ...call.unclear.map((reason) => ask(`not understood: ${reason}`)),
  ];
  const found =
    verdicts.find(({ decision }) => decision === "deny") ??
    verdicts.find(({ decision }) => decision === "ask") ??
    permission(one);
  const isUnlisted = found.decision === "ask" && unlisted.length > 0;
  return { ...found, risk: kind.risk, ...(isUnlisted && { unlistedBy: unlisted }) };
}

function deny(reason: string): Verdict {
  return { decision: "deny", reason };
}

function ask(reason: string): Verdict {
  return { decision: "ask", reason };
}

function permits(rules: Parameters<typeof permitCall>[0], { call, places }: Case): Match {
  return permitCall(rules, call, places);
}

/** What rules of the configuration and of the run take away. */
function restrictions(decision: "deny" | "ask", one: Case): readonly Verdict[] {
  const { call, places, rules } = one;
  const verb = decision === "deny" ? "denies" : "asks for";
  return rules[decision].flatMap((rule): readonly Verdict[] => {
    const { tool, text } = rule;
    if (tool === undefined) {
      const reason = `the rule ${quoteName(text)} cannot be read`;
      return mayMean(text, call) ? [{ ...ask(reason), rule: text }] : [];
    }
    const match = restrictCall(rule, call, places, decision);
    if (match === "no") return [];
    const what = `the rule \`${text}\` ${verb} this`;
    return match === "yes"
      ? [{ decision, reason: what, rule: text }]
      : [{ ...ask(`it is not clear whether ${what}`), rule: text }];
  });
}

/** A rule that cannot be read may mean any tool, unless it starts with the name of another one. */
function mayMean(text: string, { tool }: PolicyCall): boolean {
  const name = /^[\w-]+/.exec(text)?.[0];
  if (name === undefined || !TOOLS.has(toolName(name))) return true;
  return restrictedTools(name).includes(tool);
}

/** What holds without a rule of the configuration. */
function limits(one: Case): readonly Verdict[] {
  const { call, kind, settings, places } = one;
  const { allow, only } = one.rules;
  const verdicts: Verdict[] = [];
  if (!kind.on && (kind.isOurs || permits(allow, one) !== "yes")) {
    verdicts.push(deny(`${quoteName(call.tool)} is switched off`));
  }
  if (call.tooLong === true) verdicts.push(deny("the command is longer than a system takes"));
  if (call.outside !== undefined && permits(allow.filter(isElsewhere), one) !== "yes") {
    verdicts.push(deny(`the path ${quoteName(call.outside)} is outside the working directory`));
  }
  const secret = secretFile(call, places);
  const isNamed = () => permits(allow.filter(isExact), one) === "yes";
  if (secret !== undefined && (settings.secretReads === "deny" || !isNamed())) {
    const reason = `${quoteName(secret)} may hold secrets`;
    verdicts.push({ decision: settings.secretReads, reason });
  }
  const included = only === undefined ? "yes" : permits(only, one);
  if (included === "no") verdicts.push(deny("this run does not include it"));
  if (included === "unclear") verdicts.push(ask("it is not clear whether this run includes it"));
  return verdicts;
}

/** A rule that names a place beside the working directory. */
function isElsewhere({ specifier = "" }: PolicyRule): boolean {
  return /^\s*(?:\/\/|~|\.\.|[a-z]:)/i.test(specifier);
}

/** A rule for a file of this name: it was meant. */
function isExact({ specifier }: PolicyRule): boolean {
  return specifier !== undefined && !/[*?[]/.test(specifier);
}

const READERS: ReadonlySet<string> = new Set(["read_file", "search_files"]);

/** A file that a call would read and that is known to hold secrets, as people name it. */
function secretFile({ tool, parts }: PolicyCall, places: PolicyPlaces): string | undefined {
  const root = pathSegments(slash(places.workingDirectory)).length;
  const paths = parts.flatMap((part) => {
    if (part.kind === "path" && READERS.has(tool)) return [part.path];
    if (part.kind !== "command" || part.script !== undefined) return [];
    const starts = part.commands.flatMap((command) => command.starts);
    return starts.flatMap(argumentsOf).map((path) => resolvePath(path, places));
  });
  return paths
    .map(({ path }) => {
      const isBelow = isInside(path, places.workingDirectory);
      return pathSegments(path).slice(isBelow ? root : 0);
    })
    .find((segments) => matchingFile(segments, SECRET_FILES) !== undefined)
    ?.join("/");
}

/** What skills take away from what policy allows, and the active skills when none of them lists the tool. */
function skillLimits(one: Case): {
  readonly verdicts: readonly Verdict[];
  readonly unlisted: readonly string[];
} {
  const { skill, activeSkills, kind } = one;
  const mode = one.settings.allowedTools;
  const verdicts: Verdict[] = [];
  if (kind.disclosure) return { verdicts, unlisted: [] };
  if (skill?.trusted === false && kind.risk !== "low") {
    verdicts.push(deny(`the skill ${quoteName(skill.name)} is not trusted`));
  }
  if (mode === "ignore") return { verdicts, unlisted: [] };
  const covers = ({ trusted, allowedTools }: PolicySkill): Match => {
    const isFree = allowedTools === undefined || (mode === "grant" && trusted);
    return isFree ? "yes" : permits(allowedTools, one);
  };
  // Which skill the call is for is unknown: a person is asked when no active one covers it.
  if (skill === undefined && mode !== "restrict") {
    if (activeSkills.some((active) => covers(active) === "yes")) return { verdicts, unlisted: [] };
    const unlisted = activeSkills.map(({ name }) => name);
    const reason = `not listed in the \`allowed-tools\` of any active skill: ${quoteNames(unlisted)}`;
    return { verdicts: unlisted.length === 0 ? verdicts : [...verdicts, ask(reason)], unlisted };
  }
  for (const counting of countingSkills(one)) {
    const match = covers(counting);
    const declares = `the \`allowed-tools\` of the skill ${quoteName(counting.name)}`;
    if (match === "no") verdicts.push(deny(`${declares} do not cover this`));
    if (match === "unclear") {
      verdicts.push(ask(`it is not clear whether ${declares} cover this`));
    }
  }
  return { verdicts, unlisted: [] };
}

/** The skill that the call names, or else all that are active: no skill borrows another's rights. */
function countingSkills({ skill, activeSkills }: Case): readonly PolicySkill[] {
  return skill === undefined ? activeSkills : [skill];
}

/** What is left when nothing denies or asks. */
function permission(one: Case): Verdict {
  const { settings, kind, rules } = one;
  if (permits(rules.allow, one) === "yes") {
    const rule = rules.allow.find((rule) => permits([rule], one) === "yes");
    if (rule === undefined) {
      return { decision: "allow", reason: "several rules together allow this" };
    }
    const reason = `the rule \`${rule.text}\` allows this`;
    return { decision: "allow", reason, rule: rule.text };
  }
  const skills = settings.allowedTools === "grant" ? countingSkills(one) : [];
  const isGranted = skills.every(
    ({ trusted, allowedTools = [] }) => trusted && permits(allowedTools, one) === "yes",
  );
  if (skills.length > 0 && isGranted) {
    const names = skills.map(({ name }) => quoteName(name)).join(", ");
    return {
      decision: "allow",
      reason: `approved beforehand by the \`allowed-tools\` of ${names}`,
    };
  }
  const decision: Decision = settings.decisions[kind.risk];
  const verb = { allow: "is allowed", ask: "asks", deny: "is denied" }[decision];
  return { decision, reason: `a tool of ${kind.risk} risk ${verb} by default` };
}
