import type { Draft } from "../draft.ts";
import { allowedToolsUnreadable } from "../rules/fields/allowed-tools-unreadable.ts";
import { parseToolRule, parseToolRules } from "../tool-rules/parse-tool-rules.ts";
import type { ToolRule } from "../tool-rules/tool-rule.ts";
import type { YamlNode } from "../yaml/yaml-node.ts";

/** How many unreadable pieces of one text are named one by one. */
const MAX_NAMED = 20;

/** Reads every form found in the wild: text with blanks or commas, a list, a single value. */
export function readAllowedTools(draft: Draft): ToolRule[] | undefined {
  const node = draft.fields.get("allowed-tools")?.value;
  if (node === undefined) return undefined;
  if (node.kind === "map") return unreadable(node, "a mapping", draft);
  if (node.kind === "list") return node.items.flatMap((item) => readItem(item, draft));
  if (node.value === null) {
    draft.report(allowedToolsUnreadable, node, {
      message: "`allowed-tools` has no value and declares nothing",
      hint: "remove the line, or write `allowed-tools: []` for a skill that needs no tool",
    });
    return undefined;
  }
  const { rules, unreadable: pieces } = parseToolRules(node.source);
  for (const piece of pieces.slice(0, MAX_NAMED)) unreadable(node, `\`${piece}\``, draft);
  const more = pieces.length - MAX_NAMED;
  if (more > 0) unreadable(node, `what follows (${more} more pieces)`, draft);
  return [...rules];
}

/** A list item is one rule, whatever blanks it holds. */
function readItem(item: YamlNode, draft: Draft): ToolRule[] {
  if (item.kind !== "scalar") return unreadable(item, `a ${item.kind}`, draft);
  const rule = parseToolRule(item.source.trim());
  return rule === undefined ? unreadable(item, `\`${item.source}\``, draft) : [rule];
}

function unreadable(node: YamlNode, what: string, draft: Draft): [] {
  draft.report(allowedToolsUnreadable, node, {
    message: `${what} in \`allowed-tools\` is not a tool rule and grants nothing`,
    hint: "write a tool's name, with a specifier if need be: `Read`, `Bash(git:*)`",
  });
  return [];
}
