import type { ScriptExecutor, SkillRecord, SkillsView, SkillTool } from "@skillwright/core";
import type { AgentEvent, ChildEnd } from "../events/agent-event.ts";

/** Where actions have their effects. */
export interface World {
  readonly view: SkillsView;
  readonly tools: AgentTools;
  record(event: AgentEvent): void;
  /** Runs a skill with a context of its own. */
  runChild(skill: SkillRecord, turn: number): Promise<ChildEnd>;
}

/** What the agent can do in this run beside talking. */
export interface AgentTools {
  /** What `use_tool` reaches. */
  readonly tools: readonly SkillTool[];
  /** Undefined when no script can be run here. */
  readonly executor?: ScriptExecutor;
  readonly canRun: boolean;
  isScript(path: string): boolean;
}
