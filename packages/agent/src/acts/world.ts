import type {
  JsonSchema,
  ScriptExecutor,
  SkillRecord,
  SkillsView,
  SkillTool,
} from "@skillwright/core";
import type { AgentEvent, ChildEnd } from "../events/run-event.ts";
import type { RunState } from "../loop/run-state.ts";

/** Where actions have their effects. */
export interface World {
  /** As it is now, not as it was when the call began. */
  readonly state: RunState;
  readonly view: SkillsView;
  readonly tools: AgentTools;
  /** Whether the model can look at images. */
  readonly acceptsImages: boolean;
  /** Tokens of instructions that still fit into the context. */
  roomTokens(): number;
  /** Replaces the values of known secrets by placeholders. */
  hide(text: string): string;
  record(event: AgentEvent): void;
  /** Runs a skill with a context of its own. */
  runChild(skill: SkillRecord, turn: number): Promise<ChildEnd>;
}

/** What the agent can do in this run beside talking. */
export interface AgentTools {
  readonly tools: readonly SkillTool[];
  /** Undefined when no script can be run here. */
  readonly executor?: ScriptExecutor;
  readonly canRun: boolean;
  isScript(path: string): boolean;
  /** The schema of a structured answer. */
  readonly answer?: JsonSchema;
}
