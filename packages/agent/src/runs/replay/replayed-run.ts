import type { Said } from "../../actions/read-action.ts";
import type { Heard } from "../../acts/hear-response.ts";
import type { Observation } from "../../acts/observation.ts";
import type { AgentTools } from "../../acts/world.ts";
import type {
  ActionEnded,
  AgentEvent,
  ModelResponded,
  RunEnd,
  RunMeans,
} from "../../events/agent-event.ts";
import { applyEvent } from "../../loop/apply-event.ts";
import type { DrivenRun } from "../../loop/driven-run.ts";
import { STOPPED } from "../../loop/next-step.ts";
import type { RunState } from "../../loop/run-state.ts";
import { StepStopped } from "../../loop/step-stopped.ts";
import { canonicalJson } from "../../canonical-json.ts";
import type { Model, ModelResponse } from "../../models/model.ts";
import type { RecordTape } from "./record-tape.ts";
import { toolsOf } from "./recorded-tools.ts";
import { type ReplayedEvent, Difference } from "./replay-difference.ts";

/** The run was cut off here. */
export class TapeEnd extends Error {}

const NEVER = new AbortController().signal;
const ABORTED = AbortSignal.abort();
/** What stands at the beginning of a part and is not the loop's. */
const BEGINNING: ReadonlySet<string> = new Set([
  "run-start",
  "run-resume",
  "skill-activate",
  "skill-drop",
]);

/** A run whose model and whose world are its own record. */
export class ReplayedRun implements DrivenRun {
  readonly id: string;
  readonly model: Model;
  readonly tools: AgentTools;
  state: RunState;
  readonly #tape: RecordTape;
  #deadline = new AbortController();

  constructor(tape: RecordTape, state: RunState, means: RunMeans) {
    this.#tape = tape;
    this.state = state;
    this.tools = toolsOf(means);
    this.id = state.start?.runId ?? "";
    const { model: id, protocol, contextTokens } = means;
    const decide = async () => this.#response();
    this.model = { id, protocol, contextTokens, decide };
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

  /** What is in the record was heard then. */
  hear(_turn: number, { text, calls }: Said): Heard["recorded"] {
    const { redacted } = (this.#tape.next?.data ?? {}) as Partial<ModelResponded>;
    return { text, calls, ...(redacted === true && { redacted }) };
  }

  /** What was recorded of it, until the observation. */
  async perform(): Promise<Observation> {
    while (!OUTSIDE.has(this.#tape.next?.event ?? "")) this.#takeAsItIs();
    const { next } = this.#tape;
    if (next === undefined) throw new TapeEnd();
    if (next.event !== "action-end") {
      // It waits for an approval; then this is not looked at.
      if (this.state.waitingFor !== undefined) return { ok: false, text: "" };
      if (this.stop.aborted) throw new StepStopped();
      this.#deadline.abort();
      throw new Error("it was canceled");
    }
    const { ok, code, invalid, observation } = next.data as ActionEnded;
    return {
      ok,
      text: observation,
      ...(code !== undefined && { code }),
      ...(invalid !== undefined && { invalid }),
    };
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
  shorten(_turn: number, text: string): Pick<ActionEnded, "observation" | "output"> {
    const { output } = (this.#tape.next?.data ?? {}) as Partial<ActionEnded>;
    return { observation: text, ...(output && { output }) };
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
    const { text, calls, finish, error, usage, latencyMs, tooLong } = next.data as ModelResponded;
    if (error !== undefined) return { ok: false, error, usage, latencyMs };
    // What was not kept had this length.
    const message = { text: tooLong === undefined ? text : " ".repeat(tooLong - 2), calls };
    return { ok: true, message, finish: finish ?? "stop", usage, latencyMs };
  }
}

/** Where an action is over. */
const OUTSIDE: ReadonlySet<string> = new Set(["", "action-end", "run-end"]);

function plain({ event, data }: ReplayedEvent): ReplayedEvent {
  return { event, data };
}

function textOf({ data }: ReplayedEvent): string {
  return canonicalJson(data);
}
