import { dirname, resolve } from "node:path";
import * as z from "zod";
import type { OutputCheckKind } from "../cases/eval-case.ts";
import {
  type CheckSubject,
  type CheckVerdict,
  decided,
  type GraderRun,
  shown,
  undecided,
} from "./check-verdict.ts";

/** What a grader says of a trial, as it printed it. */
type GraderReport = z.infer<typeof reportSchema>;

type FoundReport =
  | { readonly kind: "none" }
  | { readonly kind: "report"; readonly report: GraderReport }
  /** It looks like a report, and nobody can tell what it says. */
  | { readonly kind: "unreadable"; readonly text: string };

/** Sums of binary fractions may be a hair beside a full score. */
const DUST = 1e-9;

const reportSchema = z.object({
  score: z
    .number()
    .min(0)
    .max(1 + DUST)
    .transform((score) => (score >= 1 - DUST ? 1 : score))
    .optional(),
  passed: z.boolean().optional(),
  details: z.string().optional(),
  checks: z
    .array(z.object({ name: z.string(), passed: z.boolean(), message: z.string().optional() }))
    .max(1000)
    .optional(),
});

const NAMES = ["passed", "pass", "score", "checks", "success", "ok", "verdict"];
/** One of them as JSON or another language writes it. */
const NAMED = new RegExp(`["'](?:${NAMES.join("|")})["']\\s*:`, "i");

/** The last report in what was printed: it may stand in one line or in several, with any text around. */
function findReport(printed: string): FoundReport {
  let found: FoundReport = { kind: "none" };
  for (const piece of piecesOf(printed.split(/\r?\n/))) {
    const one = readReport(piece);
    if (one.kind !== "none") found = one;
  }
  return found;
}

function readReport(text: string): FoundReport {
  const value = parsed(text);
  if (!looksLikeReport(text, value)) return { kind: "none" };
  const report = reportSchema.safeParse(value).data;
  const isTelling = (report?.passed ?? report?.score ?? report?.checks) !== undefined;
  return report !== undefined && isTelling
    ? { kind: "report", report }
    : { kind: "unreadable", text };
}

function looksLikeReport(text: string, value: unknown): boolean {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.keys(value).some((key) => NAMES.includes(key.toLowerCase()));
  }
  const at = text.indexOf("{");
  return at !== -1 && NAMED.test(text.slice(at));
}

/** Whole objects and lists that begin and end with a line, and every other line alone. */
function* piecesOf(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at++) {
    const end: number = /^\s*[{[]/.test(lines[at] ?? "") ? endOfBlock(lines, at) : at;
    yield lines.slice(at, end + 1).join("\n");
    // What is never closed is torn: a part of it is no report of its own.
    at = end;
  }
}

/** The line in which all brackets are closed again; the last one when they never are. */
function endOfBlock(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < lines.length; at++) {
    depth += openedBy(lines[at] ?? "");
    if (depth <= 0) return at;
  }
  return lines.length - 1;
}

/** Brackets that it opens, less those that it closes. No text of JSON goes beyond a line. */
function openedBy(line: string): number {
  let opened = 0;
  let isText = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? "";
    if (isText && sign === "\\") at++;
    else if (sign === '"') isText = !isText;
    else if (isText) continue;
    else if (sign === "{" || sign === "[") opened++;
    else if (sign === "}" || sign === "]") opened--;
  }
  return opened;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

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
