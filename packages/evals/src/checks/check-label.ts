import { truncate } from "@skillwright/core/internal";
import type { OutputCheck } from "../cases/eval-case.ts";

const MAX_VALUE = 80;

/** The sentence that is shown for a check. */
export function checkLabel(check: OutputCheck): string {
  if (check.label !== undefined) return check.label;
  const text = plainLabel(check);
  return check.not === true ? `not: ${text}` : text;
}

function plainLabel(check: OutputCheck): string {
  switch (check.type) {
    case "contains":
      return `the answer contains ${quoted(check.value)}`;
    case "equals":
      return `the answer is ${quoted(check.value)}`;
    case "regex":
      return `the answer matches /${truncate(check.pattern, MAX_VALUE)}/${check.flags ?? ""}`;
    case "number":
      return `the answer has a number within ${check.tolerance} of ${check.value}`;
    case "json-schema":
      return `${check.file ?? "the answer"} is JSON that the schema allows`;
    case "json-path": {
      const end = "equals" in check ? `is ${quoted(check.equals)}` : "is there";
      return `${check.path} of ${check.file ?? "the answer"} ${end}`;
    }
    case "file-exists":
      return `the file ${check.path} is there`;
    case "file-contains":
      return `the file ${check.path} contains ${quoted(check.value)}`;
    case "file-equals":
      return `the file ${check.path} is ${quoted(check.value)}`;
    case "file-hash":
      return `the file ${check.path} has the hash ${check.sha256.slice(0, 12)}…`;
    default:
      return `the grader ${[check.file.split(/[/\\]/).at(-1), ...(check.args ?? [])].join(" ")} agrees`;
  }
}

function quoted(value: unknown): string {
  return typeof value === "string"
    ? JSON.stringify(truncate(value, MAX_VALUE))
    : truncate(JSON.stringify(value) ?? "", MAX_VALUE);
}
