import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { Severity } from "@skillwright/core/internal";
import { checkAssertions, checkExpectations, checkQueries } from "./check-cases.ts";
import { checkBalance, checkDuplicates, checkSize } from "./check-suite.ts";
import { type EvalRuleCode, evalRules } from "./eval-rules.ts";
import type { Check, EvalDiagnostic, Finding, LintCasesOptions } from "./lint-context.ts";

const CHECKS: readonly Check[] = [
  checkExpectations,
  checkQueries,
  checkDuplicates,
  checkBalance,
  checkSize,
  checkAssertions,
];

const SEVERITIES: ReadonlyMap<EvalRuleCode, Severity> = new Map(
  evalRules.map(({ code, severity }) => [code, severity]),
);

const OPTIONS: OptionKinds<LintCasesOptions> = {
  cases: "list",
  catalog: "list",
  results: "object",
  claim: "any",
  rules: "object",
};

/** What keeps cases from showing what they are meant to show; by file, line and code. */
export function lintCases(options: LintCasesOptions): EvalDiagnostic[] {
  checkOptions("lintCases", options, OPTIONS, ["cases", "catalog"]);
  const findings = CHECKS.flatMap((check) => check(options));
  return findings.flatMap((finding) => diagnosticOf(finding, options.rules)).sort(byPlace);
}

function diagnosticOf(
  { code, message, origin: { file, line }, hint }: Finding,
  settings: LintCasesOptions["rules"] = {},
): EvalDiagnostic[] {
  const own = Object.hasOwn(settings, code) ? settings[code] : undefined;
  const severity = own ?? SEVERITIES.get(code) ?? "warning";
  if (severity === "off") return [];
  const place = { file, line, column: 1 };
  return [{ code, severity, message, ...place, ...(hint !== undefined && { hint }) }];
}

function byPlace(a: EvalDiagnostic, b: EvalDiagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  if (a.line !== b.line) return a.line - b.line;
  if (a.code !== b.code) return a.code < b.code ? -1 : 1;
  return 0;
}
