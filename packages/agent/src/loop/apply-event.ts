import type { AuditRecord } from "@skillwright/runtime";
import { firstPlan } from "../actions/plan.ts";
import { tightened } from "../budget/budget.ts";
import { sumUsage } from "../budget/run-usage.ts";
import { firstEntries } from "../context/first-entries.ts";
import type {
  ActionDecided,
  ActionEnded,
  ActionRejected,
  AgentEvent,
  ModelResponded,
  RunResume,
  SkillActivated,
  SkillDropped,
} from "../events/agent-event.ts";
import type { ModelMessage } from "../models/model.ts";
import { actionKey, type ContextEntry, type RunState } from "./run-state.ts";

/** Pure: the state after an event. Events of others leave it as it is. */
export function applyEvent(state: RunState, record: Pick<AuditRecord, "event" | "data">): RunState {
  const event = record as AgentEvent;
  switch (event.event) {
    case "run-start": {
      const { budget } = event.data;
      return { ...state, start: event.data, budget, entries: firstEntries(event.data) };
    }
    case "run-resume":
      return afterResume(state, event.data);
    case "model-request": {
      const { mustAnswer, droppedSkills: dropped = [] } = event.data;
      const usage = sumUsage(state.usage, { turns: 1 });
      return { ...state, isAsked: true, mustAnswer, dropped, usage };
    }
    case "model-response":
      return afterResponse(state, event.data);
    case "action-decide":
      return afterDecision(state, event.data);
    case "action-reject":
      return afterRejection(state, event.data);
    case "plan-update": {
      const { plan } = event.data;
      return { ...state, plan, budget: tightened(state.budget, plan, state.usage) };
    }
    case "skill-activate":
      return afterActivation(state, event.data);
    case "skill-drop":
      return afterDrop(state, event.data);
    case "child-start":
      return { ...state, child: event.data.runId };
    case "child-wait":
      return { ...state, waitingFor: event.data.approval };
    case "child-end": {
      const usage = sumUsage(state.usage, { ...event.data.usage, timeMs: 0 });
      return { ...without(state, "child"), usage, children: [...state.children, event.data] };
    }
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
    decision: { approved: boolean; pending?: boolean; resumeCommand?: string };
  };
  const { resumeCommand } = decision;
  if (decision.pending === true) {
    return { ...state, waitingFor: request, ...(resumeCommand !== undefined && { resumeCommand }) };
  }
  if (decision.approved) return state;
  return { ...state, refused: [...state.refused, actionKey(state.pending.action)] };
}

/** What ended it is to be tried anew, or the run would only end again. */
function afterResume(state: RunState, { reason, budget = state.budget }: RunResume): RunState {
  const { refused, usage } = state;
  const going = { ...without(state, "end", "waitingFor", "resumeCommand"), isForgotten: true };
  // What was cut off goes on as if it had not been.
  const repairs = state.end === undefined ? state.repairs : 0;
  const tried = { ...going, budget, repairs, refused: reason === "person" ? [] : refused };
  if (!state.isAsked && state.unread?.error === undefined) return tried;
  // A turn in which the model said nothing was none.
  const turns = usage.turns - 1;
  return {
    ...without(tried, "unread"),
    isAsked: false,
    mustAnswer: false,
    usage: { ...usage, turns },
  };
}

function afterResponse(state: RunState, response: ModelResponded): RunState {
  const { usage, elapsedMs, text, calls, error } = response;
  const { inputTokens, outputTokens, calls: modelCalls, cost = 0 } = usage;
  const spent = sumUsage(state.usage, { inputTokens, outputTokens, modelCalls, cost });
  const timed = { ...spent, timeMs: elapsedMs };
  const next = { ...state, isAsked: false, isForgotten: false, usage: timed, unread: response };
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
    // Who decides without saying more has at least the request for a plan.
    plan: state.plan ?? firstPlan(state.start?.normalizedRequest ?? ""),
    pending: decided,
    hasBegun: false,
    repeated: { action: key, times },
    usage: sumUsage(state.usage, counted),
  };
}

function afterRejection(state: RunState, { problem }: ActionRejected): RunState {
  const entries = [...state.entries, ...observations(state, problem)];
  return { ...without(state, "unread"), repairs: state.repairs + 1, entries };
}

/** Its instructions stand in the conversation once: where they were given last. */
function afterActivation(state: RunState, skill: SkillActivated): RunState {
  const { id, text } = skill;
  const entry: ContextEntry = {
    message: { role: "user", content: text },
    kind: "skill",
    skill: id,
  };
  return {
    ...state,
    active: [...state.active.filter((one) => one.id !== id), skill],
    gone: state.gone.filter((one) => one !== id),
    dropped: state.dropped.filter((one) => one !== id),
    entries: [...state.entries.filter((one) => one.skill !== id), entry],
  };
}

function afterDrop(state: RunState, { id, name, reason }: SkillDropped): RunState {
  const content = `[The skill ${name} cannot be used any more: ${reason}]`;
  const active = state.active.filter((one) => one.id !== id);
  const message = { role: "user" as const, content };
  const isKnown = state.entries.some(({ skill }) => skill === id);
  const entries = isKnown
    ? state.entries.map((entry) => (entry.skill === id ? { ...entry, message } : entry))
    : [...state.entries, { message, kind: "skill" as const, skill: id }];
  return { ...state, active, entries, gone: [...state.gone, id] };
}

function afterAction(state: RunState, ended: ActionEnded): RunState {
  const { pending } = state;
  if (pending === undefined) return state;
  const { ok, observation, invalid = false, elapsedMs } = ended;
  const { planProblem } = pending;
  const note = planProblem === undefined ? "" : `\n\nThe plan was not changed: ${planProblem}.`;
  return {
    ...without(state, "pending", "waitingFor", "child"),
    hasBegun: false,
    children: [],
    repairs: invalid ? state.repairs + 1 : 0,
    steps: [...state.steps, { action: pending.action, ok, observation }],
    entries: insertBeforeSkills(state.entries, observations(state, observation + note)),
    usage: { ...state.usage, timeMs: elapsedMs },
  };
}

/** An observation stands right behind the decision; skills that it brought come after it. */
function insertBeforeSkills(
  entries: readonly ContextEntry[],
  added: readonly ContextEntry[],
): ContextEntry[] {
  const at = entries.findLastIndex(({ kind }) => kind !== "skill") + 1;
  return [...entries.slice(0, at), ...added, ...entries.slice(at)];
}

const NOT_DONE = "Not done: only the first call of a turn is. Call it again if it is still needed.";

/** What the model reads of its decision. Services insist on a result for every call. */
function observations({ entries }: RunState, content: string): ContextEntry[] {
  const decision = entries.findLast(({ kind }) => kind === "decision")?.message;
  const [first, ...others] = (decision?.role === "assistant" && decision.calls) || [];
  return [observation(content, first?.id), ...others.map(({ id }) => observation(NOT_DONE, id))];
}

function observation(content: string, callId: string | undefined): ContextEntry {
  const call = callId === undefined ? undefined : { callId };
  return { message: { role: "observation", content, ...call }, kind: "observation" };
}

type Optional = "unread" | "pending" | "child" | "waitingFor" | "resumeCommand" | "end";

function without(state: RunState, ...keys: readonly Optional[]): RunState {
  const entries = Object.entries(state).filter(
    ([key]) => !(keys as readonly string[]).includes(key),
  );
  return Object.fromEntries(entries) as unknown as RunState;
}
