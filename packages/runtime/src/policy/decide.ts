import {
  formatToolRules,
  parseToolRules,
  quoteName,
  quoteNames,
  type ToolRule,
} from "@skillwright/core/internal";
import { matchingFile, SECRET_FILES } from "../workspace/confinement/protected-files.ts";
import { type Command, permitCommand, programName, restrictCommand } from "./match-commands.ts";
import { type CallPart, type PolicyCall, readCall } from "./policy-call.ts";
import {
  best,
  type Decision,
  FILE_TOOLS,
  hostOf,
  isInside,
  isReadableDomain,
  isReadablePattern,
  type Match,
  matchDomain,
  matchPath,
  matchWildcard,
  type NarrowingRules,
  pathSegments,
  permittedTools,
  type PolicyDecision,
  type PolicyPlaces,
  type PolicyRequest,
  type PolicyRule,
  type PolicySettings,
  type PolicySkill,
  resolvePath,
  restrictedTools,
  type RuleUse,
  slash,
  toolName,
  TOOLS,
  toolSettings,
  type ToolSettings,
  wordList,
  worst,
} from "./policy-settings.ts";

const NAME_PATTERN = /^(?=[^*]*\*)[\w*.-]+$/;

/**
 * Reads a list. In one that restricts, a `*` may be anywhere in a tool's name; in one that permits, it
 * only counts inside one MCP server.
 */
export function readRules(texts: readonly string[] = [], use: RuleUse): readonly PolicyRule[] {
  const read = texts.map((text) => parseToolRules(text));
  const rules = read.flatMap(({ rules }) => rules);
  const others = read.flatMap(({ unreadable }) => unreadable);
  const isName = (text: string) => use === "restrict" && NAME_PATTERN.test(text);
  return [
    ...rules.map((rule) => ({ ...rule, text: formatToolRules([rule]) })),
    ...others.filter(isName).map((text) => ({ tool: text, text })),
    ...others.filter((text) => !isName(text)).map((text) => ({ text })),
  ];
}

/**
 * What is wrong with the rules of a configuration or a run, for whoever loads them: a rule that
 * cannot be read permits nothing, and asks where it was to restrict.
 */
export function ruleProblems(
  lists: Partial<Pick<PolicySettings, "allow" | "ask" | "deny">> & NarrowingRules,
): readonly string[] {
  const uses = { allow: "permit", only: "permit", ask: "restrict", deny: "restrict" } as const;
  return (["allow", "only", "ask", "deny"] as const).flatMap((list) => {
    const rules = readRules(lists[list], uses[list]);
    const wrong = [
      ...rules.filter(({ tool }) => tool === undefined),
      ...rules.filter((rule) => rule.tool !== undefined && !isUsable(rule)),
    ];
    return wrong.map(({ text }) => `${list}: ${quoteName(text)} cannot be read`);
  });
}

function isUsable({ tool = "", specifier }: PolicyRule): boolean {
  if (specifier === undefined || specifier.trim() === "*") return true;
  const name = toolName(tool);
  if (FILE_TOOLS.has(name)) return isReadablePattern(specifier);
  return name !== "network_request" || isReadableDomain(specifier);
}

/** Whether rules together permit a call; each part of it must be covered by one of them. */
function permitCall(
  rules: readonly Partial<ToolRule>[],
  call: PolicyCall,
  places: PolicyPlaces,
): Match {
  const named = rules.filter((rule) => namesTool(rule, call, "permit"));
  if (named.length === 0) return "no";
  if (named.some(isOpen)) return "yes";
  return worst(
    call.parts.map((part) => best(named.map((rule) => matchPart(rule, part, places, "permit")))),
  );
}

/** Whether one rule that denies or asks catches a call, or may. */
function restrictCall(
  rule: PolicyRule,
  call: PolicyCall,
  places: PolicyPlaces,
  decision: Decision,
): Match {
  const commands = call.parts.flatMap((part) => (part.kind === "command" ? part.commands : []));
  if (!namesTool(rule, call, "restrict")) {
    const found = best(commands.map((command) => matchArguments(rule, command, places)));
    const isUnseen =
      decision === "deny" && actsOnCommands(rule) && commands.some(({ unseen }) => unseen);
    return found === "no" && isUnseen ? "unclear" : found;
  }
  if (isOpen(rule)) return "yes";
  const found = best(call.parts.map((part) => matchPart(rule, part, places, "restrict")));
  if (found !== "no" || commands.length > 0) return found;
  return call.parts.length === 0 || call.unclear.length > 0 ? "unclear" : "no";
}

function namesTool(
  { tool }: Partial<ToolRule>,
  { tool: called, calledAs }: PolicyCall,
  use: RuleUse,
): boolean {
  if (tool === undefined) return false;
  const tools = use === "permit" ? permittedTools(tool) : restrictedTools(tool);
  if (tools.includes(called)) return true;
  if (tool.startsWith("mcp__")) {
    if (matchWildcard(tool, calledAs) || calledAs.startsWith(`${tool}__`)) return true;
  }
  if (use === "permit") return false;
  // Only a rule that restricts may have a `*` anywhere, or be in another case.
  const pattern = tool.toLowerCase();
  return [called, calledAs].some((name) => matchWildcard(pattern, name.toLowerCase()));
}

function isOpen({ specifier }: Partial<ToolRule>): boolean {
  return specifier === undefined || /^:?\*+$/.test(specifier.trim());
}

/** Scripts are compared as if the skill's folder were the root. */
const SKILL_PLACES: PolicyPlaces = { workingDirectory: "/" };

function matchPart(
  { tool = "", specifier = "" }: Partial<ToolRule>,
  part: CallPart,
  places: PolicyPlaces,
  use: RuleUse,
): Match {
  if (part.kind === "path") return matchPath(specifier, part.path, places, use);
  if (part.kind === "host") return matchDomain(specifier, part.host, use);
  if (part.kind === "name") return matchWildcard(specifier.trim(), part.name) ? "yes" : "no";
  const { script, commands } = part;
  if (script !== undefined && !permittedTools(tool).includes("run_command")) {
    return matchPath(specifier, resolvePath(`/${script}`, SKILL_PLACES), SKILL_PLACES, use);
  }
  const matchCommand = use === "permit" ? permitCommand : restrictCommand;
  return best(commands.map((command) => matchCommand(specifier, command)));
}

const ARGUMENT_TOOLS: ReadonlySet<string> = new Set(
  wordList("read_file write_file delete_file network_request"),
);
/** Programs that change the files they are given. */
const CHANGERS: ReadonlySet<string> = new Set(
  wordList(`
    rm mv cp tee touch truncate dd ln install chmod chown rmdir unlink shred rsync sed patch mkdir chgrp
    ex ed vi vim
  `),
);
const MAX_PATH = 4096;
/** Output that goes nowhere or to another stream. */
const NO_FILE = /\d*>&[\d-]|&?\d*>{1,2}\s*\/dev\/(?:null|stdout|stderr|tty)\b/g;
const WRITTEN = />[>|&]?\s*([^\s;&|<>()]+)/g;

/** Whether a rule may be about something that a command does. */
function actsOnCommands({ tool = "", specifier }: PolicyRule): boolean {
  if (specifier === undefined) return false;
  return restrictedTools(tool).some((name) => ARGUMENT_TOOLS.has(name));
}

/** A rule about files or addresses also catches a command that names one. */
function matchArguments(
  { tool = "", specifier }: PolicyRule,
  command: Command,
  places: PolicyPlaces,
): Match {
  const tools = restrictedTools(tool);
  const isWrite = tools.includes("write_file") || tools.includes("delete_file");
  const written = writtenFiles(command);
  if (specifier === undefined) return isWrite && written.length > 0 ? "yes" : "no";
  if (tools.includes("network_request")) {
    const hosts = command.starts.flatMap(argumentsOf).flatMap((text) => hostOf(text) ?? []);
    return best(hosts.map((host) => matchDomain(specifier, host, "restrict")));
  }
  if (!isWrite && !tools.includes("read_file")) return "no";
  const changing = command.starts.filter(([first = ""]) => CHANGERS.has(programName(first)));
  const named = (isWrite ? changing : command.starts).flatMap(argumentsOf);
  // A file that a line redirects from begins one of its pieces.
  const pieces =
    isWrite || command.words !== undefined ? [] : command.starts.flatMap(([one]) => one ?? []);
  const files = [...new Set([...written, ...named, ...pieces])];
  return best(
    files.map((file) => matchPath(specifier, resolvePath(file, places), places, "restrict")),
  );
}

/** What a line that only a shell understands may write. */
function writtenFiles({ words, source }: Command): readonly string[] {
  if (words !== undefined) return [];
  const text = source.replace(NO_FILE, "").replace(/["'\\]/g, "");
  return [...text.matchAll(WRITTEN)].map(([, file = ""]) => file);
}

/** Arguments, also those behind `--file=`, `if=` and `@`. */
function argumentsOf(words: readonly string[]): readonly string[] {
  return words.slice(1).flatMap((value) => {
    if (value === "" || value.length > MAX_PATH) return [];
    const behind = /^[^=]*=@?(.+)$|^-?@(.+)$/s.exec(value);
    const inner = behind?.[1] ?? behind?.[2];
    return inner === undefined ? [value] : [value, inner];
  });
}

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
