import type { Failure } from "@skillwright/core";
import { AuditError } from "@skillwright/runtime";
import { fullBudget, requireBudget } from "./loop/budget.ts";
import { driveRun, type RunResult } from "./loop/drive-run.ts";
import type { RunState } from "./loop/run-state.ts";
import { foldRecords } from "./runs/conversation.ts";
import { openRun, type OpenRunOptions, reopenRun } from "./runs/open-run.ts";
import type { RunLog, RunStore } from "./runs/run-store.ts";

export async function runAgent(options: OpenRunOptions): Promise<RunResult> {
  requireBudget(options.budget);
  return driveRun(await openRun(options));
}

/** What was asked for, and with what, is in the record. */
type Recorded = "request" | "use" | "attachments" | "conversation" | "child";

export interface ResumeOptions extends Omit<OpenRunOptions, Recorded> {
  readonly runId: string;
  /** Where the run is recorded. */
  readonly store: RunStore;
  /** The id of the approval that it waits for, which is given with this. */
  readonly approve?: string;
}

export type ResumeResult = ({ readonly ok: true } & RunResult) | Failure;

/**
 * - `run-not-found`: there is no run of this name.
 * - `run-not-started`: it was cut off before its request was written down.
 * - `run-answered`: there is nothing left to do.
 * - `run-is-part`: it belongs to another run, which is to be resumed.
 * - `run-damaged`: its record is not as it was written.
 * - `run-locked`: another process is at work on it.
 * - `run-unusable`: its record cannot be read or written.
 * - `approval-unknown`: it waits for another approval, or for none. Which one it waits for is in its
 *   record, for whoever may read that.
 *
 * And what makes an approval not count: `approval-request-invalid`, `approval-terminal-only`,
 * `approval-spent`.
 */
export type ResumeFailureCode =
  | "run-not-found"
  | "run-not-started"
  | "run-answered"
  | "run-is-part"
  | "run-damaged"
  | "run-locked"
  | "run-unusable"
  | "approval-unknown";

export async function resumeAgent(options: ResumeOptions): Promise<ResumeResult> {
  const { runId, store, approve } = options;
  requireBudget(options.budget);
  let log: RunLog | undefined;
  try {
    log = await store.open(runId);
  } catch (error) {
    if (AuditError.isInstance(error)) return unusable(error);
    throw error;
  }
  if (log === undefined) return failure("run-not-found", `there is no run ${runId}`);
  const state = foldRecords(log.records);
  const problem = problemOf(runId, state, approve);
  if (problem !== undefined) {
    log.close();
    return problem;
  }
  const budget = options.budget && { budget: fullBudget({ ...state.budget, ...options.budget }) };
  const reopened = await reopenRun(log, options, {
    ...(approve === undefined
      ? { reason: state.end === undefined ? "crash" : "person" }
      : { reason: "approval", approval: approve }),
    ...budget,
  });
  if (!reopened.ok) return reopened;
  return { ok: true, ...(await driveRun(reopened.run)) };
}

function problemOf(
  runId: string,
  { start, end, waitingFor }: RunState,
  approve: string | undefined,
): Failure<ResumeFailureCode> | undefined {
  if (start === undefined) {
    return failure("run-not-started", `the run ${runId} was cut off before it began`);
  }
  if (start.parent !== undefined) {
    const hint = `Resume that one: ${start.parent}`;
    return { ...failure("run-is-part", `the run ${runId} is a part of another`), hint };
  }
  if (end?.status === "answered") return failure("run-answered", `the run ${runId} is answered`);
  if (approve === undefined || approve === waitingFor) return undefined;
  const message =
    waitingFor === undefined
      ? `the run ${runId} waits for no approval`
      : `the run ${runId} waits for another approval`;
  return failure("approval-unknown", message);
}

function unusable({ code, message, hint }: AuditError): Failure<ResumeFailureCode> {
  const codes: Partial<Record<AuditError["code"], ResumeFailureCode>> = {
    "audit-damaged": "run-damaged",
    "audit-locked": "run-locked",
  };
  const result = failure(codes[code] ?? "run-unusable", message);
  return hint === undefined ? result : { ...result, hint };
}

function failure(code: ResumeFailureCode, message: string): Failure<ResumeFailureCode> {
  return { ok: false, code, message };
}
