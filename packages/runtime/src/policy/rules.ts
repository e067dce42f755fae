import {
  formatToolRules,
  parseToolRules,
  type ToolRule,
  quoteName,
} from "@skillwright/core/internal";
import { type Command, permitCommand, programName, restrictCommand } from "./match-commands.ts";
import {
  best,
  hostOf,
  isReadableDomain,
  isReadablePattern,
  type Match,
  matchDomain,
  matchPath,
  matchWildcard,
  resolvePath,
  type RuleUse,
  worst,
} from "./patterns.ts";
import type { CallPart, PolicyCall } from "./policy-call.ts";
import {
  type Decision,
  FILE_TOOLS,
  permittedTools,
  type PolicyPlaces,
  type PolicyRule,
  type PolicySettings,
  restrictedTools,
  type NarrowingRules,
  toolName,
  wordList,
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
export function permitCall(
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
export function restrictCall(
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
export function argumentsOf(words: readonly string[]): readonly string[] {
  return words.slice(1).flatMap((value) => {
    if (value === "" || value.length > MAX_PATH) return [];
    const behind = /^[^=]*=@?(.+)$|^-?@(.+)$/s.exec(value);
    const inner = behind?.[1] ?? behind?.[2];
    return inner === undefined ? [value] : [value, inner];
  });
}
