import type { Failure } from "@skillwright/core";
import { slice } from "../budget/budget.ts";
import type { RunEnd, RunResume } from "../events/run-event.ts";
import { driveRun } from "../loop/drive-run.ts";
import { StepStopped } from "../loop/step-stopped.ts";
import { CALL_TURN } from "./called-apart.ts";
import { foldRecords } from "./fold-records.ts";
import type { OpenRunOptions } from "./open-run-options.ts";
import type { RunLog } from "./run-log.ts";
import type { Run, RunChild, RunOptions } from "./run.ts";

/** How runs begin and go on: a child does as its parent did. */
interface RunOpeners {
  readonly openRun: (options: OpenRunOptions, empty?: RunLog) => Promise<Run>;
  readonly reopenRun: (
    log: RunLog,
    options: ReopenRunOptions,
    resume: Omit<RunResume, "means">,
  ) => Promise<ReopenResult>;
}

export type ReopenRunOptions = Omit<OpenRunOptions, "request"> &
  Pick<RunOptions, "store" | "approve">;

export type ReopenResult = { readonly ok: true; readonly run: Run } | Failure;

interface ChildPlace {
  readonly runId: string;
  /** The skill, with its source. */
  readonly place: string;
  readonly turn: number;
}

/**
 * Works a skill through in a run of its own: own context, a part of the budget, a summary back. One
 * that had begun when its parent was cut off goes on; one that had ended is not done again.
 */
export function createRunChild(openers: RunOpeners): RunChild {
  return async (run, skill, turn) => {
    const { children, child, pending } = run.state;
    const place = `${skill.name}@${skill.source}`;
    const before = children.find((one) => one.skill === place);
    if (before !== undefined) return before;
    // Acts are carried out in order: the first call that selects is the one under way.
    const { call = 0 } = pending.find(({ action }) => action.action === "select_skills") ?? {};
    const runId = child ?? childId(run.id, turn, call * MAX_SELECTED + children.length);
    const end = await workThrough(run, { runId, place, turn }, openers);
    const { status, answer, usage, approval } = end;
    // It has not ended, but goes on when its parent does.
    const isBlocked = status === "error" && run.signal.aborted;
    if (status === "canceled" || isBlocked) {
      run.signal.throwIfAborted();
      throw new StepStopped();
    }
    const ended = { turn, runId, skill: place, status, answer, usage };
    if (approval !== undefined) run.record({ event: "child-wait", data: { runId, approval } });
    else run.record({ event: "child-end", data: ended });
    return ended;
  };
}

/** One call selects no more. */
const MAX_SELECTED = 20;

function childId(parent: string, turn: number, before: number): string {
  return before === 0 ? `${parent}.${turn}` : `${parent}.${turn}-${before + 1}`;
}

/** What a child begins with when a person named its skill, and perhaps typed something behind it. */
function namedBy({ state, options }: Run, place: string, turn: number) {
  const { invoked, apart = [] } = state.start ?? {};
  const isPlace = (name: string) => {
    const found = options.skills.find(name);
    return found.ok && `${found.skill.name}@${found.skill.source}` === place;
  };
  if (turn !== CALL_TURN) return {};
  if (invoked?.apart === true && isPlace(invoked.skill)) {
    return { invoked: { skill: place, arguments: invoked.arguments } };
  }
  return apart.some(isPlace) ? { use: [place] } : {};
}

/** What a child that was stopped there goes on from. */
const GOES_ON: ReadonlySet<RunEnd["status"]> = new Set(["needs_approval", "canceled", "error"]);

async function workThrough(
  run: Run,
  { runId, place, turn }: ChildPlace,
  { openRun: open, reopenRun: reopen }: RunOpeners,
): Promise<RunEnd> {
  const { options, state } = run;
  const { conversation: _, answer: _schema, approve, ...shared } = options;
  const { invoked, use = [] } = namedBy(run, place, turn);
  const { normalizedRequest: request = "", attachments = [] } = state.start ?? {};
  const given = {
    ...shared,
    request,
    use,
    attachments,
    budget: slice(state.budget, state.usage),
    child: { parent: run.id, skill: place, ...(invoked && { invoked }) },
    ids: () => runId,
  };
  if (state.child === undefined) {
    run.record({ event: "child-start", data: { turn, runId, skill: place } });
    await run.flush();
    return driveRun(await open(given));
  }
  const log = await options.store.open(runId);
  const { start, end } = foldRecords(log?.records ?? []);
  // It was cut off before there was anything to go on with.
  if (log === undefined || start === undefined) return driveRun(await open(given, log));
  if (end !== undefined && !GOES_ON.has(end.status)) {
    log.close();
    return end;
  }
  if (approve !== undefined) {
    const approval = { reason: "approval", approval: approve } as const;
    const reopened = await reopen(log, { ...given, approve }, approval);
    if (reopened.ok) return driveRun(reopened.run);
  }
  // An approval that does not count is asked for again.
  const again = approve === undefined ? log : await options.store.open(runId);
  const reopened = again && (await reopen(again, given, { reason: "crash" }));
  if (reopened?.ok !== true) throw new Error(`the record of ${runId} vanished`);
  return driveRun(reopened.run);
}
