import { type Fields, fieldsOf, isFields, listOf, textOf } from "../fields.ts";

const VERDICTS = ["pass", "passed", "trigger_rate", "triggered", "verdict"];
const SAID = /^(?:pass|fail|error|success|skipped)/i;
const COUNTS = ["passed", "failed", "total", "pass_rate", "total_tests", "success_rate"];
const LISTS = ["results", "expectations", "trials", "runs", "tasks", "evals", "cases", "history"];

/** Whether this is what a known tool wrote about an earlier eval, or a schema: no cases. */
export function isResult(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(hasVerdict);
  if (!isFields(value)) return false;
  return (
    isOwnResult(value) ||
    isSchema(value) ||
    COUNTS.some((name) => typeof fieldsOf(value, "summary", "run_summary")[name] === "number") ||
    isFields(value["run_summary"]) ||
    "current_best" in value ||
    "best_description" in value ||
    ("eval_id" in value && "eval_name" in value) ||
    ("total_tokens" in value && "duration_ms" in value) ||
    "total_duration_seconds" in value ||
    (Array.isArray(value["reviews"]) && "status" in value) ||
    LISTS.some((name) => listOf(value, name).length > 0 && listOf(value, name).every(hasVerdict))
  );
}

/** A baseline, or what was saved. */
function isOwnResult(value: Fields): boolean {
  return typeof value["schemaVersion"] === "number" && Array.isArray(value["trials"]);
}

function isSchema(value: Fields): boolean {
  const { $schema: schema } = value;
  const isNamed = typeof schema === "string" && schema.includes("json-schema.org");
  return isNamed || (value["type"] === "object" && isFields(value["properties"]));
}

function hasVerdict(item: unknown): boolean {
  if (!isFields(item)) return false;
  const said = textOf(item, "outcome", "status");
  return VERDICTS.some((name) => name in item) || (said !== undefined && SAID.test(said));
}
