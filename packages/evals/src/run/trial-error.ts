import type { RunResult } from "@skillwright/agent";
import type { TrialEnd } from "./trial-end.ts";

/** Why a trial says nothing about the skill. */
export interface TrialError {
  readonly code: string;
  readonly message: string;
}

/**
 * What ended the run before anybody could judge it. A run out of its budget, or with an answer that is none, is
 * judged: the agent had its chance.
 */
export function trialError(
  result: RunResult,
  { isTimedOut, pausedMs }: Pick<TrialEnd, "isTimedOut" | "pausedMs">,
): TrialError | undefined {
  const { status, reason = "", hint, approval = "" } = result;
  const explained = hint === undefined ? reason : `${reason} (${hint})`;
  if (status === "canceled" && isTimedOut) {
    return { code: "timed-out", message: "the trial took longer than it may" };
  }
  if (pausedMs > 0 && result.exhausted === "timeMs" && result.isAnswer !== true) {
    // The clock of a run cannot be stopped: it may have waited away its time.
    return { code: "timed-out", message: `${reason}; a part of it was waiting for a turn` };
  }
  const code = CODES[status];
  if (code === undefined) return undefined;
  if (status !== "needs_approval") return { code, message: explained };
  return { code, message: `an approval is needed (${approval}): name the tool with --yes=<tool>` };
}

const CODES: Readonly<Partial<Record<RunResult["status"], string>>> = {
  canceled: "canceled",
  needs_approval: "needs-approval",
  denied: "denied",
  model_failed: "model-failed",
  error: "run-failed",
};
