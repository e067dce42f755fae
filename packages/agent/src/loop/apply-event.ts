import { quoteNames } from "@skillwright/core/internal";
import { describeLeft, isLow, nearEnd, sumUsage, tightened } from "./budget.ts";
import { firstEntries, isWhole } from "../context/prompt.ts";
import { shortened } from "../context/fit-entries.ts";
import type {
  ActionDecided,
  ActionEnded,
  ActionRejected,
  AgentEvent,
  ChangesSettled,
  ContextEntry,
  ModelResponded,
  RunEnd,
  RunResume,
  SkillActivated,
  SkillDropped,
  SkillRouted,
} from "../events/run-event.ts";
import type { ModelImage, ModelMessage } from "../models/model.ts";
import {
  actionKey,
  EMPTY_STATE,
  HELD_CHANGES,
  heldReason,
  isActing,
  isReading,
  type PendingCall,
  type RunState,
  saidKey,
} from "./run-state.ts";

interface Event {
  readonly event: string;
  readonly data?: unknown;
}

/** Pure: the state after an event. Unknown events leave it as it is. */
export function applyEvent(state: RunState, recorded: Event): RunState {
  const event = recorded as AgentEvent;
  switch (event.event) {
    case "run-start": {
      const { budget, secretNames = [] } = event.data;
      const entries = firstEntries(event.data);
      const begun = { ...state, start: event.data, budget, givenBudget: budget, entries };
      return withSecretNames(begun, secretNames);
    }
    case "run-resume":
      return afterResume(state, event.data);
    case "history-add": {
      const at = state.entries.findIndex(({ kind }) => kind === "request");
      return { ...state, entries: state.entries.toSpliced(at, 0, ...event.data.entries) };
    }
    case "skill-route":
      return afterRoute(state, event.data);
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
    case "context-trim": {
      const { before } = event.data;
      const entries = state.entries.map((entry, i) => (i < before ? shortened(entry) : entry));
      return { ...state, entries };
    }
    case "child-start":
      return { ...state, child: event.data.runId };
    case "child-wait":
      return { ...state, waitingFor: event.data.approval };
    case "child-end": {
      const { status, secretNames = [], heldChanges = 0 } = event.data;
      const heldByChildren = state.heldByChildren + heldChanges;
      const usage = sumUsage(state.usage, { ...event.data.usage, timeMs: 0 });
      // A refusal in a child counts for the whole run.
      const isRefused = status === "denied" || (status !== "answered" && state.isRefused);
      const children = [...state.children, event.data];
      const ended = { ...state, child: undefined, usage, children, heldByChildren, isRefused };
      return withSecretNames(ended, secretNames);
    }
    case "action-end":
      return afterAction(state, event.data);
    case "run-end":
      return { ...state, end: event.data };
    case "changes-settle":
      return afterSettlement(state, event.data);
    default:
      return afterRuntimeEvent(state, recorded);
  }
}

/** The hint belongs to the request, so that what comes before it stays the same for prompt caches. */
function afterRoute(state: RunState, route: SkillRouted): RunState {
  const { hint } = route;
  const at = state.entries.findLastIndex(({ kind }) => kind === "request");
  const request = state.entries[at];
  if (hint === undefined || request === undefined) return { ...state, route };
  const hinted = (message: ModelMessage) => ({
    ...message,
    content: `${message.content}\n\n[${hint}]`,
  });
  const { message, brief } = request;
  const entry = { ...request, message: hinted(message), ...(brief && { brief: hinted(brief) }) };
  return { ...state, route, entries: state.entries.with(at, entry) };
}

function withSecretNames(state: RunState, names: readonly string[]): RunState {
  const more = names.filter((name) => !state.secretNames.includes(name));
  return more.length === 0 ? state : { ...state, secretNames: [...state.secretNames, ...more] };
}

interface RuntimeData {
  /** The call of the turn that it belongs to. */
  readonly call?: number;
  readonly request?: string;
  readonly decision?: { approved: boolean; pending?: boolean; resumeCommand?: string };
}

function afterRuntimeEvent(state: RunState, { event, data }: Event): RunState {
  if (event === "changes-end") {
    const { left = 0 } = (data ?? {}) as { readonly left?: number };
    return { ...state, heldChanges: left };
  }
  if (event === "secret-read") {
    const { name } = (data ?? {}) as { readonly name?: unknown };
    return typeof name === "string" ? withSecretNames(state, [name]) : state;
  }
  const { call, request = "", decision } = (data ?? {}) as RuntimeData;
  const pending = state.pending.find((one) => one.call === call) ?? state.pending[0];
  if (pending === undefined) return state;
  if (event === "script-start" || event === "tool-call") return afterBeginning(state, pending);
  if (event === "changes-decision" && decision?.approved === false) {
    return decision.pending === true ? state : marked(state, pending);
  }
  if (event !== "approval-decision" || decision === undefined) return state;
  const { resumeCommand } = decision;
  if (decision.pending === true) {
    return { ...state, waitingFor: request, resumeCommand };
  }
  if (decision.approved) return state;
  const refused = [...state.refused, actionKey(pending.action)];
  return { ...marked(state, pending), refused };
}

/** What a person refused of a call, such as the changes of its script, is not achieved by it. */
function marked(state: RunState, refused: PendingCall): RunState {
  const pending = state.pending.map((one) =>
    one === refused ? { ...one, wasRefused: true as const } : one,
  );
  return { ...state, pending, isRefused: true };
}

/** A script counts when it begins, so not while it waits for an approval. */
function afterBeginning(state: RunState, begun: PendingCall): RunState {
  const isScript = begun.action.action === "run_script" && begun.hasBegun !== true;
  const usage = isScript ? sumUsage(state.usage, { scripts: 1 }) : state.usage;
  const pending = state.pending.map((one) =>
    one.call === begun.call ? { ...one, hasBegun: true as const } : one,
  );
  return { ...state, pending, usage };
}

const AS_CHANGED = "scripts and tools find these files as changed, the real ones are not";

function noteOf(text: string): ContextEntry {
  return { message: { role: "user", content: `[${text}]` }, kind: "history" };
}

/** What ended the run is tried again. */
function afterResume(state: RunState, { reason, budget, heldChanges = 0 }: RunResume): RunState {
  const again = {
    ...state,
    ...(budget && { budget, givenBudget: budget }),
    isForgotten: true,
    // A person may have decided on changes in between.
    heldChanges,
    end: undefined,
    waitingFor: undefined,
    resumeCommand: undefined,
    // Without an end it was cut off, and goes on as if it had not been.
    repairs: state.end === undefined ? state.repairs : 0,
    refused: reason === "person" ? [] : state.refused,
  };
  const notes = [
    // Earlier messages may claim that the budget was used up.
    budget &&
      `A person let the run continue. Budget left: ${describeLeft(again.budget, state.usage)}.`,
    // The result that would have said so was lost.
    reason === "crash" && heldChanges > 0 && `${heldReason(heldChanges)}: ${AS_CHANGED}.`,
  ].filter((note) => typeof note === "string");
  const noted = notes.reduce((next, note) => withEntry(next, noteOf(note)), again as RunState);
  const tried = goingOn(noted, state);
  if (!state.isAsked && state.response?.error === undefined) return tried;
  // A turn without a response does not count.
  const usage = { ...state.usage, turns: state.usage.turns - 1 };
  return { ...tried, response: undefined, isAsked: false, mustAnswer: false, usage };
}

/** What a person decided later reaches the model when the run goes on. */
function afterSettlement(state: RunState, settled: ChangesSettled): RunState {
  const { decision, paths, count, conflicts = [], left } = settled;
  if (left === undefined) return state;
  const heldByChildren = Math.min(state.heldByChildren, left);
  const end = state.end && endAfter(state.end, left);
  const next = { ...state, heldChanges: left - heldByChildren, heldByChildren, end };
  if (count + conflicts.length === 0) return next;
  const named = paths.slice(0, MAX_NAMED);
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  const parts = [
    count === 0 ? "" : `A person ${DECIDED[decision]}: ${quoteNames(named, MAX_NAMED)}${more}.`,
    conflicts.length === 0
      ? ""
      : `Not ${decision}, as the real file is another one by now: ${quoteNames(conflicts, MAX_NAMED)}.`,
  ];
  return withEntry(next, noteOf(parts.filter((part) => part !== "").join(" ")));
}

const MAX_NAMED = 20;
const DECIDED: Readonly<Record<ChangesSettled["decision"], string>> = {
  kept: "decided to keep these changes of scripts, and they are in the working directory",
  discarded: "decided to discard these changes of scripts, and they are gone",
  undone: "undid these changes of scripts that had been kept",
};

/** A run that waited for nothing else is answered. */
function endAfter(before: RunEnd, left: number): RunEnd {
  const { heldChanges: _, ...end } = before;
  const held = left > 0 && { heldChanges: left };
  if (end.approval !== HELD_CHANGES) return { ...end, ...held };
  if (left > 0) return { ...end, ...held, reason: heldReason(left) };
  const { answer, output, usage } = end;
  return { status: "answered", answer, ...(output !== undefined && { output }), usage };
}

/** At the end of the conversation; during a turn, behind its results. */
function withEntry(state: RunState, entry: ContextEntry): RunState {
  return state.response === undefined || state.response.error !== undefined
    ? { ...state, entries: [...state.entries, entry] }
    : { ...state, arrived: [...state.arrived, entry] };
}

const NOT_THE_END =
  "The run ended with this answer, and a person lets it continue: what could not be done before may be tried now. Then answer again.";

/** An answer that was not the end of the work becomes a step of it. */
function goingOn(tried: RunState, { end, pending }: RunState): RunState {
  const answer = pending.find(({ action }) => action.action === "final_answer");
  if (end === undefined || answer === undefined) return tried;
  const repeated = { actions: "", times: 0 };
  return withResult({ ...tried, mustAnswer: false, repeated }, answer, {
    ok: true,
    text: NOT_THE_END,
  });
}

function afterResponse(state: RunState, response: ModelResponded): RunState {
  const { usage, elapsedMs, text, calls, reasoning, error } = response;
  const { inputTokens, outputTokens, calls: modelCalls, cost = 0 } = usage;
  const spent = sumUsage(state.usage, { inputTokens, outputTokens, modelCalls, cost });
  const next = {
    ...state,
    isAsked: false,
    isForgotten: false,
    usage: { ...spent, timeMs: elapsedMs },
    response,
    readCalls: 0,
  };
  if (error !== undefined) return next;
  const message: ModelMessage = {
    role: "assistant",
    content: text,
    ...(calls.length > 0 && { calls }),
    ...(reasoning && { reasoning }),
  };
  return { ...next, entries: [...state.entries, { message, kind: "decision" }] };
}

function afterDecision(state: RunState, decided: ActionDecided): RunState {
  return {
    ...afterReading(state, actionKey(decided.action)),
    pending: [...state.pending, decided],
    usage: sumUsage(state.usage, { toolCalls: isActing(decided.action) ? 1 : 0 }),
  };
}

function afterRejection(state: RunState, rejected: ActionRejected): RunState {
  const repairs = rejected.unparsed === true ? state.repairs + 1 : state.repairs;
  const read = { ...afterReading(state, ""), repairs };
  return withResult(read, rejected, { ok: false, text: rejected.problem });
}

/** Compares a turn with the one before, once all its calls are read. */
function afterReading(state: RunState, key: string): RunState {
  const { readCalls, response, repeated } = state;
  const isFirst = readCalls === 0;
  const actions = isFirst
    ? key
    : `${state.pending.map(({ action }) => actionKey(action)).join()},${key}`;
  const isLast = readCalls + 1 >= callCount(response);
  const next = { ...state, readCalls: readCalls + 1 };
  if (!isLast) return next;
  // A turn of which nothing was used does not end a repetition.
  const isUnused = /^,*$/.test(actions);
  if (isUnused) return { ...next, rejected: rejectedAgain(state) };
  const times = repeated.actions === actions ? repeated.times + 1 : 1;
  return { ...next, rejected: EMPTY_STATE.rejected, repeated: { actions, times } };
}

function rejectedAgain({ rejected, response }: RunState): RunState["rejected"] {
  const said = response === undefined ? "" : saidKey(response);
  return { said, times: rejected.said === said ? rejected.times + 1 : 1 };
}

/** A text without calls is one decision. */
export function callCount(response: ModelResponded | undefined): number {
  return Math.max(1, response?.calls.length ?? 0);
}

function afterActivation(state: RunState, skill: SkillActivated): RunState {
  const { id, name, text, changed, carried } = skill;
  const message = { role: "user", content: text } as const;
  const entry: ContextEntry = { message, kind: "skill", skill: id };
  const active = {
    active: [...state.active.filter((one) => one.id !== id), skill],
    gone: state.gone.filter((one) => one !== id),
    dropped: state.dropped.filter((one) => one !== id),
  };
  const last = state.entries.findLast((one) => isOfSkill(one, id));
  if (last !== undefined && changed && carried) {
    const entries = state.entries.flatMap((one) =>
      one === last ? [entry] : isOfSkill(one, id) ? [] : [one],
    );
    return { ...state, ...active, entries };
  }
  const isReplaced = changed || state.dropped.includes(id);
  if (last?.message.content.endsWith(text) && !isReplaced) return { ...state, ...active };
  const entries = state.entries.filter((one) => !isReplaced || !isOfSkill(one, id));
  // During a run messages are only appended, so an older text may stay.
  const note = `[These instructions of the skill ${name} replace the earlier ones.]\n\n`;
  const isFirst = last === undefined || isReplaced;
  const content = isFirst ? text : note + text;
  return withEntry(
    { ...state, ...active, entries },
    { ...entry, message: { ...message, content } },
  );
}

/** Whether these are instructions of a skill, of whatever version. */
export function isOfSkill({ skill }: ContextEntry, id: string): boolean {
  return skill !== undefined && unversioned(skill) === unversioned(id);
}

function unversioned(id: string): string {
  return id.replace(/@[^@]*$/, "");
}

function afterDrop(state: RunState, { id, name, reason, by }: SkillDropped): RunState {
  const active = state.active.filter((one) => one.id !== id);
  const dropped = { ...state, active, gone: [...state.gone, id] };
  if (by === "model") return dropped;
  const content = `[The skill ${name} can no longer be used: ${reason}]`;
  // Without the id, so that a later activation does not replace it.
  const note = { message: { role: "user", content }, kind: "skill" } as const;
  const isKnown = state.entries.some(({ skill }) => skill === id);
  const entries = isKnown
    ? state.entries.map((entry) => (entry.skill === id ? note : entry))
    : [...state.entries, note];
  return { ...dropped, entries };
}

function afterAction(state: RunState, ended: ActionEnded): RunState {
  const decided = state.pending.find(({ call }) => call === ended.call);
  if (decided === undefined) return state;
  const { ok, code, observation: text, images = [], elapsedMs } = ended;
  const { action } = decided;
  const step = { action, ok, ...(code !== undefined && { code }), observation: text };
  // A host's executor does not record the start of a script.
  const isUncounted = ok && decided.hasBegun !== true && action.action === "run_script";
  const next = {
    ...state,
    waitingFor: undefined,
    child: undefined,
    children: [],
    isRefused: state.isRefused && !(ok && isActing(action) && decided.wasRefused !== true),
    ...outcomeOf(state, decided, ended),
    repairs: 0,
    steps: [...state.steps, step],
    usage: { ...sumUsage(state.usage, { scripts: isUncounted ? 1 : 0 }), timeMs: elapsedMs },
  };
  return withResult(next, decided, { ok, text, images: images.filter(isWhole) });
}

/**
 * A refused call never ran, and one that was stopped or cut off did not fail. Nor does a command that
 * exits with another code: `diff`, `grep` and `test` answer with it, and what it means is the model's to say.
 */
function outcomeOf(
  state: RunState,
  { action, hasBegun, wasRefused }: PendingCall,
  { ok, code }: ActionEnded,
) {
  const isCut = code === "canceled" || code === "interrupted";
  const isScript = action.action === "run_script";
  const isDone = ok && isActing(action) && !isReading(action) && wasRefused !== true;
  return {
    hasFailed: state.hasFailed || (!ok && !isCut && isScript && hasBegun === true),
    hasAchieved: state.hasAchieved || isDone,
  };
}

interface Result {
  readonly ok: boolean;
  readonly text: string;
  readonly images?: readonly ModelImage[];
}

/** Adds the results of a turn in order once all are there, then new instructions. */
function withResult(
  state: RunState,
  { call, callId }: Pick<ActionDecided, "call" | "callId">,
  { ok, text, images = [] }: Result,
): RunState {
  const message: ModelMessage = {
    role: "observation",
    content: text,
    ...(callId !== undefined && { callId }),
    ...(!ok && { isError: true }),
    ...(images.length > 0 && { images }),
  };
  const results = [
    ...state.results,
    { call, ok, entry: { message, kind: "observation" } as const },
  ];
  const pending = state.pending.filter((one) => one.call !== call);
  if (results.length < callCount(state.response)) return { ...state, results, pending };
  const entries = results.toSorted((a, b) => a.call - b.call).map(({ entry }) => entry);
  return {
    ...state,
    response: undefined,
    pending,
    results: [],
    arrived: [],
    readCalls: 0,
    entries: [...state.entries, ...withBudget(entries, state), ...state.arrived],
  };
}

/** The model learns what is left of the budget once a quarter remains. */
function withBudget(entries: ContextEntry[], { budget, usage }: RunState): ContextEntry[] {
  const last = entries.at(-1);
  if (last === undefined || !isLow(budget, usage)) return entries;
  const content = `${last.message.content}\n\n[Budget left: ${describeLeft(budget, usage)}.]`;
  return [...entries.slice(0, -1), { ...last, message: { ...last.message, content } }];
}
