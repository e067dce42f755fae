import type { ScriptExecutor, SkillTool } from "@skillwright/core";

/** What the agent can do in this run beside talking. */
export interface AgentTools {
  /** What `use_tool` reaches. */
  readonly tools: readonly SkillTool[];
  /** Undefined when no script can be run here. */
  readonly executor?: ScriptExecutor;
  readonly canRun: boolean;
  isScript(path: string): boolean;
}
