import { type Command, permitCommand, restrictCommand } from "./match-commands.ts";
import {
  best,
  hostOf,
  type Match,
  matchDomain,
  matchPath,
  matchWildcard,
  resolvePath,
  type RuleUse,
  worst,
} from "./patterns.ts";
import type { PolicyCall } from "./policy-call.ts";
import type { PolicyPlaces } from "./policy-request.ts";
import type { Decision } from "./policy-settings.ts";
import type { PolicyRule } from "./policy-rule.ts";
import { programName } from "./programs.ts";
import { permittedTools, restrictedTools, wordList } from "./tools.ts";

/** Scripts are compared as if the skill's folder were the root. */
const SKILL_PLACES: PolicyPlaces = { workingDirectory: "/" };

/** Whether rules together permit a call; each part of it must be covered by one of them. */
export function permitCall(
  rules: readonly PolicyRule[],
  call: PolicyCall,
  places: PolicyPlaces,
): Match {
  const named = rules.filter(({ tool }) => namesTool(tool, call, permittedTools(tool)));
  if (named.length === 0) return "no";
  if (named.some(({ specifier }) => isOpen(specifier))) return "yes";
  if (call.command !== undefined) {
    return permitCommand(
      named.map(({ specifier }) => specifier),
      call.command.command,
    );
  }
  if (call.script !== undefined) return best(named.map((rule) => permitScript(rule, call)));
  const parts = partsOf(call);
  return worst(
    parts.map((_, i) => best(named.map((rule) => matchPart(rule, call, i, places, "permit")))),
  );
}

/** Whether one rule that denies or asks catches a call, or may. */
export function restrictCall(
  rule: PolicyRule,
  call: PolicyCall,
  places: PolicyPlaces,
  decision: Decision,
): Match {
  const { tool, specifier } = rule;
  const command = call.command?.command;
  if (!namesTool(tool, call, restrictedTools(tool)) && !matchesName(tool, call)) {
    const commands = command === undefined ? (call.script?.commands ?? []) : [command];
    const found = best(commands.map((one) => restrictArguments(rule, one, places)));
    const mayCatch = decision === "deny" && specifier !== undefined && actsOnCommands(tool);
    return found === "no" && mayCatch && command?.unseen === true ? "unclear" : found;
  }
  if (isOpen(specifier)) return "yes";
  if (command !== undefined) return restrictCommand(specifier, command);
  if (call.script !== undefined) return restrictScript(rule, call);
  const parts = partsOf(call);
  const found = best(parts.map((_, i) => matchPart(rule, call, i, places, "restrict")));
  return found === "no" && (parts.length === 0 || call.unclear.length > 0) ? "unclear" : found;
}

/** Whether a rule for this tool may be about something that a command does. */
function actsOnCommands(tool: string): boolean {
  return restrictedTools(tool).some((name) => ARGUMENT_TOOLS.has(name));
}

function namesTool(rule: string, call: PolicyCall, tools: readonly string[]): boolean {
  if (tools.includes(call.tool) || rule === call.calledAs) return true;
  if (!rule.startsWith("mcp__")) return false;
  return matchWildcard(rule, call.calledAs) || call.calledAs.startsWith(`${rule}__`);
}

/** A name with a `*`, or in another case; only where it restricts. */
function matchesName(rule: string, { tool, calledAs }: PolicyCall): boolean {
  const pattern = rule.toLowerCase();
  return [tool, calledAs].some((name) => matchWildcard(pattern, name.toLowerCase()));
}

function isOpen(specifier: string | undefined): boolean {
  return specifier === undefined || /^:?\*+$/.test(specifier.trim());
}

/** What a specifier is compared with: paths, hosts, or names of skills. */
function partsOf({ paths, hosts, names }: PolicyCall): readonly unknown[] {
  if (paths.length > 0) return paths;
  return hosts.length > 0 ? hosts : names;
}

function matchPart(
  { specifier = "" }: PolicyRule,
  { paths, hosts, names }: PolicyCall,
  index: number,
  places: PolicyPlaces,
  use: RuleUse,
): Match {
  const path = paths[index];
  const host = hosts[index];
  if (path !== undefined) return matchPath(specifier, path, places, use);
  if (host !== undefined) return matchDomain(specifier, host, use);
  return matchWildcard(specifier.trim(), names[index] ?? "") ? "yes" : "no";
}

function permitScript(rule: PolicyRule, { script }: PolicyCall): Match {
  if (script === undefined) return "no";
  if (!permittedTools(rule.tool).includes("run_command")) {
    return matchFile(rule.specifier, `/${script.path}`, SKILL_PLACES, "permit");
  }
  return best(script.commands.map((command) => permitCommand([rule.specifier], command)));
}

function restrictScript(rule: PolicyRule, { script }: PolicyCall): Match {
  if (script === undefined) return "no";
  if (!permittedTools(rule.tool).includes("run_command")) {
    return matchFile(rule.specifier, `/${script.path}`, SKILL_PLACES, "restrict");
  }
  return best(script.commands.map((command) => restrictCommand(rule.specifier, command)));
}

function matchFile(
  specifier: string | undefined,
  path: string,
  places: PolicyPlaces,
  use: RuleUse,
): Match {
  if (isOpen(specifier)) return "yes";
  return matchPath(specifier ?? "", resolvePath(path, places), places, use);
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

/** A rule about files or addresses also catches a command that names one. */
function restrictArguments(rule: PolicyRule, command: Command, places: PolicyPlaces): Match {
  const tools = restrictedTools(rule.tool);
  const { specifier } = rule;
  if (tools.includes("network_request")) {
    if (specifier === undefined) return "no";
    const hosts = command.starts.flatMap(argumentsOf).flatMap((text) => hostOf(text) ?? []);
    return best(hosts.map((host) => matchDomain(specifier, host, "restrict")));
  }
  const isWrite = tools.includes("write_file") || tools.includes("delete_file");
  if (!isWrite && !tools.includes("read_file")) return "no";
  const written = writtenFiles(command);
  if (specifier === undefined) return isWrite && written.length > 0 ? "yes" : "no";
  const changing = command.starts.filter(([first = ""]) => CHANGERS.has(programName(first)));
  const named = (isWrite ? changing : command.starts).flatMap(argumentsOf);
  // A file that a line redirects from begins one of its pieces.
  const pieces =
    isWrite || command.words !== undefined ? [] : command.starts.flatMap(([one]) => one ?? []);
  const files = new Set([...written, ...named, ...pieces]);
  return best(
    [...files].map((file) => matchPath(specifier, resolvePath(file, places), places, "restrict")),
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
