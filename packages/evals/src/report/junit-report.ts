import { escapeXml } from "@skillwright/core/internal";
import { type Grade, isUnsupported } from "../grade/grade.ts";
import type { EvalResults, TrialResult } from "../results/eval-results.ts";
import { groupBy } from "../summary/summarize-cases.ts";

/** Of the arm that is tested: a suite for each skill or file, a test for each trial. */
export function junitReport({ setup, trials, id }: EvalResults): string {
  const tested = trials.filter(({ arm }) => arm === setup.arms[0]?.name);
  const suites = [...groupBy(tested, suiteOf)].flatMap(([name, results]) => [
    `  <testsuite name="${escaped(name)}"${totals(results)}>`,
    ...results.flatMap(testCase),
    "  </testsuite>",
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(id)}"${totals(tested)}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteOf({ origin: { skill, file } }: TrialResult): string {
  return skill ?? file;
}

function totals(trials: readonly TrialResult[]): string {
  const count = (outcome: TrialResult["outcome"]) =>
    trials.filter((trial) => trial.outcome === outcome).length;
  const seconds = trials.reduce((sum, { usage }) => sum + usage.timeMs, 0) / 1000;
  return (
    ` tests="${trials.length}" failures="${count("fail")}" errors="${count("error")}"` +
    ` skipped="${count("unjudged")}" time="${seconds.toFixed(3)}"`
  );
}

function testCase(result: TrialResult): string[] {
  const { caseId, title, trial, origin, usage } = result;
  const name = trial === 1 ? title : `${title} (trial ${trial})`;
  const attributes =
    `name="${escaped(name)}" classname="${escaped(caseId)}" file="${escaped(origin.file)}"` +
    ` line="${origin.line}" time="${(usage.timeMs / 1000).toFixed(3)}"`;
  const problem = problemOf(result);
  if (problem === undefined) return [`    <testcase ${attributes}/>`];
  return [`    <testcase ${attributes}>`, `      ${problem}`, "    </testcase>"];
}

function problemOf({ outcome, error, grades }: TrialResult): string | undefined {
  if (outcome === "pass") return undefined;
  if (outcome === "unjudged") return `<skipped message="${escaped(whyUnjudged(grades))}"/>`;
  const bad = grades.filter((grade) => grade.outcome === outcome);
  const [first] = bad;
  const message = error?.message ?? first?.text ?? "";
  const type = error?.code ?? first?.metric ?? outcome;
  const element = outcome === "fail" ? "failure" : "error";
  const details = bad.map(describeGrade).join("\n");
  return `<${element} type="${escaped(type)}" message="${escaped(message)}">${escaped(details)}</${element}>`;
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
