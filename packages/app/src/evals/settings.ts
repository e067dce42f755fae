import type { Budget } from "@skillwright/agent";
import type { AgentOptions } from "../options.ts";

/** What an eval is run with; in words, as a person or a form gives it. */
export interface EvalSettings extends AgentOptions {
  /** Also without the skill. */
  readonly without?: boolean;
  /** Also with another version of it: a folder, or a commit of the repository it lies in. */
  readonly against?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly filter?: string;
  /** Counts against what files say. */
  readonly trials?: string;
  /** False: none. */
  readonly baseline?: string | false;
  readonly updateBaseline?: boolean;
  readonly resume?: boolean;
  readonly keepGoing?: boolean;
  readonly judge?: string;
}

/** The numbers of an eval, checked. */
export interface EvalNumbers {
  readonly trials: number;
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly seed: number;
  readonly requestsPerMinute?: number;
  readonly minimumPassRate?: number;
  readonly maximumErrorRate?: number;
  /** Whether an inconclusive verdict fails. */
  readonly failWhenInconclusive: boolean;
  /** Of one trial. */
  readonly trialBudget: Partial<Budget>;
  /** Of the whole eval. */
  readonly budget: Pick<Partial<Budget>, "cost" | "timeMs">;
  readonly margin?: number;
}

/** What is done one after another in an eval. */
export interface EvalWork {
  readonly noun: "trials" | "comparisons" | "further trials";
  readonly total: number;
  /** From an earlier run. */
  readonly done: number;
  /** Somebody asked to go on with that run. */
  readonly isResumed: boolean;
}

/** Who watches an eval, and may end it. */
export interface EvalWatcher {
  readonly onBegin?: (work: EvalWork) => void;
  readonly onResult?: (result: {
    readonly outcome: "pass" | "fail" | "error" | "unjudged";
  }) => void;
  readonly onEnd?: () => void;
  /** Ends it after the trials that are under way. */
  readonly stop?: AbortSignal;
  /** Ends it now, with the results that are there. */
  readonly signal?: AbortSignal;
}
