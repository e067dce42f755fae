import type { Draft, RunMode } from "../parsed-skill.ts";
import { allowedToolsUnreadable, controlInvalid } from "../rules/field-rules.ts";
import { openParentheses, parseToolRule, parseToolRules, type ToolRule } from "../tool-rules.ts";
import type { YamlEntry, YamlNode } from "../yaml/yaml-node.ts";

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["no", false],
  ["off", false],
]);

interface Flag {
  readonly key: "disable-model-invocation" | "user-invocable";
  readonly absent: boolean;
  /** What an unreadable value counts as: the reading that permits less. */
  readonly unreadable: boolean;
}

export const DISABLE_MODEL_INVOCATION: Flag = {
  key: "disable-model-invocation",
  absent: false,
  unreadable: true,
};
export const USER_INVOCABLE: Flag = { key: "user-invocable", absent: true, unreadable: false };

export function readFlag({ key, absent, unreadable }: Flag, draft: Draft): boolean {
  const node = draft.fields.get(key)?.value;
  if (node === undefined) return absent;
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  const word = node.kind === "scalar" ? WORDS.get(node.source.toLowerCase()) : undefined;
  const used = word ?? unreadable;
  const written = node.kind === "scalar" ? `\`${node.source}\`` : `a ${node.kind}`;
  draft.report(controlInvalid, node, {
    message: `\`${key}\` must be true or false, not ${written}; it counts as ${used}`,
    hint: `write ${key}: ${used}`,
    ...(word === undefined
      ? undefined
      : { fix: [{ ...quotedSpan(node, draft), text: String(used) }] }),
  });
  return used;
}

/** `run-mode`, or `context: fork`, which other clients use for the same. */
export function readRunMode(others: readonly YamlEntry[], draft: Draft): RunMode {
  const node = draft.fields.get("run-mode")?.value;
  if (node === undefined) return others.some(isForkContext) ? "subagent" : "inline";
  if (node.kind === "scalar" && (node.value === "inline" || node.value === "subagent")) {
    return node.value;
  }
  const written = node.kind === "scalar" ? `\`${node.source}\`` : `a ${node.kind}`;
  draft.report(controlInvalid, node, {
    message: `\`run-mode\` must be inline or subagent, not ${written}; it counts as inline`,
    hint: "write run-mode: inline",
  });
  return "inline";
}

export function isForkContext({ key, value }: YamlEntry): boolean {
  return key === "context" && value.kind === "scalar" && value.value === "fork";
}

/** The span with the quotes around it, if there are any. */
function quotedSpan(node: { start: number; end: number }, draft: Draft) {
  const { start, end } = draft.spanOf(node);
  const mark = draft.parts.text[end];
  const quoted = (mark === '"' || mark === "'") && draft.parts.text[start - 1] === mark;
  return quoted ? { start: start - 1, end: end + 1 } : { start, end };
}

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
