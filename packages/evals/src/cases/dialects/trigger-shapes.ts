import { type Fields, fieldOf, isFields, textOf } from "../fields.ts";
import { QUERIES } from "./holds-requests.ts";
import { hasTriggerLabel } from "./trigger-label.ts";

export const LISTS = [
  "evals",
  "cases",
  "queries",
  "items",
  "tests",
  "examples",
  "prompts",
  "data",
  "test_cases",
  "trigger_tests",
  "trigger_evals",
  "trigger_queries",
  "scenarios",
  "groups",
  "categories",
  "suites",
  "skills",
];
export const POSITIVES = [
  "should_trigger",
  "should_trigger_prompts",
  "positive",
  "positives",
  "positive_cases",
  "trigger",
  "triggers",
  "should_fire",
  "true_positives",
  "must_trigger",
  "should_activate",
];
export const NEGATIVES = [
  "should_not_trigger",
  "should_not_trigger_prompts",
  "negative",
  "negatives",
  "negative_cases",
  "no_trigger",
  "should_not_fire",
  "near_misses",
  "true_negatives",
  "must_not_trigger",
  "should_not_activate",
  "near_neighbor",
  "near_neighbors",
  "near_miss",
];
export const SPLITS = ["train", "val", "validation", "dev", "test", "holdout"];
export const NAMES = ["skill", "skill_name", "skillName", "name"];

/** Whether a text could be such a file at all. */
export function looksLikeTriggers(value: unknown): boolean {
  const isLabelled = (item: unknown): boolean =>
    isFields(item) &&
    ((textOf(item, ...QUERIES) !== undefined && hasTriggerLabel(item)) ||
      (textOf(item, ...NAMES) !== undefined && hasLists(item)));
  if (Array.isArray(value)) return value.some(isLabelled);
  if (!isFields(value)) return false;
  const lists = [...LISTS, ...SPLITS].map((name) => value[name]);
  return (
    hasLists(value) ||
    lists.some((list) => Array.isArray(list) && list.some(isLabelled)) ||
    lists.some((list) => isFields(list) && Object.values(list).some(isGroup)) ||
    Object.values(value).some(isGroup)
  );
}

export function isGroup(value: unknown): boolean {
  return isFields(value) && hasLists(value);
}

export function hasLists(fields: Fields): boolean {
  return [...POSITIVES, ...NEGATIVES, "queries"].some((name) => {
    const value = fields[name];
    return Array.isArray(value) || (isFields(value) && SPLITS.some((split) => split in value));
  });
}

/** Requests, or groups of them, that say themselves what they should trigger. */
export function holdsLabels(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isFields(item) && (looksLikeTriggers([item]) || looksLikeTriggers(item)))
  );
}

export function anyLabel(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.some(
      (item) => isFields(item) && hasTriggerLabel(item) && fieldOf(item, QUERIES) !== undefined,
    )
  );
}
