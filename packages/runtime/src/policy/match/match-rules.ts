import { reachableCommand } from "../command/reachable-commands.ts";
import type { PolicyCall } from "../policy-call.ts";
import type { PolicyPlaces } from "../policy-request.ts";
import type { PolicyRule } from "../policy-rule.ts";
import { permittedTools, restrictedTools } from "../tools.ts";
import {
  best,
  type Match,
  matchDomain,
  matchPath,
  matchWildcard,
  resolvePath,
  type RuleUse,
  worst,
} from "../patterns.ts";
import { permitCommand } from "./permit-command.ts";
import { restrictArguments } from "./restrict-arguments.ts";
import { restrictCommand } from "./restrict-command.ts";

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
    const specifiers = named.map(({ specifier }) => specifier);
    const writes = rules.filter(({ tool }) => permittedTools(tool).includes("write_file"));
    const mayWrite = (path: string) =>
      best(writes.map((rule) => matchFile(rule.specifier, path, places, "permit")));
    return permitCommand(specifiers, call.command.text, call.command.parsed, { mayWrite });
  }
  if (call.script !== undefined) return best(named.map((rule) => permitScript(rule, call)));
  const parts = partsOf(call);
  return worst(
    parts.map((_, i) => best(named.map((rule) => matchPart(rule, call, i, places, "permit")))),
  );
}

/** Whether one rule that denies or asks catches a call, or may. */
export function restrictCall(rule: PolicyRule, call: PolicyCall, places: PolicyPlaces): Match {
  const { tool, specifier } = rule;
  if (!namesTool(tool, call, restrictedTools(tool)) && !matchesName(tool, call)) {
    const scripts = call.script?.commands.map((command) => reachableCommand(command)) ?? [];
    return restrictArguments(rule, call.command?.reachable.commands ?? scripts, places);
  }
  if (isOpen(specifier)) return "yes";
  if (call.command !== undefined) {
    return restrictCommand(specifier, call.command.text, call.command.reachable);
  }
  if (call.script !== undefined) return restrictScript(rule, call);
  const parts = partsOf(call);
  const found = best(parts.map((_, i) => matchPart(rule, call, i, places, "restrict")));
  return found === "no" && (parts.length === 0 || call.unclear.length > 0) ? "unclear" : found;
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
  const options = { mayWrite: () => "no" as const };
  return best(
    script.commands.map((command) =>
      permitCommand(
        [rule.specifier],
        command.source,
        { commands: [command], unclear: [] },
        options,
      ),
    ),
  );
}

function restrictScript(rule: PolicyRule, { script }: PolicyCall): Match {
  if (script === undefined) return "no";
  if (!permittedTools(rule.tool).includes("run_command")) {
    return matchFile(rule.specifier, `/${script.path}`, SKILL_PLACES, "restrict");
  }
  const commands = script.commands.map((command) => reachableCommand(command));
  return restrictCommand(rule.specifier, "", { commands, unseen: false });
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
