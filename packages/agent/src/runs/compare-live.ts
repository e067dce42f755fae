import type { AuditRecord } from "@skillwright/runtime";
import type { Action } from "../actions/action.ts";
import { buildRequest } from "../context/build-request.ts";
import type { ActionDecided, ModelRequested, RunMeans } from "../events/run-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import { askModel } from "../loop/ask-model.ts";
import { readSaid } from "../loop/drive-run.ts";
import { actionKey, EMPTY_STATE, type RunState } from "../loop/run-state.ts";
import type { Model } from "../models/model.ts";
import { meansOf, toolsOf } from "./replay.ts";

export interface LiveDecision {
  readonly turn: number;
  /** The recorded decisions; empty when nothing could be used. */
  readonly recorded: readonly Action[];
  /** The decisions of the model now. */
  readonly live: readonly Action[];
  /** Why a part of its answer cannot be used. */
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
    means = meansOf(record.data) ?? means;
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
  const read = readSaid({ ...message, finish }, { ...tools, protocol: model.protocol }, state);
  const live = read.flatMap((one) => (one.ok ? [one.action] : []));
  const problem = read.find((one) => !one.ok);
  return { live, ...(problem?.ok === false && { problem: problem.problem }) };
}

/** The decisions of the turn in which these records begin. */
function decisionsAfter(records: readonly AuditRecord[]): Action[] {
  const end = records.findIndex(({ event }) => event === "model-request");
  return records
    .slice(0, end === -1 ? undefined : end)
    .flatMap(({ event, data }) =>
      event === "action-decide" ? [(data as ActionDecided).action] : [],
    );
}
