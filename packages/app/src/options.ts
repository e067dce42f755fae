import type { RuntimeOptions } from "./runtime/execution-options.ts";
import type { SessionOptions } from "./session/session.ts";

/** What starting and resuming a run have in common. */
export interface AgentOptions extends SessionOptions, RuntimeOptions {
  readonly model?: string;
  /** `name=value`, as the person gave them. */
  readonly modelParam?: readonly string[];
  /** False: with no skills at all. */
  readonly skills?: boolean;
}
