import type { AuditRecord } from "@skillwright/runtime";
import type { Action } from "../actions/action.ts";
import { firstPlan } from "../actions/first-plan.ts";
import { nearEnd, tightened } from "../budget/budget.ts";
import { sumUsage } from "../budget/run-usage.ts";
import { firstEntries } from "../context/first-entries.ts";
import type {
  ActionDecided,
  ActionEnded,
  ActionRejected,
  AgentEvent,
  ChildEnd,
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
      const entries = firstEntries(event.data);
      return { ...state, start: event.data, budget, givenBudget: budget, entries };
    }
    case "run-resume":
      return afterResume(state, event.data);
    case "model-request": {
      const { mustAnswer, droppedSkills: dropped = [] } = event.data;
      const usage = sumUsage(state.usage, { turns: 1 });
      const forcedBy = mustAnswer ? nearEnd(state.givenBudget, state.usage) : undefined;
      return { ...state, isAsked: true, mustAnswer, forcedBy, dropped, usage };
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
      const isRefused = isRefusedAfter(state, event.data);
      const children = [...state.children, event.data];
      return { ...without(state, "child"), usage, children, isRefused };
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
  if (event === "script-start" || event === "tool-call") return afterBeginning(state);
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
  const refused = [...state.refused, actionKey(state.pending.action)];
  return { ...state, refused, isRefused: true };
}

/** A script counts when it begins: not while it waits for an approval, nor when that is refused. */
function afterBeginning(state: RunState): RunState {
  const isScript = state.pending?.action.action === "run_script" && !state.hasBegun;
  const usage = isScript ? sumUsage(state.usage, { scripts: 1 }) : state.usage;
  return { ...state, hasBegun: true, usage };
}

/** What a child was refused was refused to the whole run. */
function isRefusedAfter({ isRefused }: RunState, { status }: ChildEnd): boolean {
  if (status === "denied") return true;
  return status === "answered" ? false : isRefused;
}

/** What ended it is to be tried anew, or the run would only end again. */
function afterResume(state: RunState, { reason, budget }: RunResume): RunState {
  const { refused, usage } = state;
  const going = { ...without(state, "end", "waitingFor", "resumeCommand"), isForgotten: true };
  // What was cut off goes on as if it had not been.
  const repairs = state.end === undefined ? state.repairs : 0;
  const given = budget === undefined ? undefined : { budget, givenBudget: budget };
  const again = { ...going, ...given, repairs };
  const tried = goingOn({ ...again, refused: reason === "person" ? [] : refused }, state);
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

const NOT_THE_END =
  "The run ended with this answer, and a person lets it go on: what could not be done before may be tried now. Then answer again.";

/** An answer that was not the end of the work is none any more. */
function goingOn(tried: RunState, { end, pending }: RunState): RunState {
  if (end === undefined || pending?.action.action !== "final_answer") return tried;
  const entries = [...tried.entries, ...observations(tried, NOT_THE_END)];
  const repeated = { action: "", times: 0 };
  return { ...without(tried, "pending"), mustAnswer: false, repeated, entries };
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
  return {
    ...without(state, "unread"),
    // Who decides without saying more has at least the request for a plan.
    plan: state.plan ?? firstPlan(state.start?.normalizedRequest ?? ""),
    pending: decided,
    hasBegun: false,
    repeated: { action: key, times },
    usage: sumUsage(state.usage, { toolCalls: isActing(action) ? 1 : 0 }),
  };
}

/** Whether it does something beyond the conversation. */
function isActing({ action }: Action): boolean {
  return action === "run_script" || action === "use_tool" || action === "load_resource";
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
  const { ok, code, observation, invalid = false, elapsedMs } = ended;
  const step = { action: pending.action, ok, ...(code !== undefined && { code }), observation };
  const { planProblem } = pending;
  const note = planProblem === undefined ? "" : `\n\nThe plan was not changed: ${planProblem}.`;
  const isAchieved = ok && isActing(pending.action);
  // What an executor of a host ran has no record of its own.
  const isUncounted = ok && !state.hasBegun && pending.action.action === "run_script";
  return {
    ...without(state, "pending", "waitingFor", "child"),
    hasBegun: false,
    children: [],
    isRefused: state.isRefused && !isAchieved,
    repairs: invalid ? state.repairs + 1 : 0,
    steps: [...state.steps, step],
    entries: insertBeforeSkills(state.entries, observations(state, observation + note)),
    usage: { ...sumUsage(state.usage, { scripts: isUncounted ? 1 : 0 }), timeMs: elapsedMs },
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
