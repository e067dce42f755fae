import type { SkillTool } from "../tools/skill-tool.ts";

/** An agent of a host, as far as skills are concerned. */
export interface SkillAgent {
  /** Agents of one id share what they have in context; all others know nothing of each other. */
  readonly id?: string;
  /** Such as "task", "routing" or "planning". */
  readonly kind?: string;
  /** Only these skills. Default: all that a model may see. */
  readonly skills?: readonly string[];
}

/** What the plugin asks of the skills. A host can put its own in the place of `openSkillService`. */
export interface SkillService {
  /** Finds the skills. Called once before anything else. */
  start(): Promise<void>;
  /** What the agent's model is told; empty when there is nothing. */
  instructions(agent: SkillAgent): Promise<string>;
  tools(agent: SkillAgent): Promise<SkillTool[]>;
  /** Forgets what the agent has in context. */
  release?(agent: SkillAgent): void;
  /** Ends what runs in the background. */
  close?(): Promise<void>;
}
