import { groupBy } from "../group-by.ts";
import { escapeXml } from "@skillwright/core/internal";
import { type Grade, isUnsupported } from "../grade/grade.ts";
import { comparisonExitCode } from "../compare/decide-comparison.ts";
import type { TrialResult } from "../results/eval-results.ts";
import { verdictExitCode } from "../summary/verdict.ts";
import type { ReportInput } from "./report-text.ts";

/**
 * Of the arm that is tested: the verdict, then a suite for each skill or file with a test for each trial. It is red
 * exactly when the exit code is not 0: what a baseline or a pass rate excuses is skipped, with the reason.
 */
export function junitReport(input: ReportInput): string {
  const { setup, trials, id } = input.results;
  const excuse = excuses(input);
  const tests = trials
    .filter(({ arm }) => arm === setup.arms[0]?.name)
    .map((trial) => testOf(trial, excuse));
  const verdict = verdictTest(input);
  const suites = [...groupBy(tests, ({ suite }) => suite)].flatMap(([name, own]) => [
    `  <testsuite name="${escaped(name)}"${totals(own)}>`,
    ...own.map(({ text }) => text),
    "  </testsuite>",
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(id)}"${totals([verdict, ...tests])}>`,
    `  <testsuite name="verdict"${totals([verdict])}>`,
    `    <properties><property name="model" value="${escaped(setup.model)}"/></properties>`,
    verdict.text,
    "  </testsuite>",
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

interface Test {
  readonly suite: string;
  readonly kind: "passed" | "failure" | "error" | "skipped";
  readonly seconds: number;
  readonly text: string;
}

/** Without one given, that of a verdict whose doubt does not fail. */
function exitCodeOf({ exitCode, summary, comparison }: ReportInput): number {
  return (
    exitCode ?? (comparison ? comparisonExitCode(comparison) : verdictExitCode(summary.verdict))
  );
}

function verdictTest(input: ReportInput): Test {
  const { status, sentence } = input.comparison ?? input.summary.verdict;
  const exitCode = exitCodeOf(input);
  const kind = exitCode === 0 ? "passed" : exitCode === 1 ? "failure" : "error";
  const message = `type="${status}" message="${escaped(sentence)}"`;
  const text =
    kind === "passed"
      ? `    <testcase name="verdict: ${escaped(sentence)}" classname="verdict"/>`
      : `    <testcase name="verdict" classname="verdict"><${kind} ${message}/></testcase>`;
  return { suite: "verdict", kind, seconds: 0, text };
}

/** Why a failed or missing result is not held against the eval; undefined if it is. */
type Excuse = (trial: TrialResult) => string | undefined;

function excuses(input: ReportInput): Excuse {
  const { comparison } = input;
  const isGreen = exitCodeOf(input) === 0;
  const { failing = [], regressions = [] } = comparison?.cases ?? {};
  const held = new Set([...failing, ...regressions.map(({ caseId }) => caseId)]);
  const failed = comparison
    ? "failed, and did not get worse"
    : "failed, within the tolerated pass rate";
  return ({ caseId, outcome }) => {
    if (outcome === "error") return isGreen ? "no result; few enough are tolerated" : undefined;
    const isHeld = comparison === undefined ? !isGreen : held.has(caseId);
    return isHeld ? undefined : failed;
  };
}

function suiteOf({ origin: { skill, file } }: TrialResult): string {
  return skill ?? file;
}

function totals(tests: readonly Test[]): string {
  const counts = { passed: 0, failure: 0, error: 0, skipped: 0 };
  let seconds = 0;
  for (const test of tests) {
    counts[test.kind]++;
    seconds += test.seconds;
  }
  return (
    ` tests="${tests.length}" failures="${counts.failure}" errors="${counts.error}"` +
    ` skipped="${counts.skipped}" time="${seconds.toFixed(3)}"`
  );
}

function testOf(result: TrialResult, excuse: Excuse): Test {
  const { caseId, title, trial, origin, usage } = result;
  const seconds = usage.timeMs / 1000;
  const name = trial === 1 ? title : `${title} (trial ${trial})`;
  const attributes =
    `name="${escaped(name)}" classname="${escaped(caseId)}" file="${escaped(origin.file)}"` +
    ` line="${origin.line}" time="${seconds.toFixed(3)}"`;
  const { kind, element } = problemOf(result, excuse);
  const text =
    element === undefined
      ? `    <testcase ${attributes}/>`
      : `    <testcase ${attributes}>\n      ${element}\n    </testcase>`;
  return { suite: suiteOf(result), kind, seconds, text };
}

function problemOf(
  result: TrialResult,
  excuseOf: Excuse,
): Pick<Test, "kind"> & { readonly element?: string } {
  const { outcome, error, grades } = result;
  if (outcome === "pass") return { kind: "passed" };
  if (outcome === "unjudged") {
    return { kind: "skipped", element: `<skipped message="${escaped(whyUnjudged(grades))}"/>` };
  }
  const bad = grades.filter((grade) => grade.outcome === outcome);
  const [first] = bad;
  const message = error?.message ?? first?.text ?? "";
  const excuse = excuseOf(result);
  if (excuse !== undefined) {
    return { kind: "skipped", element: `<skipped message="${escaped(`${excuse}: ${message}`)}"/>` };
  }
  const kind = outcome === "fail" ? "failure" : "error";
  const type = error?.code ?? first?.metric ?? outcome;
  const details = escaped(bad.map(describeGrade).join("\n"));
  const element = `<${kind} type="${escaped(type)}" message="${escaped(message)}">${details}</${kind}>`;
  return { kind, element };
}

function whyUnjudged(grades: readonly Grade[]): string {
  const unsupported = grades.find(isUnsupported);
  return unsupported?.text ?? "nobody was there to judge it";
}

function describeGrade({ metric, text, evidence }: Grade): string {
  return `${metric}: ${text}\n${evidence}`;
}

/** For text and for attributes; what XML cannot hold becomes a question mark. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const invalid = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
  return escapeXml(text.replaceAll(invalid, "?"))
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;")
    .replaceAll("\t", "&#9;");
}
