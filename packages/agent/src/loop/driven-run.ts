import type { Observation } from "../acts/observation.ts";
import type { AgentTools } from "../acts/world.ts";
import type { ActionEnded, AgentEvent, ModelResponded, RunEnd } from "../events/run-event.ts";
import type { Model } from "../models/model.ts";
import type { ReadCall } from "../actions/read-turn.ts";
import type { PendingCall, RunState } from "./run-state.ts";

/** What the loop drives: a run with effects, or one that is replayed from its record. */
export interface DrivenRun {
  readonly id: string;
  /** With exact texts. */
  readonly state: RunState;
  /** The same from the record alone; digests are of this one, so that a replay can compare them. */
  readonly recordedState: RunState;
  readonly model: Model;
  readonly tools: AgentTools;
  readonly signal: AbortSignal;
  /** Ends the run when the step that is under way is done. */
  readonly stop?: AbortSignal | undefined;
  /** Adds the event; `state` is the one after it. It is written by the next `flush`. */
  record(event: AgentEvent): void;
  /** Waits until everything recorded so far is written. */
  flush(): Promise<void>;
  /** Receives the text of an answer while it streams. */
  showText(text: string): void;
  /** Reads the calls of a response, or takes them from the record. */
  read(response: ModelResponded, from: number): readonly ReadCall[];
  /** How many messages to shorten before this request, computed or taken from the record. */
  trim(compute: () => number | undefined): number | undefined;
  /** Checks an answer against the schema that the host asked for. */
  checkAnswer?(answer: string): Promise<AnswerCheck>;
  perform(call: PendingCall, signal: AbortSignal): Promise<Observation>;
  /** Milliseconds that the run has taken, without those in which it was stopped. */
  elapsed(): number;
  /** Aborts when the time is used up, or a person cancels. */
  deadline(): AbortSignal;
  /** What the model reads of a result; a longer whole is kept with the run. */
  shorten(call: PendingCall, observation: Observation): ObservedPart;
  ended(end: RunEnd): Promise<void>;
  close(): void;
}

export type ObservedPart = Pick<ActionEnded, "observation" | "images" | "output">;

export type AnswerCheck =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly problem: string };
