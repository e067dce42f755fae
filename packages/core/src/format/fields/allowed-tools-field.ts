import type { Draft } from "../draft.ts";
import { allowedToolsUnreadable } from "../rules/field-rules.ts";
import { openParentheses, parseToolRule, parseToolRules } from "../tool-rules/parse-tool-rules.ts";
import type { ToolRule } from "../tool-rules/tool-rule.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";

/** How many unreadable pieces of one text are named one by one. */
const MAX_NAMED = 20;

/** Reads every form found in the wild: text with blanks or commas, a list, a single value. */
export function readAllowedTools(draft: Draft): ToolRule[] | undefined {
  const node = draft.fields.get("allowed-tools")?.value;
  if (node === undefined) return undefined;
  if (node.kind === "map") return unreadable(node, "a mapping", draft);
  if (node.kind === "list") return readList(node.items, draft);
  if (node.value === null) {
    draft.report(allowedToolsUnreadable, node, {
      message: "`allowed-tools` has no value and declares nothing",
      hint: "remove the line, or write `allowed-tools: []` for a skill that needs no tool",
    });
    return undefined;
  }
  if (typeof node.value !== "string") return unreadable(node, `\`${node.source}\``, draft);
  const { rules, unreadable: pieces } = parseToolRules(node.source);
  for (const piece of pieces.slice(0, MAX_NAMED)) unreadable(node, `\`${piece}\``, draft);
  const more = pieces.length - MAX_NAMED;
  if (more > 0) unreadable(node, `what follows (${more} more pieces)`, draft);
  return [...rules];
}

/**
 * A list item is one rule, whatever blanks it holds. YAML cuts `[Agent(Explore, Bash), Read]` at both
 * commas; an item with an open parenthesis goes on until it is closed.
 */
function readList(items: readonly YamlNode[], draft: Draft): ToolRule[] {
  const rules: ToolRule[] = [];
  const problems: { readonly node: YamlNode; readonly what: string }[] = [];
  let open: { readonly node: YamlNode; readonly texts: string[]; depth: number } | undefined;
  for (const item of items) {
    if (item.kind !== "scalar" || typeof item.value !== "string") {
      const what = item.kind === "scalar" ? `\`${item.source}\`` : `a ${item.kind}`;
      problems.push({ node: item, what });
      continue;
    }
    const current = open ?? { node: item, texts: [], depth: 0 };
    current.texts.push(item.source.trim());
    current.depth = openParentheses(item.source, current.depth);
    open = current.depth > 0 ? current : undefined;
    if (open !== undefined) continue;
    const text = current.texts.join(", ");
    const rule = parseToolRule(text);
    if (rule === undefined) problems.push({ node: current.node, what: `\`${text}\`` });
    else rules.push(rule);
  }
  if (open !== undefined) problems.push({ node: open.node, what: `\`${open.texts.join(", ")}\`` });
  for (const { node, what } of problems.slice(0, MAX_NAMED)) unreadable(node, what, draft);
  const next = problems[MAX_NAMED];
  if (next !== undefined) {
    unreadable(next.node, `what follows (${problems.length - MAX_NAMED} more items)`, draft);
  }
  return rules;
}

function unreadable(node: YamlNode, what: string, draft: Draft): [] {
  draft.report(allowedToolsUnreadable, node, {
    message: `${what} in \`allowed-tools\` is not a tool rule and grants nothing`,
    hint: "write a tool's name, with a specifier if need be: `Read`, `Bash(git:*)`",
  });
  return [];
}
