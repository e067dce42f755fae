import type { ReadOptions, Said } from "../actions/read-action.ts";
import type { Heard } from "../acts/hear-response.ts";
import type { Observation } from "../acts/observation.ts";
import type { AgentTools } from "../acts/world.ts";
import type { ActionDecided, ActionEnded, AgentEvent } from "../events/agent-event.ts";
import type { Model } from "../models/model.ts";
import type { RunState } from "./run-state.ts";

/** What the loop drives: a run with effects, or one that is replayed from its record. */
export interface DrivenRun {
  readonly id: string;
  readonly state: RunState;
  readonly model: Model;
  readonly tools: AgentTools;
  readonly signal: AbortSignal;
  /** Ends the run when the step that is under way has come to its end. */
  readonly stop?: AbortSignal | undefined;
  readonly onText?: ((text: string) => void) | undefined;
  /** Writes the event down; `state` is the one after it. */
  record(event: AgentEvent): void;
  /** Keeps what the model said as long as it is needed, and gives what of it may be recorded. */
  hear(turn: number, said: Said, options: ReadOptions): Heard["recorded"];
  /** Does what was decided, as it was heard. */
  perform(decided: ActionDecided, signal: AbortSignal): Promise<Observation>;
  /** Milliseconds that the run has taken, without those in which it was stopped. */
  elapsed(): number;
  /** Aborts when the time is used up, or somebody cancels. */
  deadline(): AbortSignal;
  /** What the model reads of a result; the whole is kept when that is only a part of it. */
  shorten(turn: number, text: string): Pick<ActionEnded, "observation" | "output">;
  close(): void;
}
