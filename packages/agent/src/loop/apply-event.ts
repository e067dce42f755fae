import type { AuditRecord } from "@skillwright/runtime";
import { sumUsage, tightened } from "../budget/budget.ts";
import type {
  ActionDecided,
  ActionEnded,
  AgentEvent,
  ModelResponded,
  RunStart,
  SkillActivated,
} from "../events/agent-event.ts";
import type { ModelMessage } from "../models/model.ts";
import { actionKey, type ContextEntry, type RunState } from "./run-state.ts";

/** Pure: the state after an event. Events of others leave it as it is. */
export function applyEvent(state: RunState, record: Pick<AuditRecord, "event" | "data">): RunState {
  const event = record as AgentEvent;
  switch (event.event) {
    case "run-start":
      return {
        ...state,
        start: event.data,
        budget: event.data.budget,
        entries: [asked(event.data)],
      };
    case "run-resume":
      return withoutEnd(state);
    case "model-request":
      return { ...state, usage: sumUsage(state.usage, { turns: 1 }) };
    case "model-response":
      return afterResponse(state, event.data);
    case "action-decide":
      return afterDecision(state, event.data);
    case "action-reject": {
      const { problem, callId } = event.data;
      const entries = [...state.entries, observation(problem, callId)];
      return { ...without(state, "unread"), repairs: state.repairs + 1, entries };
    }
    case "plan-update": {
      const { plan } = event.data;
      return { ...state, plan, budget: tightened(state.budget, plan) };
    }
    case "skill-activate":
      return afterActivation(state, event.data);
    case "child-start":
      return { ...state, child: event.data.runId };
    case "child-wait":
      return { ...state, waitingFor: event.data.approval };
    case "child-end":
      return {
        ...without(state, "child"),
        usage: sumUsage(state.usage, { ...event.data.usage, timeMs: 0 }),
      };
    case "action-end":
      return afterAction(state, event.data);
    case "run-end":
      return { ...state, end: event.data };
    default:
      return afterRuntimeEvent(state, record);
  }
}

/** What the runtime recorded of the pending action. */
function afterRuntimeEvent(state: RunState, { event, data }: Pick<AuditRecord, "event" | "data">) {
  if (event === "script-start" || event === "tool-call") return { ...state, hasBegun: true };
  if (event !== "approval-decision" || state.pending === undefined) return state;
  const { request, decision } = data as {
    request: string;
    decision: { approved: boolean; pending?: boolean };
  };
  if (decision.pending === true) return { ...state, waitingFor: request };
  if (decision.approved) return state;
  return { ...state, refused: [...state.refused, actionKey(state.pending.action)] };
}

function afterResponse(state: RunState, response: ModelResponded): RunState {
  const { usage, elapsedMs, text, calls, error } = response;
  const { inputTokens, outputTokens, calls: modelCalls, cost = 0 } = usage;
  const spent = sumUsage(state.usage, { inputTokens, outputTokens, modelCalls, cost });
  const next = { ...state, usage: { ...spent, timeMs: elapsedMs }, unread: response };
  if (error !== undefined) return next;
  const message: ModelMessage = {
    role: "assistant",
    content: text,
    ...(calls.length > 0 && { calls }),
  };
  return { ...next, entries: [...state.entries, { message, kind: "decision" }] };
}

function afterDecision(state: RunState, decided: ActionDecided): RunState {
  const { action } = decided;
  const key = actionKey(action);
  const times = state.repeated.action === key ? state.repeated.times + 1 : 1;
  const isCall =
    action.action === "run_script" ||
    action.action === "use_tool" ||
    action.action === "load_resource";
  const counted = { toolCalls: isCall ? 1 : 0, scripts: action.action === "run_script" ? 1 : 0 };
  return {
    ...without(state, "unread"),
    pending: decided,
    hasBegun: false,
    repeated: { action: key, times },
    usage: sumUsage(state.usage, counted),
  };
}

function afterActivation(state: RunState, skill: SkillActivated): RunState {
  const active = [...state.active.filter(({ id }) => id !== skill.id), skill];
  const message: ModelMessage = { role: "user", content: skill.text };
  return { ...state, active, entries: [...state.entries, { message, kind: "skill" }] };
}

function afterAction(state: RunState, ended: ActionEnded): RunState {
  const { pending } = state;
  if (pending === undefined) return state;
  const step = { action: pending.action, ok: ended.ok, observation: ended.observation };
  const { waitingFor: _, child: __, ...rest } = without(state, "pending");
  return {
    ...rest,
    hasBegun: false,
    repairs: ended.invalid === true ? state.repairs + 1 : 0,
    steps: [...state.steps, step],
    // An observation stands right behind the decision; skills that it brought come after it.
    entries: insertBeforeSkills(state.entries, observation(ended.observation, pending.callId)),
    usage: { ...state.usage, timeMs: ended.elapsedMs },
  };
}

function insertBeforeSkills(entries: readonly ContextEntry[], entry: ContextEntry): ContextEntry[] {
  let at = entries.length;
  while (at > 0 && entries[at - 1]?.kind === "skill") at--;
  return [...entries.slice(0, at), entry, ...entries.slice(at)];
}

function withoutEnd(state: RunState): RunState {
  const { end: _, waitingFor: __, ...rest } = state;
  return rest;
}

function without<Key extends "unread" | "pending" | "child">(state: RunState, key: Key): RunState {
  const { [key]: _, ...rest } = state;
  return rest as RunState;
}

function asked({ request }: RunStart): ContextEntry {
  return { message: { role: "user", content: request }, kind: "request" };
}

function observation(content: string, callId: string | undefined): ContextEntry {
  const message: ModelMessage = {
    role: "observation",
    content,
    ...(callId !== undefined && { callId }),
  };
  return { message, kind: "observation" };
}
