import { basename } from "node:path";
import { type Fields, fieldOf, fieldsOf, isFields, listOf, textOf, wordList } from "./fields.ts";

/** `own` and `evals-json` are read; `eval import` converts the others. */
export type CaseFormat = "own" | "evals-json" | ForeignFormat;

export type ForeignFormat = "trigger-set" | "waza" | "vally" | "promptfoo";

const OWN_FIELDS = ["expected", "mock", "constraints", "files", "trials", "timeout"];
const EVALS_FIELDS = ["expected_output", "expectations", "assertions", "files"];
/** Names under which a trigger set has its requests. */
export const QUERIES = wordList("query prompt input q question text utterance user_prompt request");
const LABELS =
  /^(?:(?:should|expected?|must)_?(?:not_)?(?:trigger|activat|fire)\w*|should|triggers?|label|expected|expect(?:_activation)?|(?:expected|forbidden|acceptable)_?skills?|route|target_skill|forbidden|not_skills|must_not_use)$/;
const POSITIVES =
  /^(?:should_(?:trigger|fire|activate)(?:_prompts)?|must_trigger|positives?(?:_cases)?|triggers?|true_positives)$/;
const NEGATIVES =
  /^(?:(?:should|must)_not_(?:trigger|fire|activate)(?:_prompts)?|no_trigger|negatives?(?:_cases)?|true_negatives|near_(?:miss(?:es)?|neighbors?))$/;

/** Whether a field says what a request should trigger. */
export function isTriggerLabel(name: string): boolean {
  return LABELS.test(snakeCase(name));
}

/** Whether a list of that name holds requests that should trigger, or should not. Undefined: neither. */
export function triggerOfList(name: string): boolean | undefined {
  const plain = snakeCase(name);
  if (POSITIVES.test(plain)) return true;
  return NEGATIVES.test(plain) ? false : undefined;
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z])([A-Z])/g, "_$1")
    .replaceAll("-", "_")
    .toLowerCase();
}

/** The format of a file, by its content; the name decides only where the content could be two of them. */
export function detectFormat(file: string, value: unknown): CaseFormat | undefined {
  if (isFields(value)) {
    if (Array.isArray(value["stimuli"])) return "vally";
    const inputs = value["inputs"];
    if (isFields(inputs) && ("prompt" in inputs || "prompt_file" in inputs)) return "waza";
    if (isSuite(value)) return "waza";
    if ("prompts" in value && ("tests" in value || "providers" in value)) return "promptfoo";
    if (isOwnCase(value)) return "own";
  }
  const isEvalsName = /^evals?\.(?:json|ya?ml)$/i.test(basename(file));
  const list = isFields(value) ? (value["cases"] ?? value["evals"]) : value;
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const fields = items.filter(isFields);
  const isOwnRoot = Array.isArray(value) || (isFields(value) && Array.isArray(value["cases"]));
  if (isOwnRoot && fields.some(isOwnCase)) return "own";
  const isEvalsRoot = Array.isArray(value) || (isFields(value) && Array.isArray(value["evals"]));
  const prompts = fields.filter((item) => textOf(item, "prompt") !== undefined);
  const isEvals = prompts.some((item) => EVALS_FIELDS.some((name) => name in item));
  if (isEvalsRoot && (isEvals || (isEvalsName && prompts.length > 0))) return "evals-json";
  if (isTriggerSet(value)) return "trigger-set";
  if (isEvalsRoot && (isEvalsName || "skill_name" in (value as Fields))) return "evals-json";
  const hasInputs = fields.some((item) => "input" in item);
  return isOwnRoot && (hasInputs || (isFields(value) && items.length === 0)) ? "own" : undefined;
}

function isSuite(value: Fields): boolean {
  const isTask = (task: unknown) =>
    typeof task === "string" || (isFields(task) && "inputs" in task);
  return "tasks_from" in value || listOf(value, "tasks").some(isTask);
}

/** `input` and fields of ours; in a trigger set `expected` is not an object. */
function isOwnCase(item: Fields): boolean {
  if (typeof item["input"] !== "string") return false;
  const isOwn = OWN_FIELDS.some((name) => name in item);
  return isOwn && (item["expected"] === undefined || isFields(item["expected"]));
}

/** Requests with what they should trigger, in any of the shapes in use. */
function isTriggerSet(value: unknown, depth = 0): boolean {
  if (depth > 3) return false;
  if (Array.isArray(value))
    return value.some((item) => isFields(item) && isTriggerSet(item, depth));
  if (!isFields(value)) return false;
  if (fieldOf(value, QUERIES) !== undefined && typeof fieldOf(value, QUERIES) === "string") {
    return Object.keys(value).some(isTriggerLabel);
  }
  return Object.entries(value).some(([name, inner]) => {
    if (typeof inner !== "object" || inner === null) return false;
    const isNamed = triggerOfList(name) !== undefined;
    return isNamed ||
      (name === "queries" && textOf(value, "skill", "skill_name", "name") !== undefined)
      ? true
      : isTriggerSet(inner, depth + 1);
  });
}

const VERDICTS = ["pass", "passed", "trigger_rate", "triggered", "verdict"];
const OUTCOME = /^(?:pass|fail|error|success|skipped)/i;
const COUNTS = ["passed", "failed", "total", "pass_rate", "total_tests", "success_rate"];
const RESULT_LISTS = wordList("results expectations trials runs tasks evals cases history");

/** Whether this is the result of an earlier eval by a known tool, or a JSON schema. */
export function isResult(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(hasVerdict);
  if (!isFields(value)) return false;
  const { $schema: schema } = value;
  return (
    (typeof value["schemaVersion"] === "number" && Array.isArray(value["trials"])) ||
    (typeof schema === "string" && schema.includes("json-schema.org")) ||
    (value["type"] === "object" && isFields(value["properties"])) ||
    COUNTS.some((name) => typeof fieldsOf(value, "summary", "run_summary")[name] === "number") ||
    isFields(value["run_summary"]) ||
    "current_best" in value ||
    "best_description" in value ||
    ("eval_id" in value && "eval_name" in value) ||
    ("total_tokens" in value && "duration_ms" in value) ||
    "total_duration_seconds" in value ||
    (Array.isArray(value["reviews"]) && "status" in value) ||
    RESULT_LISTS.some((name) => {
      const list = listOf(value, name);
      return list.length > 0 && list.every(hasVerdict);
    })
  );
}

function hasVerdict(item: unknown): boolean {
  if (!isFields(item)) return false;
  const outcome = textOf(item, "outcome", "status");
  return VERDICTS.some((name) => name in item) || (outcome !== undefined && OUTCOME.test(outcome));
}
