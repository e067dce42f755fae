import { formatToolRules, parseToolRules, type ToolRule } from "@skillwright/core";

/** One rule of a list, with its text for whoever asks why. */
export interface PolicyRule extends ToolRule {
  readonly text: string;
}

export interface PolicyRules {
  readonly rules: readonly PolicyRule[];
  /** Texts that are no rule. They permit nothing; where they were to restrict, they ask. */
  readonly unreadable: readonly string[];
}

const NAME_PATTERN = /^(?=[^*]*\*)[\w*.-]+$/;

/** Reads a list that restricts: a `*` may stand anywhere in a tool's name. */
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
