import type { Draft } from "../draft.ts";
import type { RunMode } from "../parsed-skill.ts";
import { controlInvalid } from "../rules/field-rules.ts";
import type { YamlEntry } from "../yaml/yaml-node.ts";

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
