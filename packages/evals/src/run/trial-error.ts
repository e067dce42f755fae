import type { AgentEvent, RunResult } from "@skillwright/agent";
import type { AuditRecord } from "@skillwright/runtime";
import type { TrialEnd } from "./trial-end.ts";

/** Why a trial says nothing about the skill. */
export interface TrialError {
  readonly code: string;
  readonly message: string;
}

/**
 * Why the run of a trial says nothing about the skill: time, the provider, no valid decision at all, or a script that
 * lacks what it needs. A run that used
 * up its turns or tokens, or that the model itself led astray, is judged: the agent had its chance.
 */
export function trialError(
  result: RunResult,
  { isTimedOut }: Pick<TrialEnd, "isTimedOut">,
  records: readonly Pick<AuditRecord, "event" | "data">[],
): TrialError | undefined {
  const { status, reason = "", hint, approval = "" } = result;
  const explained = hint === undefined ? reason : `${reason} (${hint})`;
  if (status === "canceled" && isTimedOut) {
    return { code: "timed-out", message: "the trial took longer than it may" };
  }
  if (result.exhausted === "timeMs") return { code: "timed-out", message: explained };
  const unprepared = unpreparedScript(records);
  if (unprepared !== undefined) return unprepared;
  const code = CODES[status] ?? undecidedCode(status, records);
  if (code === undefined) return undefined;
  if (code === "no-decision") {
    return { code, message: `the model made no valid decision: ${lastAnswer(records) ?? reason}` };
  }
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

/** What a script needs and this machine lacks: whatever the agent made of that says nothing about the skill. */
const UNPREPARED: Readonly<Record<string, string>> = {
  "interpreter-missing": "an interpreter that is not installed",
  "requirement-unmet": "a version that is not installed",
  "module-missing": "a library that is not installed",
};

function unpreparedScript(records: Records): TrialError | undefined {
  for (const { event, data } of records) {
    if (event !== "script-end") continue;
    const { code = "", skill, script } = data as Readonly<Record<string, string | undefined>>;
    if (!Object.hasOwn(UNPREPARED, code)) continue;
    return { code, message: `${skill}/${script} needs ${UNPREPARED[code]}: skillwright doctor` };
  }
  return undefined;
}

type Records = readonly Pick<AuditRecord, "event" | "data">[];

/** No decision could be read in the whole run, or the run ended because the provider gave none. */
function undecidedCode(status: RunResult["status"], records: Records): "no-decision" | undefined {
  const isDecided = records.some(({ event }) => event === "action-decide");
  if (!isDecided) return "no-decision";
  const isProviders = status === "invalid_output" && lastAnswer(records) !== undefined;
  return isProviders ? "no-decision" : undefined;
}

const UNUSABLE: Readonly<Record<string, string>> = {
  refused: "the provider withheld the answer",
  length: "the answer was cut off",
};

/** What was wrong with the last answer of the provider; undefined if the model itself is to blame. */
function lastAnswer(records: Records): string | undefined {
  const last = records.findLast(({ event }) => event === "model-response") as
    | Extract<AgentEvent, { event: "model-response" }>
    | undefined;
  if (last === undefined) return undefined;
  const { finish = "stop", text, calls, error } = last.data;
  if (error !== undefined) return error.message;
  const isEmpty = text.trim() === "" && calls.length === 0;
  return UNUSABLE[finish] ?? (isEmpty ? "the answer was empty" : undefined);
}
