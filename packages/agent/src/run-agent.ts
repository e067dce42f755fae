import type { Failure } from "@skillwright/core";
import {
  checkOptions,
  defined,
  isTracer,
  oneOf,
  type OptionKinds,
  traced,
} from "@skillwright/core/internal";
import { AuditError } from "@skillwright/runtime";
import { fullBudget, requireBudget } from "./loop/budget.ts";
import { driveRun, type RunResult } from "./loop/drive-run.ts";
import { HELD_CHANGES, type RunState } from "./loop/run-state.ts";
import type { RunResume } from "./events/run-event.ts";
import { foldRecords } from "./runs/conversation.ts";
import { tracedModel } from "./models/decorators/traced-model.ts";
import { openRun, reopenRun } from "./runs/open-run.ts";
import type { RunOptions } from "./runs/run-options.ts";
import type { RunLog, RunStore } from "./runs/run-store.ts";

export async function runAgent(options: RunOptions): Promise<RunResult> {
  checkOptions("runAgent", options, RUN_OPTIONS, ["request", "skills", "model"]);
  requireBudget(options.budget);
  return inSpan(options.tracer, async () => driveRun(await openRun(withTracing(options))));
}

const isObject = (value: unknown) => typeof value === "object" && value !== null;
const hasMethod = (what: string, method: string) => (value: unknown) =>
  isObject(value) && typeof Object(value)[method] === "function" ? undefined : what;

const SHARED_OPTIONS = {
  skills: (value: unknown) =>
    isObject(value) && ("conversation" in Object(value) || "fork" in Object(value))
      ? undefined
      : "what openSkills gives, or a conversation of it",
  model: hasMethod("a model", "decide"),
  policy: hasMethod("a policy with open", "open"),
  budget: "object",
  signal: "object",
  stop: "object",
  onEvent: "function",
  isRepeatable: "boolean",
  system: "string",
  answer: "object",
  store: hasMethod("a store of runs", "create"),
  tools: "list",
  catalogTokens: "number",
  tracer: (value: unknown) => (isTracer(value) ? undefined : "a tracer"),
  clock: "function",
  ids: "function",
} as const;

const RUN_OPTIONS: OptionKinds<RunOptions> = {
  ...SHARED_OPTIONS,
  request: "string",
  use: "strings",
  attachments: "list",
  conversation: "object",
  route: oneOf("off", "hint", "auto"),
  child: "object",
};

/** The whole run, as the GenAI semantic conventions name it. */
function inSpan<Result>(
  tracer: RunOptions["tracer"],
  work: () => Promise<Result>,
): Promise<Result> {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "skillwright",
  };
  return traced(tracer, { name: "invoke_agent skillwright", attributes }, work);
}

function withTracing<Options extends Pick<RunOptions, "model" | "tracer">>(
  options: Options,
): Options {
  return { ...options, model: tracedModel(options.model, options.tracer) };
}

/** Options that are in the record. */
type Recorded = "request" | "use" | "route" | "attachments" | "conversation" | "child";

export interface ResumeOptions extends Omit<RunOptions, Recorded> {
  readonly runId: string;
  /** Where the run is recorded. */
  readonly store: RunStore;
  /** The id of the approval that it waits for, to give that approval. */
  readonly approve?: string;
}

export type ResumeResult = ({ readonly ok: true } & RunResult) | Failure;

/**
 * - `run-not-started`: it was cut off before its request was recorded.
 * - `run-is-part`: it is a child run; its parent has to be resumed.
 * - `run-damaged`: its record is not as it was written.
 * - `run-locked`: another process works on it.
 * - `run-unusable`: its record cannot be read or written.
 * - `approval-unknown`: it waits for another approval, or for none. The message does not say which.
 *
 * An approval that does not count fails with `approval-request-invalid`, `approval-terminal-only` or
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

const RESUME_OPTIONS: OptionKinds<ResumeOptions> = {
  ...SHARED_OPTIONS,
  runId: "string",
  approve: "string",
};

export async function resumeAgent(options: ResumeOptions): Promise<ResumeResult> {
  checkOptions("resumeAgent", options, RESUME_OPTIONS, ["runId", "store", "skills", "model"]);
  return inSpan(options.tracer, () => resumeRun(withTracing(options)));
}

async function resumeRun(options: ResumeOptions): Promise<ResumeResult> {
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
  const given = options.budget && { budget: fullBudget({ ...state.budget, ...options.budget }) };
  const reason = state.end === undefined ? "crash" : "person";
  const why = approve === undefined ? { reason } : { reason: "approval", approval: approve };
  const resume = { ...why, ...given } as Omit<RunResume, "means">;
  const reopened = await reopenRun(log, options, resume);
  return reopened.ok ? { ok: true, ...(await driveRun(reopened.run)) } : reopened;
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
    return failure("run-is-part", `the run ${runId} is a part of another`, hint);
  }
  if (end?.status === "answered") return failure("run-answered", `the run ${runId} is answered`);
  if (approve === undefined || approve === waitingFor) return undefined;
  if (end?.approval === HELD_CHANGES) {
    const message = `the run ${runId} waits for a decision on changes of scripts, not for an approval`;
    return failure("approval-unknown", message, end.hint);
  }
  const other = waitingFor === undefined ? "no approval" : "another approval";
  return failure("approval-unknown", `the run ${runId} waits for ${other}`);
}

function unusable({ code, message, hint }: AuditError): Failure<ResumeFailureCode> {
  if (code === "audit-damaged") return failure("run-damaged", message, hint);
  return failure(code === "audit-locked" ? "run-locked" : "run-unusable", message, hint);
}

function failure(
  code: ResumeFailureCode,
  message: string,
  hint?: string,
): Failure<ResumeFailureCode> {
  return { ok: false, code, message, ...defined({ hint }) };
}
