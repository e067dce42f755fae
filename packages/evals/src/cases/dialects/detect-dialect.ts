import { basename } from "node:path";
import type { DataDocument } from "../document/data-document.ts";
import { type Fields, isFields, textOf } from "../fields.ts";
import { EVAL_LISTS } from "./read-evals-json.ts";
import { hasTriggerLabel } from "./trigger-label.ts";
import { looksLikeTriggers } from "./trigger-shapes.ts";

export type FileShape =
  | "own"
  | "evals-json"
  | "trigger-set"
  | "waza-suite"
  | "waza-task"
  | "waza-triggers"
  | "vally";

const OWN_KEYS = ["expected", "mock", "constraints", "files", "trials", "timeout"];
const PROMPTS = ["prompt", "query", "question", "task", "instruction"];
const EVAL_KEYS = [
  "expected_output",
  "expectations",
  "assertions",
  "files",
  "should_trigger",
  "expected_behavior",
];

/** What a file is, by what stands in it; its name decides only where that could be two things. */
export function detectDialect(file: string, { value }: DataDocument): FileShape | undefined {
  if (isFields(value)) {
    if (Array.isArray(value["stimuli"])) return "vally";
    if ("should_trigger_prompts" in value || "should_not_trigger_prompts" in value) {
      return "waza-triggers";
    }
    if (
      isFields(value["inputs"]) &&
      ("prompt" in value["inputs"] || "prompt_file" in value["inputs"])
    ) {
      return "waza-task";
    }
    if ("tasks" in value || "tasks_from" in value) return "waza-suite";
    if (isOwn(value)) return "own";
  }
  const items = itemsOf(value);
  if (items.length === 0 && hasEmptyList(value) && !looksLikeTriggers(value)) return "evals-json";
  const isEvals = /^evals?\.(?:json|ya?ml)$/i.test(basename(file));
  if (
    items.some(isOwn) &&
    !items.some((item) => hasTriggerLabel(item) && !isFields(item["expected"]))
  ) {
    return "own";
  }
  const hasPrompts = items.some(
    (item) => textOf(item, "prompt", "task", "instruction") !== undefined,
  );
  const isMore = items.some((item) =>
    EVAL_KEYS.some((key) => key !== "should_trigger" && key in item),
  );
  const isLabelled = items.some(hasTriggerLabel);
  if (isMore && !isLabelled && items.some((item) => textOf(item, ...PROMPTS) !== undefined)) {
    return "evals-json";
  }
  if (hasPrompts && (isMore || (isEvals && !looksLikeTriggers(value)))) return "evals-json";
  if (looksLikeTriggers(value)) return hasPrompts && isEvals ? "evals-json" : "trigger-set";
  if (isEvals && items.length > 0) return "evals-json";
  return items.some((item) => "input" in item) ? "own" : undefined;
}

function itemsOf(value: unknown): readonly Fields[] {
  if (Array.isArray(value)) return value.filter(isFields);
  if (!isFields(value)) return [];
  if (textOf(value, ...PROMPTS) !== undefined) return [value];
  const list = EVAL_LISTS.map((name) => value[name]).find((one) => Array.isArray(one));
  return Array.isArray(list) ? list.filter(isFields) : [];
}

function hasEmptyList(value: unknown): boolean {
  const lists = isFields(value) ? EVAL_LISTS.map((name) => value[name]) : [value];
  return lists.some((list) => Array.isArray(list) && list.length === 0);
}

/** `input` is ours, and so is what `expected` holds. */
function isOwn(item: Fields): boolean {
  if (typeof item["input"] !== "string") return false;
  return isFields(item["expected"]) || OWN_KEYS.some((key) => key !== "expected" && key in item);
}
