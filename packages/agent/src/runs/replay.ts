import type { SkillTool } from "@skillwright/core";
import type { AuditRecord } from "@skillwright/runtime";
import { canInterpret } from "@skillwright/runtime/internal";
import type { ReadCall } from "../actions/read-turn.ts";
import type { AgentTools, Observation } from "../acts/observation.ts";
import { canonicalJson } from "../actions/read-json.ts";
import type {
  ActionDecided,
  ActionEnded,
  ActionRejected,
  AgentEvent,
  ContextTrimmed,
  ModelResponded,
  RunEnd,
  RunMeans,
} from "../events/run-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import {
  type AnswerCheck,
  type DrivenRun,
  driveRun,
  type ObservedPart,
  StepStopped,
} from "../loop/drive-run.ts";
import { STOPPED } from "../loop/next-step.ts";
import { EMPTY_STATE, type PendingCall, type RunState } from "../loop/run-state.ts";
import type { Model, ModelResponse } from "../models/model.ts";

export interface ReplayDifference {
  /** Position in the record, from 0 on. */
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

export type ReplayResult =
  /** Every event came again, byte for byte. */
  | { readonly ok: true; readonly events: number; readonly hasEnded: boolean }
  | { readonly ok: false; readonly difference: ReplayDifference };

/** The loop did something else than what is recorded. */
class Difference extends Error {
  readonly difference: ReplayDifference;

  constructor(difference: ReplayDifference) {
    super("the replayed run differs from its record");
    this.difference = difference;
  }
}

/** The run was cut off here. */
class RecordEnd extends Error {}

export async function replayRun(all: readonly AuditRecord[]): Promise<ReplayResult> {
  // The repair of a half-written record is no event of the run.
  const records = all.filter(({ event }) => event !== "audit-recovered");
  // A run can be cut off anywhere, and begins anew each time it is resumed, or changes are decided on.
  const resumes = records.flatMap(({ event }, i) =>
    event === "changes-settle" ||
    (event === "run-resume" && records[i - 1]?.event !== "changes-settle")
      ? [i]
      : [],
  );
  let state = EMPTY_STATE;
  let from = 0;
  for (const end of [...resumes, records.length]) {
    const run = new ReplayedRun(records.slice(0, end), from, state);
    try {
      run.takeBeginning();
      await driveRun(run);
      run.requireEnd();
    } catch (error) {
      if (error instanceof Difference) return { ok: false, difference: error.difference };
      if (!(error instanceof RecordEnd)) throw error;
    }
    ({ state } = run);
    from = end;
  }
  return { ok: true, events: records.length, hasEnded: state.end !== undefined };
}

const NEVER = new AbortController().signal;
const ABORTED = AbortSignal.abort();
/** What a part begins with that does not come from the loop. */
const BEGINNING = new Set([
  "run-start",
  "run-resume",
  "history-add",
  "skill-route",
  "skill-activate",
  "skill-drop",
  "changes-settle",
]);
const CALL_EVENTS = new Set(["action-decide", "action-reject", "plan-update"]);

/** A part of a run, from its start or from a resume on. Its model and its world are the record. */
class ReplayedRun implements DrivenRun {
  readonly id: string;
  readonly model: Model;
  readonly tools: AgentTools;
  state: RunState;
  readonly #records: readonly AuditRecord[];
  #index: number;
  #deadline = new AbortController();

  constructor(records: readonly AuditRecord[], from: number, state: RunState) {
    this.#records = records;
    this.#index = from;
    this.state = state;
    const start = records.slice(from).find(({ data }) => meansOf(data) !== undefined);
    const means = meansOf(start?.data) ?? NO_MEANS;
    this.tools = toolsOf(means);
    this.id = state.start?.runId ?? "";
    const { model: id, ...rest } = means;
    this.model = { ...rest, id, decide: async () => this.#response() };
  }

  get recordedState(): RunState {
    return this.state;
  }

  /** How a run was canceled shows in the record only by its end. */
  get signal(): AbortSignal {
    const { status, reason, hint, code } = this.#end;
    if (status === "error" && code !== undefined) {
      return AbortSignal.abort({ ok: false, code, message: reason, ...(hint && { hint }) });
    }
    return status === "canceled" && reason !== STOPPED ? ABORTED : NEVER;
  }

  get stop(): AbortSignal {
    const { status, reason } = this.#end;
    return status === "canceled" && reason === STOPPED ? ABORTED : NEVER;
  }

  get #next(): AuditRecord | undefined {
    return this.#records[this.#index];
  }

  /** The end of the run, when it is the next record. */
  get #end(): Partial<RunEnd> {
    return this.#next?.event === "run-end" ? (this.#next.data as RunEnd) : {};
  }

  /** Takes the start, and the skills that it activated or checked. */
  takeBeginning(): void {
    while (BEGINNING.has(this.#next?.event ?? "")) this.#take();
    // Whether a resumed run had its exact texts shows only by what it did.
    const isForgotten = this.state.isForgotten && this.#records.slice(this.#index).some(isLeftOut);
    this.state = { ...this.state, isForgotten };
    // A skill that was called by name was not found, so the loop never began.
    if (this.#end.status === "error" && this.state.usage.turns === 0) this.#take();
  }

  record({ event, data }: AgentEvent): void {
    const expected = this.#next;
    if (expected === undefined) throw new RecordEnd();
    const got = { event, data };
    if (expected.event !== event || textOf(expected) !== textOf(got)) {
      throw new Difference({ index: this.#index, expected: plain(expected), got });
    }
    this.#take();
  }

  async flush(): Promise<void> {}
  async ended(): Promise<void> {}
  showText(): void {}
  async close(): Promise<void> {}

  readonly recorded = {
    calls: (read: readonly ReadCall[]) => this.#calls(read),
    trimPoint: () => {
      const next = this.#next;
      return next?.event === "context-trim" ? (next.data as ContextTrimmed).before : undefined;
    },
  };

  #calls(read: readonly ReadCall[]): readonly ReadCall[] {
    const events = this.#upcoming(CALL_EVENTS).filter(({ event }) => event !== "plan-update");
    // Of a turn that was cut off while it was read, the first calls were recorded before.
    const before = this.state.readCalls;
    return read.map((one, i): ReadCall => {
      const { event, data } = events[i - before] ?? {};
      const callId = one.callId === undefined ? undefined : { callId: one.callId };
      if (event === "action-decide") {
        return { ok: true, action: (data as ActionDecided).action, ...callId };
      }
      const { problem = "", unparsed } = (data ?? {}) as Partial<ActionRejected>;
      return { ok: false, problem, ...(unparsed && { unparsed }), ...callId };
    });
  }

  async checkAnswer(): Promise<AnswerCheck> {
    const { event, data } = this.#next ?? {};
    if (event === "action-reject") return { ok: false, problem: (data as ActionRejected).problem };
    return { ok: true, output: ((data ?? {}) as Partial<RunEnd>).output };
  }

  /** Takes the events of a call, up to its result. */
  async perform({ call }: PendingCall): Promise<Observation> {
    while (this.#next && !["action-end", "run-end"].includes(this.#next.event)) this.#take();
    if (this.#next === undefined) throw new RecordEnd();
    // The results of reads side by side follow each other.
    const ends = this.#upcoming(new Set(["action-end"])).map(({ data }) => data as ActionEnded);
    const ended = ends.find((one) => one.call === call);
    if (ended !== undefined) {
      const { ok, code, observation } = ended;
      return { ok, text: observation, ...(code !== undefined && { code }) };
    }
    // It waits for an approval, so its result is not looked at.
    if (this.state.waitingFor !== undefined)
      return { ok: false, code: "approval-needed", text: "" };
    if (this.stop.aborted) throw new StepStopped();
    this.#deadline.abort();
    throw new Error("it was canceled");
  }

  elapsed(): number {
    const { elapsedMs = 0 } = (this.#next?.data ?? {}) as { readonly elapsedMs?: number };
    return elapsedMs;
  }

  deadline(): AbortSignal {
    this.#deadline = new AbortController();
    return this.#deadline.signal;
  }

  /** The record has the shortened result. */
  shorten(_call: PendingCall, { text }: Observation): ObservedPart {
    const { output, images } = (this.#next?.data ?? {}) as Partial<ActionEnded>;
    return { observation: text, ...(images && { images }), ...(output && { output }) };
  }

  /** The loop has ended: so must the record. */
  requireEnd(): void {
    const expected = this.#next;
    if (expected === undefined) return;
    throw new Difference({ index: this.#index, expected: plain(expected) });
  }

  #take(): void {
    const record = this.#next;
    if (record === undefined) throw new RecordEnd();
    this.state = applyEvent(this.state, record);
    this.#index++;
  }

  /** The next records, as long as they are of these events. */
  #upcoming(events: ReadonlySet<string>): readonly AuditRecord[] {
    const rest = this.#records.slice(this.#index);
    const end = rest.findIndex(({ event }) => !events.has(event));
    return end === -1 ? rest : rest.slice(0, end);
  }

  #response(): ModelResponse {
    if (this.#next === undefined) throw new RecordEnd();
    const { text, calls, reasoning, finish, error, usage, latencyMs, tooLong } = this.#next
      .data as ModelResponded;
    if (error !== undefined) return { ok: false, error, usage, latencyMs };
    // An answer that was not kept had this length.
    const said = tooLong === undefined ? text : " ".repeat(tooLong - 2);
    const message = { text: said, calls, ...(reasoning && { reasoning }) };
    return { ok: true, message, finish: finish ?? "stop", usage, latencyMs };
  }
}

function meansOf(data: unknown): RunMeans | undefined {
  return (Object(data) as { readonly means?: RunMeans }).means;
}

const NO_MEANS: RunMeans = {
  model: "",
  protocol: "tools",
  contextTokens: 0,
  tools: [],
  canRun: false,
};

/** The tools that a run had, to be described but not used. */
function toolsOf({ tools, canRun, noSkills, answer }: RunMeans): AgentTools {
  const unusable = (): never => {
    throw new TypeError("a replayed run does nothing");
  };
  return {
    tools: tools.map(
      (tool) => ({ ...tool, execute: unusable, toText: unusable }) as unknown as SkillTool,
    ),
    canRun,
    noSkills,
    isScript: (path) => canRun && path.startsWith("scripts/") && canInterpret(path),
    ...(answer && { answer }),
  };
}

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
