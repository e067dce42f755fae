import type { AgentOptions } from "../agent/run-options.ts";

/** What `eval` and its commands take. */
export interface EvalCommandOptions extends AgentOptions {
  readonly trials?: string;
  readonly jobs?: string;
  readonly timeout?: string;
  readonly seed?: string;
  /** Also without the skill. */
  readonly without?: boolean;
  /** Also with another version of it: a folder, or a commit of the repository it lies in. */
  readonly against?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly filter?: string;
  readonly save?: string;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  readonly resume?: boolean;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly workspace?: string;
  readonly watch?: boolean;
  readonly judge?: string;
}
