import type { AuditRecord } from "@skillwright/runtime";
import type { Action } from "../../actions/action.ts";
import { readTurn } from "../../actions/read-turn.ts";
import { askModel } from "../../acts/ask-within.ts";
import { buildRequest } from "../../context/build-request.ts";
import type { ActionDecided, ModelRequested, RunMeans } from "../../events/run-event.ts";
import { applyEvent } from "../../loop/apply-event.ts";
import { actionKey, EMPTY_STATE, type RunState } from "../../loop/run-state.ts";
import type { Model } from "../../models/model.ts";
import { toolsOf } from "./replayed-run.ts";

export interface LiveDecision {
  readonly turn: number;
  /** What was decided then; empty when nothing could be used. */
  readonly recorded: readonly Action[];
  /** What the model decides now, in the same place. */
  readonly live: readonly Action[];
  /** Why a part of what it says now cannot be used. */
  readonly problem?: string;
  readonly same: boolean;
}

interface LiveOptions {
  readonly model: Model;
  readonly signal?: AbortSignal;
}

export async function compareLive(
  records: readonly AuditRecord[],
  { model, signal = new AbortController().signal }: LiveOptions,
): Promise<LiveDecision[]> {
  const decisions: LiveDecision[] = [];
  let state = EMPTY_STATE;
  let means: RunMeans | undefined;
  for (const [index, record] of records.entries()) {
    if (record.event === "model-request" && means !== undefined && !signal.aborted) {
      const { turn, mustAnswer } = record.data as ModelRequested;
      const recorded = decisionsAfter(records.slice(index + 1));
      const answer = await ask(state, means, { mustAnswer, model, signal });
      const same = recorded.length > 0 && keysOf(recorded) === keysOf(answer.live);
      decisions.push({ turn, recorded, ...answer, same });
    }
    ({ means = means } = record.data as { readonly means?: RunMeans });
    state = applyEvent(state, record);
  }
  return decisions;
}

function keysOf(actions: readonly Action[]): string {
  return actions.map(actionKey).join();
}

async function ask(
  state: RunState,
  means: RunMeans,
  { mustAnswer, model, signal }: Required<LiveOptions> & { readonly mustAnswer: boolean },
) {
  const tools = toolsOf(means);
  const { request } = buildRequest(state, { tools, model, mustAnswer });
  const response = await askModel(model, request, { signal });
  if (!response.ok) return { live: [], problem: response.error.message };
  const { finish, message } = response;
  const names = means.tools.map(({ name }) => name);
  const { canRun } = means;
  const active = state.active.map(({ name, source }) => `${name}@${source}`);
  const { protocol } = model;
  const read = readTurn({ ...message, finish }, { tools: names, canRun, protocol, active });
  const live = read.flatMap((one) => (one.ok ? [one.action] : []));
  const problem = read.find((one) => !one.ok);
  return { live, ...(problem?.ok === false && { problem: problem.problem }) };
}

/** Of the turn that these records begin in. */
function decisionsAfter(records: readonly AuditRecord[]): Action[] {
  const end = records.findIndex(({ event }) => event === "model-request");
  return records
    .slice(0, end === -1 ? undefined : end)
    .flatMap(({ event, data }) =>
      event === "action-decide" ? [(data as ActionDecided).action] : [],
    );
}
