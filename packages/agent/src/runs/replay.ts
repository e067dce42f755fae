import type { SkillTool } from "@skillwright/core";
import { type AuditRecord, canInterpret } from "@skillwright/runtime";
import type { Action } from "../actions/action.ts";
import { type ReadCall, readTurn } from "../actions/read-turn.ts";
import { askModel } from "../loop/ask-model.ts";
import type { Observation } from "../acts/observation.ts";
import type { AgentTools } from "../acts/observation.ts";
import { canonicalJson } from "../canonical-json.ts";
import { buildRequest } from "../context/build-request.ts";
import type {
  ActionDecided,
  ActionEnded,
  ActionRejected,
  AgentEvent,
  ContextTrimmed,
  ModelRequested,
  ModelResponded,
  RunEnd,
  RunMeans,
} from "../events/run-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import { driveRun } from "../loop/drive-run.ts";
import type { AnswerCheck, DrivenRun, ObservedPart } from "../loop/drive-run.ts";
import { STOPPED } from "../loop/next-step.ts";
import { actionKey, EMPTY_STATE, type PendingCall, type RunState } from "../loop/run-state.ts";
import { StepStopped } from "../loop/drive-run.ts";
import type { Model, ModelResponse } from "../models/model.ts";

/** The tools that a run had, to be talked about and not to be used. */
function toolsOf({ tools, canRun, answer }: RunMeans): AgentTools {
  const unusable = (): never => {
    throw new TypeError("a replayed run does nothing");
  };
  return {
    tools: tools.map(
      (tool) => ({ ...tool, execute: unusable, toText: unusable }) as unknown as SkillTool,
    ),
    canRun,
    isScript: (path) => canRun && path.startsWith("scripts/") && canInterpret(path),
    ...(answer && { answer }),
  };
}

export interface ReplayDifference {
  /** Of the record, from 0 on. */
  readonly index: number;
  /** Undefined where the loop goes on and the record has ended. */
  readonly expected?: ReplayedEvent;
  /** Undefined where the loop ends and the record goes on. */
  readonly got?: ReplayedEvent;
}

interface ReplayedEvent {
  readonly event: string;
  readonly data: unknown;
}

/** The loop did something else than it did then. */
class Difference extends Error {
  readonly difference: ReplayDifference;

  constructor(difference: ReplayDifference) {
    super("the run is not what it was");
    this.difference = difference;
  }
}

const STARTS: ReadonlySet<string> = new Set(["run-start", "run-resume"]);

/** A record that is read from its beginning to its end, in parts that each begin with a start. */
class RecordTape {
  readonly #records: readonly AuditRecord[];
  /** Where the part ends that is being read. */
  #end = 0;
  index = 0;

  constructor(records: readonly AuditRecord[]) {
    this.#records = records;
  }

  get length(): number {
    return this.#records.length;
  }

  /** Goes on to the next part and gives what the run worked with; undefined when there is none. */
  startNext(): RunMeans | undefined {
    const start = this.#records[this.#end];
    if (start === undefined) return undefined;
    const next = this.#records.findIndex(({ event }, i) => i > this.#end && STARTS.has(event));
    this.index = this.#end;
    this.#end = next === -1 ? this.#records.length : next;
    return (start.data as { readonly means: RunMeans }).means;
  }

  /** The next one of this part. */
  get next(): AuditRecord | undefined {
    return this.index < this.#end ? this.#records[this.index] : undefined;
  }

  /** The next records of this part, as long as they are of these events. */
  upcoming(events: ReadonlySet<string>): readonly AuditRecord[] {
    const part = this.rest;
    const end = part.findIndex(({ event }) => !events.has(event));
    return end === -1 ? part : part.slice(0, end);
  }

  /** What is left of this part. */
  get rest(): readonly AuditRecord[] {
    return this.#records.slice(this.index, this.#end);
  }

  take(): AuditRecord | undefined {
    const { next } = this;
    if (next !== undefined) this.index++;
    return next;
  }
}

/** The run was cut off here. */
class TapeEnd extends Error {}

const NEVER = new AbortController().signal;
const ABORTED = AbortSignal.abort();
/** What stands at the beginning of a part and is not the loop's. */
const BEGINNING: ReadonlySet<string> = new Set([
  "run-start",
  "run-resume",
  "history-add",
  "skill-activate",
  "skill-drop",
]);

/** A run whose model and whose world are its own record. */
class ReplayedRun implements DrivenRun {
  readonly id: string;
  readonly model: Model;
  readonly tools: AgentTools;
  state: RunState;
  readonly #tape: RecordTape;
  readonly #means: RunMeans;
  #deadline = new AbortController();

  constructor(tape: RecordTape, state: RunState, means: RunMeans) {
    this.#tape = tape;
    this.state = state;
    this.tools = toolsOf(means);
    this.#means = means;
    this.id = state.start?.runId ?? "";
    const { model: id, protocol, contextTokens, maxOutputTokens } = means;
    const decide = async () => this.#response();
    const limit = maxOutputTokens === undefined ? undefined : { maxOutputTokens };
    this.model = { id, protocol, contextTokens, ...limit, decide };
  }

  get recordedState(): RunState {
    return this.state;
  }

  /** Who canceled it is in the record only by what came of it. */
  get signal(): AbortSignal {
    const { status, reason, hint, code } = this.#end ?? {};
    if (status === "error" && code !== undefined) {
      return AbortSignal.abort({ ok: false, code, message: reason, ...(hint && { hint }) });
    }
    return status === "canceled" && reason !== STOPPED ? ABORTED : NEVER;
  }

  get stop(): AbortSignal {
    const { status, reason } = this.#end ?? {};
    return status === "canceled" && reason === STOPPED ? ABORTED : NEVER;
  }

  /** Where the record goes on with nothing else. */
  get #end(): RunEnd | undefined {
    const { next } = this.#tape;
    return next?.event === "run-end" ? (next.data as RunEnd) : undefined;
  }

  /** The start, and the skills that it brought or looked at anew. */
  takeBeginning(): void {
    while (BEGINNING.has(this.#tape.next?.event ?? "")) this.#takeAsItIs();
    // Whether the run had its exact texts is in the record only by what it did.
    const isForgotten = this.state.isForgotten && this.#tape.rest.some(isLeftOut);
    this.state = { ...this.state, isForgotten };
    const { next } = this.#tape;
    // A skill that was called by name and is not there: the loop never began.
    const isOver = next?.event === "run-end" && (next.data as RunEnd).status === "error";
    if (isOver && this.state.usage.turns === 0) this.#takeAsItIs();
  }

  record(event: AgentEvent): void {
    const { index } = this.#tape;
    const expected = this.#tape.take();
    if (expected === undefined) throw new TapeEnd();
    const got = plain(event);
    if (expected.event !== got.event || textOf(expected) !== textOf(got)) {
      throw new Difference({ index, expected: plain(expected), got });
    }
    this.state = applyEvent(this.state, expected);
  }

  async flush(): Promise<void> {}
  async ended(): Promise<void> {}
  showText(): void {}

  /** Where redaction changed what the model said, its calls are those of the record. */
  read(response: ModelResponded, from: number): readonly ReadCall[] {
    const { tools, canRun, protocol } = this.#means;
    const active = this.state.active.map(({ name, source }) => `${name}@${source}`);
    const names = tools.map(({ name }) => name);
    const calls = readTurn(response, { tools: names, canRun, protocol, active }).slice(from);
    return response.redacted === true ? this.#recordedCalls(calls) : calls;
  }

  #recordedCalls(calls: readonly ReadCall[]): readonly ReadCall[] {
    const events = this.#tape.upcoming(READ_EVENTS).filter(({ event }) => event !== "plan-update");
    return calls.map((call, i): ReadCall => {
      const { event, data } = events[i] ?? {};
      const callId = call.callId === undefined ? undefined : { callId: call.callId };
      if (event === "action-decide") {
        const { action } = data as ActionDecided;
        return { ok: true, action, ...callId };
      }
      const { problem = "", unparsed } = (data ?? {}) as Partial<ActionRejected>;
      return { ok: false, problem, ...(unparsed && { unparsed }), ...callId };
    });
  }

  trim(): number | undefined {
    const { next } = this.#tape;
    return next?.event === "context-trim" ? (next.data as ContextTrimmed).before : undefined;
  }

  /** An answer was checked then; what came of it is in the record. */
  async checkAnswer(): Promise<AnswerCheck> {
    const { next } = this.#tape;
    if (next?.event === "action-reject") {
      return { ok: false, problem: (next.data as ActionRejected).problem };
    }
    const { output } = (next?.data ?? {}) as Partial<RunEnd>;
    return { ok: true, output };
  }

  /** Takes what was recorded of it, up to its result. */
  async perform({ call }: PendingCall): Promise<Observation> {
    while (!OUTSIDE.has(this.#tape.next?.event ?? "")) this.#takeAsItIs();
    const { next } = this.#tape;
    if (next === undefined) throw new TapeEnd();
    // The results of reads side by side follow each other.
    const ended = this.#tape.upcoming(ENDS).find(({ data }) => (data as ActionEnded).call === call);
    if (ended === undefined) {
      // It waits for an approval; then this is not looked at.
      if (this.state.waitingFor !== undefined) {
        return { ok: false, code: "approval-needed", text: "" };
      }
      if (this.stop.aborted) throw new StepStopped();
      this.#deadline.abort();
      throw new Error("it was canceled");
    }
    const { ok, code, observation } = ended.data as ActionEnded;
    return { ok, text: observation, ...(code !== undefined && { code }) };
  }

  elapsed(): number {
    const { elapsedMs = 0 } = (this.#tape.next?.data ?? {}) as { readonly elapsedMs?: number };
    return elapsedMs;
  }

  deadline(): AbortSignal {
    this.#deadline = new AbortController();
    return this.#deadline.signal;
  }

  /** What is in the record was shortened then. */
  shorten(_call: PendingCall, { text }: Observation): ObservedPart {
    const { output, images } = (this.#tape.next?.data ?? {}) as Partial<ActionEnded>;
    return { observation: text, ...(images && { images }), ...(output && { output }) };
  }

  /** The loop has ended: so must the record. */
  requireEnd(): void {
    const { next, index } = this.#tape;
    if (next !== undefined) throw new Difference({ index, expected: plain(next) });
  }

  close(): void {}

  #takeAsItIs(): void {
    const record = this.#tape.take();
    if (record === undefined) throw new TapeEnd();
    this.state = applyEvent(this.state, record);
  }

  #response(): ModelResponse {
    const { next } = this.#tape;
    if (next === undefined) throw new TapeEnd();
    const { text, calls, reasoning, finish, error, usage, latencyMs, tooLong } =
      next.data as ModelResponded;
    if (error !== undefined) return { ok: false, error, usage, latencyMs };
    // What was not kept had this length.
    const said = tooLong === undefined ? text : " ".repeat(tooLong - 2);
    const message = { text: said, calls, ...(reasoning && { reasoning }) };
    return { ok: true, message, finish: finish ?? "stop", usage, latencyMs };
  }
}

/** Where an action is over. */
const OUTSIDE: ReadonlySet<string> = new Set(["", "action-end", "run-end"]);
const ENDS: ReadonlySet<string> = new Set(["action-end"]);
const READ_EVENTS: ReadonlySet<string> = new Set(["action-decide", "action-reject", "plan-update"]);

function isLeftOut({ event, data }: ReplayedEvent): boolean {
  return event === "action-end" && (data as ActionEnded).code === "left-out";
}

function plain({ event, data }: ReplayedEvent): ReplayedEvent {
  return { event, data };
}

/** That something was left out is a fact of the record, not of the loop. */
function textOf({ data }: ReplayedEvent): string {
  const { redacted: _, ...rest } = (data ?? {}) as Readonly<Record<string, unknown>>;
  return canonicalJson(rest);
}

export type ReplayResult =
  /** Every event came again, byte for byte. */
  | { readonly ok: true; readonly events: number; readonly hasEnded: boolean }
  | { readonly ok: false; readonly difference: ReplayDifference };

/** A record that a crash left half-written was mended, which is no event of the run. */
const NOT_OF_THE_RUN: ReadonlySet<string> = new Set(["audit-recovered"]);

export async function replayRun(records: readonly AuditRecord[]): Promise<ReplayResult> {
  const tape = new RecordTape(records.filter(({ event }) => !NOT_OF_THE_RUN.has(event)));
  let state = EMPTY_STATE;
  try {
    // Each time that it was resumed it had stood still, wherever that was.
    for (let means = tape.startNext(); means !== undefined; means = tape.startNext()) {
      const run = new ReplayedRun(tape, state, means);
      await untilTapeEnds(run);
      ({ state } = run);
    }
  } catch (error) {
    if (error instanceof Difference) return { ok: false, difference: error.difference };
    throw error;
  }
  return { ok: true, events: tape.length, hasEnded: state.end !== undefined };
}

async function untilTapeEnds(run: ReplayedRun): Promise<void> {
  try {
    run.takeBeginning();
    await driveRun(run);
    run.requireEnd();
  } catch (error) {
    if (!(error instanceof TapeEnd)) throw error;
  }
}

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
