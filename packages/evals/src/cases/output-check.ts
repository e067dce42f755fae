import { parseJsonPath } from "../checks/check-json.ts";
import { compilePattern } from "../checks/check-text.ts";
import type { CheckInput } from "./case-schema.ts";
import type { OutputCheck } from "./eval-case.ts";

/** A check of a file of cases, without the fields that are not set. */
export function outputCheckOf(check: CheckInput): OutputCheck {
  const { not, ...kind } = check;
  const given = Object.entries(kind).filter(
    ([name, value]) => value !== undefined && !(name === "ignoreCase" && value === false),
  );
  return { ...Object.fromEntries(given), ...(not === true && { not: true }) } as OutputCheck;
}

/** Why a check could never be made, such as an invalid pattern. Undefined if it can. */
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
