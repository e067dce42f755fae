import { dirname, resolve } from "node:path";
import type { OutputCheckKind } from "../cases/eval-case.ts";
import type { CheckSubject } from "./check-subject.ts";
import { type CheckVerdict, decided, shown, undecided } from "./check-verdict.ts";
import { findReport, type GraderReport } from "./grader-report.ts";
import type { GraderRun } from "./run-grader.ts";

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 1_000_000;
/** What an interpreter prints when a program of its language ends by an exception. */
const CRASHES = [/^Traceback \(most recent call last\):/m, /^Node\.js v\d/m, /^panic: /m];

/** A program of the case says whether it went well. One that crashes says nothing. */
export async function checkScript(
  { file, args = [] }: Extract<OutputCheckKind, { type: "script" }>,
  { evalCase, trajectory, environment }: CheckSubject,
): Promise<CheckVerdict> {
  const { runGrader, directory, signal } = environment;
  if (runGrader === undefined) return undecided("there is no sandbox to run graders in");
  if (directory === undefined) return undecided("there is no working directory");
  const { input, origin } = evalCase;
  const { answer, steps } = trajectory;
  const run = await runGrader({
    file: resolve(dirname(origin.file), file),
    args,
    stdin: JSON.stringify({ input, answer, steps }),
    directory,
    timeoutMs: TIMEOUT_MS,
    ...(signal && { signal }),
  });
  return run.ok ? verdictOf(run) : undecided(`${run.code}: ${run.message}`);
}

function verdictOf({ exitCode, stdout, stderr }: Extract<GraderRun, { ok: true }>): CheckVerdict {
  const said = stdout.slice(-MAX_OUTPUT).trim();
  const told = shown((said || stderr).trim());
  if (exitCode === null || exitCode > 1 || CRASHES.some((crash) => crash.test(stderr))) {
    return undecided(`the grader ended with ${exitCode ?? "a signal"}: ${shown(stderr || said)}`);
  }
  const found = findReport(said);
  switch (found.kind) {
    case "none":
      return decided(exitCode === 0, `exit code ${exitCode}, ${told}`);
    case "unreadable":
      return undecided(`the grader's report cannot be read: ${shown(found.text.trim())}`);
    default:
      return fromReport(found.report, exitCode);
  }
}

/** What it says itself counts; else every check; else a full score; else the exit code. */
function fromReport(report: GraderReport, exitCode: number): CheckVerdict {
  const { score, passed, details, checks = [] } = report;
  const right = checks.filter((check) => check.passed).length;
  const share = checks.length === 0 ? undefined : right / checks.length;
  const isPassed =
    passed ??
    (share === undefined ? (score === undefined ? exitCode === 0 : score === 1) : share === 1);
  const problem = contradiction(isPassed, { report, share, exitCode });
  if (problem !== undefined) return undecided(`the grader contradicts itself: ${problem}`);
  const lines = checks.map(
    ({ name, passed, message }) => `${passed ? "+" : "-"} ${name}${message ? `: ${message}` : ""}`,
  );
  const evidence = [details, ...lines].filter((line) => line !== undefined).join("\n");
  const part = score ?? share ?? (isPassed ? 1 : 0);
  return {
    kind: "decided",
    passed: isPassed,
    score: part,
    evidence: evidence === "" ? `exit code ${exitCode}` : evidence.slice(0, 10_000),
  };
}

interface Said {
  readonly report: GraderReport;
  /** Of its checks that passed. */
  readonly share: number | undefined;
  readonly exitCode: number;
}

/** A report may say no and end with 0, and pass with a part of the score: that is how graders are written. */
function contradiction(isPassed: boolean, { report, share, exitCode }: Said): string | undefined {
  const { score, passed } = report;
  const verdict = isPassed ? "it passed" : "it did not pass";
  if (isPassed && exitCode !== 0) return `${verdict}, and the exit code is ${exitCode}`;
  if (share !== undefined && (share === 1) !== isPassed) {
    return `${verdict}, and ${share === 1 ? "every check did" : "a check did not"}`;
  }
  if (score === undefined) return undefined;
  const isOpposite = isPassed ? score === 0 || (passed === undefined && score < 1) : score === 1;
  return isOpposite ? `${verdict}, and the score is ${score}` : undefined;
}
