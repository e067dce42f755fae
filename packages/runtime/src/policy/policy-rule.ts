import { formatToolRules, parseToolRules, type ToolRule } from "@skillwright/core";
import { quoteName } from "@skillwright/core/internal";
import { isReadableDomain, isReadablePattern } from "./patterns.ts";
import type { RunPolicy } from "./policy-request.ts";
import type { PolicySettings } from "./policy-settings.ts";
import { toolName } from "./tools.ts";

/** One rule of a list, with its text for whoever asks why. */
export interface PolicyRule extends ToolRule {
  readonly text: string;
}

export interface PolicyRules {
  readonly rules: readonly PolicyRule[];
  /** Texts that cannot be parsed. They permit nothing, and ask where they should restrict. */
  readonly unreadable: readonly string[];
}

const NAME_PATTERN = /^(?=[^*]*\*)[\w*.-]+$/;

/** Reads a list that restricts: a `*` may be anywhere in a tool's name. */
export function restrictingRules(texts: readonly string[] = []): PolicyRules {
  const { rules, unreadable } = permittingRules(texts);
  const patterns = unreadable.filter((text) => NAME_PATTERN.test(text));
  return {
    rules: [...rules, ...patterns.map((text) => ({ tool: text, text }))],
    unreadable: unreadable.filter((text) => !NAME_PATTERN.test(text)),
  };
}

/** Reads a list that permits: a `*` in a name only counts inside one MCP server. */
export function permittingRules(texts: readonly string[] = []): PolicyRules {
  const results = texts.map((text) => parseToolRules(text));
  return {
    rules: results.flatMap(({ rules }) => declaredRules(rules)),
    unreadable: results.flatMap(({ unreadable }) => unreadable),
  };
}

export function declaredRules(rules: readonly ToolRule[]): readonly PolicyRule[] {
  return rules.map((rule) => ({ ...rule, text: formatToolRules([rule]) }));
}

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
