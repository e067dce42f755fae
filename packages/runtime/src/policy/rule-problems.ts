import { quoteName } from "@skillwright/core/internal";
import { isReadableDomain } from "./match/match-domain.ts";
import { isReadablePattern } from "./match/path-pattern.ts";
import type { RunPolicy } from "./policy-request.ts";
import {
  permittingRules,
  type PolicyRule,
  type PolicyRules,
  restrictingRules,
} from "./policy-rule.ts";
import type { PolicySettings } from "./policy-settings.ts";
import { toolName } from "./tool-names.ts";

const PATH_TOOLS: ReadonlySet<string> = new Set([
  "read_file",
  "write_file",
  "delete_file",
  "list_directory",
  "search_files",
]);

/**
 * What is wrong with the rules of a configuration or a run, for whoever loads them: a rule that
 * cannot be read permits nothing, and asks where it was to restrict.
 */
export function ruleProblems(
  lists: Partial<Pick<PolicySettings, "allow" | "ask" | "deny">> & RunPolicy,
): readonly string[] {
  return [
    ...problemsOf("allow", permittingRules(lists.allow)),
    ...problemsOf("only", permittingRules(lists.only)),
    ...problemsOf("ask", restrictingRules(lists.ask)),
    ...problemsOf("deny", restrictingRules(lists.deny)),
  ];
}

function problemsOf(list: string, { rules, unreadable }: PolicyRules): readonly string[] {
  const unusable = rules.filter((rule) => !isUsable(rule)).map(({ text }) => text);
  return [...unreadable, ...unusable].map((text) => `${list}: ${quoteName(text)} cannot be read`);
}

function isUsable({ tool, specifier }: PolicyRule): boolean {
  if (specifier === undefined || specifier.trim() === "*") return true;
  const name = toolName(tool);
  if (PATH_TOOLS.has(name)) return isReadablePattern(specifier);
  return name !== "network_request" || isReadableDomain(specifier);
}
