import { type AuditRecord, createRedactor, type Redactor } from "@skillwright/runtime";
import { readAction } from "../../actions/read-action.ts";
import { hearResponse } from "../../acts/hear-response.ts";
import { askModel } from "../../acts/ask-model.ts";
import { buildRequest } from "../../context/build-request.ts";
import type { ActionDecided, ModelRequested, RunMeans } from "../../events/agent-event.ts";
import { applyEvent } from "../../loop/apply-event.ts";
import { actionKey, EMPTY_STATE, type RunState } from "../../loop/run-state.ts";
import type { Model } from "../../models/model.ts";
import { MAX_TEXT } from "../redact-fields.ts";
import { toolsOf } from "./recorded-tools.ts";

export interface LiveDecision {
  readonly turn: number;
  /** What was decided then; undefined when it could not be used, or never came. */
  readonly recorded?: ActionDecided["action"];
  /** What the model decides now, in the same place. */
  readonly live?: ActionDecided["action"];
  /** Why what it says now cannot be used. */
  readonly problem?: string;
  readonly same: boolean;
}

interface LiveOptions {
  readonly model: Model;
  readonly signal?: AbortSignal;
  /** The one of the run; without it only what looks like a secret is left out. */
  readonly redactor?: Redactor;
}

const PLAIN_REDACTOR = createRedactor({ env: {}, maxStringLength: MAX_TEXT });

export async function compareLive(
  records: readonly AuditRecord[],
  { model, signal = new AbortController().signal, redactor = PLAIN_REDACTOR }: LiveOptions,
): Promise<LiveDecision[]> {
  const decisions: LiveDecision[] = [];
  let state = EMPTY_STATE;
  let means: RunMeans | undefined;
  for (const [index, record] of records.entries()) {
    if (record.event === "model-request" && means !== undefined && !signal.aborted) {
      const { turn, mustAnswer } = record.data as ModelRequested;
      const recorded = decisionAfter(records.slice(index + 1));
      const live = await ask(state, means, { mustAnswer, model, signal, redactor });
      const same =
        recorded !== undefined && "live" in live && actionKey(recorded) === actionKey(live.live);
      decisions.push({ turn, ...(recorded && { recorded }), ...live, same });
    }
    ({ means = means } = record.data as { readonly means?: RunMeans });
    state = applyEvent(state, record);
  }
  return decisions;
}

async function ask(
  state: RunState,
  means: RunMeans,
  { mustAnswer, model, signal, redactor }: Required<LiveOptions> & { readonly mustAnswer: boolean },
) {
  const tools = toolsOf(means);
  const { contextTokens } = model;
  const { request } = buildRequest(state, { tools, contextTokens, mustAnswer });
  const response = await askModel(model, request, { signal });
  if (!response.ok) return { problem: response.error.message };
  const names = means.tools.map(({ name }) => name);
  const { canRun } = means;
  const { finish } = response;
  const options = { tools: names, canRun, mustAnswer, protocol: model.protocol };
  const { recorded } = hearResponse({ ...response.message, finish }, options, redactor);
  const read = readAction({ ...recorded, finish }, options);
  return read.ok ? { live: read.action } : { problem: read.problem };
}

/** Of the turn that these records begin in. */
function decisionAfter(records: readonly AuditRecord[]): ActionDecided["action"] | undefined {
  for (const { event, data } of records) {
    if (event === "action-decide") return (data as ActionDecided).action;
    if (event === "model-request" || event === "action-reject") return undefined;
  }
  return undefined;
}
