import { dirname, resolve } from "node:path";
import * as z from "zod";
import type { OutputCheckKind } from "../cases/eval-case.ts";
import type { CheckSubject } from "./check-subject.ts";
import { type CheckVerdict, decided, shown, undecided } from "./check-verdict.ts";
import type { GraderRun } from "./run-grader.ts";

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 1_000_000;
/** What an interpreter prints when a program of its language ends by an exception. */
const CRASHES = [/^Traceback \(most recent call last\):/m, /^Node\.js v\d/m, /^panic: /m];

const reportSchema = z.object({
  score: z.number().min(0).max(1).optional(),
  passed: z.boolean().optional(),
  details: z.string().optional(),
  checks: z
    .array(z.object({ name: z.string(), passed: z.boolean(), message: z.string().optional() }))
    .max(1000)
    .optional(),
});

type Report = z.infer<typeof reportSchema>;

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
  const said = stdout.slice(0, MAX_OUTPUT).trim();
  const told = shown((said || stderr).trim());
  if (exitCode === null || exitCode > 1 || CRASHES.some((crash) => crash.test(stderr))) {
    return undecided(`the grader ended with ${exitCode ?? "a signal"}: ${shown(stderr || said)}`);
  }
  if (!said.startsWith("{")) return decided(exitCode === 0, `exit code ${exitCode}, ${told}`);
  const report = reportOf(said);
  if (report === undefined) return undecided(`the grader's report cannot be read: ${told}`);
  return fromReport(report, exitCode);
}

function reportOf(text: string): Report | undefined {
  try {
    return reportSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What it says itself counts; else every check; else a full score; else the exit code. */
function fromReport(
  { score, passed, details, checks = [] }: Report,
  exitCode: number,
): CheckVerdict {
  const right = checks.filter((check) => check.passed).length;
  const share = checks.length === 0 ? undefined : right / checks.length;
  const isPassed =
    passed ??
    (share === undefined ? (score === undefined ? exitCode === 0 : score >= 1) : share === 1);
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
