import { describeLeft, isLow, nearEnd, sumUsage, tightened } from "./budget.ts";
import { firstEntries } from "../context/prompt.ts";
import { shortened } from "../context/fit-entries.ts";
import type {
  ActionDecided,
  ActionEnded,
  ActionRejected,
  AgentEvent,
  ChildEnd,
  ContextEntry,
  ModelResponded,
  RecordedImage,
  RunResume,
  SkillActivated,
  SkillDropped,
} from "../events/run-event.ts";
import type { ModelImage, ModelMessage } from "../models/model.ts";
import { actionKey, isActing, isReading, type PendingCall, type RunState } from "./run-state.ts";

interface Event {
  readonly event: string;
  readonly data?: unknown;
}

/** Pure: the state after an event. Unknown events leave it as it is. */
export function applyEvent(state: RunState, recorded: Event): RunState {
  const event = recorded as AgentEvent;
  switch (event.event) {
    case "run-start": {
      const { budget } = event.data;
      const entries = firstEntries(event.data);
      return { ...state, start: event.data, budget, givenBudget: budget, entries };
    }
    case "run-resume":
      return afterResume(state, event.data);
    case "history-add": {
      const at = state.entries.findIndex(({ kind }) => kind === "request");
      const { entries } = state;
      return {
        ...state,
        entries: [...entries.slice(0, at), ...event.data.entries, ...entries.slice(at)],
      };
    }
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
      return afterRuntimeEvent(state, recorded);
  }
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
  const { call, request = "", decision } = (data ?? {}) as RuntimeData;
  const pending = state.pending.find((one) => one.call === call) ?? state.pending[0];
  if (pending === undefined) return state;
  if (event === "script-start" || event === "tool-call") return afterBeginning(state, pending);
  if (event !== "approval-decision" || decision === undefined) return state;
  const { resumeCommand } = decision;
  if (decision.pending === true) {
    return { ...state, waitingFor: request, ...(resumeCommand !== undefined && { resumeCommand }) };
  }
  if (decision.approved) return state;
  return { ...state, refused: [...state.refused, actionKey(pending.action)], isRefused: true };
}

/** A script counts when it begins: not while it waits for an approval, nor when that is refused. */
function afterBeginning(state: RunState, begun: PendingCall): RunState {
  const isScript = begun.action.action === "run_script" && begun.hasBegun !== true;
  const usage = isScript ? sumUsage(state.usage, { scripts: 1 }) : state.usage;
  const pending = state.pending.map((one) =>
    one.call === begun.call ? { ...one, hasBegun: true as const } : one,
  );
  return { ...state, pending, usage };
}

/** What a child was refused was refused to the whole run. */
function isRefusedAfter({ isRefused }: RunState, { status }: ChildEnd): boolean {
  if (status === "denied") return true;
  return status === "answered" ? false : isRefused;
}

/** What ended it is tried again, or the run would only end again. */
function afterResume(state: RunState, { reason, budget }: RunResume): RunState {
  const { refused, usage } = state;
  // A person may have decided on changes in between; those that are left show at the next script.
  const going = {
    ...without(state, "end", "waitingFor", "resumeCommand"),
    isForgotten: true,
    heldChanges: 0,
  };
  // A run that was cut off goes on as if it had not been.
  const repairs = state.end === undefined ? state.repairs : 0;
  const given = budget === undefined ? undefined : { budget, givenBudget: budget };
  const again = withNewBudget({ ...going, ...given, repairs }, budget !== undefined);
  const tried = goingOn({ ...again, refused: reason === "person" ? [] : refused }, state);
  if (!state.isAsked && state.response?.error === undefined) return tried;
  // A turn in which the model said nothing does not count.
  const turns = usage.turns - 1;
  return {
    ...without(tried, "response"),
    isAsked: false,
    mustAnswer: false,
    usage: { ...usage, turns },
  };
}

/** Earlier messages may have said that the budget was used up. */
function withNewBudget(state: RunState, isNew: boolean): RunState {
  if (!isNew) return state;
  const content = `[A person let the run continue. Budget left: ${describeLeft(state.budget, state.usage)}.]`;
  const entry: ContextEntry = { message: { role: "user", content }, kind: "history" };
  return state.response === undefined
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
  const { call, callId } = answer;
  const result = { call, ok: true, entry: observation(NOT_THE_END, { callId }) };
  return withResult({ ...tried, mustAnswer: false, repeated }, result);
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
  const { call, callId, problem, unparsed } = rejected;
  const entry = observation(problem, { callId, isError: true });
  const read = afterReading(state, "");
  const repairs = unparsed === true ? state.repairs + 1 : state.repairs;
  return withResult({ ...read, repairs }, { call, ok: false, entry });
}

/** Once all calls of a turn are read, the turn is compared with the one before. */
function afterReading(state: RunState, key: string): RunState {
  const { readCalls, response, repeated } = state;
  const isFirst = readCalls === 0;
  const actions = isFirst
    ? key
    : `${state.pending.map(({ action }) => actionKey(action)).join()},${key}`;
  const isLast = readCalls + 1 >= callCount(response);
  // A turn of which nothing was used does not end a repetition.
  const isUnused = /^,*$/.test(actions);
  if (!isLast || isUnused) return { ...state, readCalls: readCalls + 1 };
  const times = repeated.actions === actions ? repeated.times + 1 : 1;
  return { ...state, readCalls: readCalls + 1, repeated: { actions, times } };
}

/** A text without calls is one decision. */
export function callCount(response: ModelResponded | undefined): number {
  return Math.max(1, response?.calls.length ?? 0);
}

function afterActivation(state: RunState, skill: SkillActivated): RunState {
  const { id, name, text } = skill;
  const wasDropped = state.dropped.includes(id);
  const isReplaced = skill.changed === true || wasDropped;
  const entries = isReplaced ? state.entries.filter((one) => one.skill !== id) : state.entries;
  // Messages are only ever appended, so an older text stays and the newer one says that it counts.
  const replacing = `[These instructions of the skill ${name} replace the earlier ones.]\n\n${text}`;
  const last = entries.findLast((one) => unversioned(one.skill) === unversioned(id));
  const isThere = last !== undefined && [text, replacing].includes(last.message.content);
  const content = last === undefined ? text : replacing;
  const entry = { message: { role: "user", content }, kind: "skill", skill: id } as const;
  const added = isThere ? [] : [entry];
  return {
    ...state,
    active: [...state.active.filter((one) => one.id !== id), skill],
    gone: state.gone.filter((one) => one !== id),
    dropped: state.dropped.filter((one) => one !== id),
    ...(state.response === undefined
      ? { entries: [...entries, ...added] }
      : { entries, arrived: [...state.arrived, ...added] }),
  };
}

/** The id of a skill without its version. */
function unversioned(id: string | undefined): string | undefined {
  return id?.replace(/@[^@]*$/, "");
}

function afterDrop(state: RunState, { id, name, reason, by }: SkillDropped): RunState {
  const active = state.active.filter((one) => one.id !== id);
  const dropped = { ...state, active, gone: [...state.gone, id] };
  if (by === "model") return dropped;
  const content = `[The skill ${name} can no longer be used: ${reason}]`;
  // Without the id: this is not a text that a later activation would replace.
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
  const { ok, code, observation: text, images, elapsedMs } = ended;
  const { action, callId, call } = decided;
  const step = { action, ok, ...(code !== undefined && { code }), observation: text };
  const isAchieved = ok && isActing(action);
  // A script that an executor of the host ran has no record of its own.
  const isUncounted = ok && decided.hasBegun !== true && action.action === "run_script";
  const entry = observation(text, {
    callId,
    ...(!ok && { isError: true }),
    ...(images && { images: images.filter(isWhole) }),
  });
  const next = {
    ...without(state, "waitingFor", "child"),
    pending: state.pending.filter((one) => one.call !== call),
    children: [],
    isRefused: state.isRefused && !isAchieved,
    ...outcomeOf(state, decided, ended),
    repairs: 0,
    steps: [...state.steps, step],
    usage: { ...sumUsage(state.usage, { scripts: isUncounted ? 1 : 0 }), timeMs: elapsedMs },
  };
  return withResult(next, { call, ok, entry });
}

function isWhole(image: RecordedImage): image is RecordedImage & ModelImage {
  return image.data !== undefined;
}

/** What was refused never ran, and what was stopped or cut off has not failed by itself. */
function outcomeOf(state: RunState, { action, hasBegun }: PendingCall, { ok, code }: ActionEnded) {
  const isCut = code === "canceled" || code === "interrupted";
  const isRun =
    action.action === "run_script" ||
    (action.action === "use_tool" && action.tool === "run_command");
  return {
    hasFailed: state.hasFailed || (!ok && !isCut && isRun && hasBegun === true),
    hasAchieved: state.hasAchieved || (ok && isActing(action) && !isReading(action)),
  };
}

/** When every call of the turn has its result, all of them follow in order, then new instructions. */
function withResult(state: RunState, result: RunState["results"][number]): RunState {
  const results = [...state.results, result];
  const pending = state.pending.filter(({ call }) => call !== result.call);
  if (results.length < callCount(state.response)) return { ...state, results, pending };
  const entries = results.toSorted((a, b) => a.call - b.call).map(({ entry }) => entry);
  return {
    ...without(state, "response"),
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

interface ObservationOptions {
  readonly callId?: string | undefined;
  readonly isError?: boolean;
  readonly images?: readonly ModelImage[];
}

function observation(content: string, options: ObservationOptions): ContextEntry {
  const { callId, isError, images = [] } = options;
  const message: ModelMessage = {
    role: "observation",
    content,
    ...(callId !== undefined && { callId }),
    ...(isError === true && { isError }),
    ...(images.length > 0 && { images }),
  };
  return { message, kind: "observation" };
}

type Optional = "response" | "child" | "waitingFor" | "resumeCommand" | "end";

function without(state: RunState, ...keys: readonly Optional[]): RunState {
  const entries = Object.entries(state).filter(
    ([key]) => !(keys as readonly string[]).includes(key),
  );
  return Object.fromEntries(entries) as unknown as RunState;
}
