import { parseJsonPath } from "../checks/check-json.ts";
import { compilePattern } from "../checks/check-text.ts";
import type { OutputCheck } from "./eval-case.ts";

/** What is wrong with a check before anything is run; undefined when nothing is. */
export function checkProblem(check: OutputCheck): string | undefined {
  if (check.type === "regex") return problemOf(compilePattern(check.pattern, check.flags));
  if (check.type === "number" && check.pattern !== undefined) {
    return problemOf(compilePattern(check.pattern));
  }
  if (check.type === "json-path") return problemOf(parseJsonPath(check.path));
  return undefined;
}

function problemOf(
  result: { readonly ok: true } | { readonly ok: false; readonly message: string },
): string | undefined {
  return result.ok ? undefined : result.message;
}
