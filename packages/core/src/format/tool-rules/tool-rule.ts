/** One entry of `allowed-tools`: a tool, and optionally which uses of it. */
export interface ToolRule {
  readonly tool: string;
  /** What stands between the parentheses: `git:*` in `Bash(git:*)`. */
  readonly specifier?: string;
}

export interface ToolRulesResult {
  readonly rules: readonly ToolRule[];
  /** Pieces that are no rule; they grant nothing. */
  readonly unreadable: readonly string[];
}

/** The specification's form: rules separated by single spaces. */
export function formatToolRules(rules: readonly ToolRule[]): string {
  return rules
    .map(({ tool, specifier }) => (specifier === undefined ? tool : `${tool}(${specifier})`))
    .join(" ");
}
