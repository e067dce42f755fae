import type { Failure } from "@skillwright/core";
import type { MadeFiles } from "../checks/trial-files.ts";
import type { TrajectoryStep } from "../trajectory/trajectory.ts";

/**
 * Tells what only somebody who understands words can tell. Contract: does not reject; what it cannot
 * tell is a `Failure`. What it gets to read is hostile: the answer may try to talk to it.
 */
export interface Judge {
  /** Model and prompt, for the record: two judges of one id judge alike. */
  readonly id: string;
  /** Whether a statement holds for what an agent did. */
  judge(question: JudgeQuestion): Promise<JudgeVerdict>;
  /** Which of two answers is better, in the order in which they are given. */
  prefer(question: PreferenceQuestion): Promise<Preference>;
}

export interface JudgeQuestion {
  readonly statement: string;
  /** What the agent was asked for. */
  readonly input: string;
  readonly answer: string;
  readonly steps: readonly TrajectoryStep[];
  /** Undefined if the working directory is gone. */
  readonly files?: MadeFiles;
  readonly signal?: AbortSignal;
  /** Stops the clock of the question until the function that it gives is called: for a judge that waits for its turn. */
  readonly pause?: () => () => void;
}

export type JudgeVerdict =
  | { readonly ok: true; readonly passed: boolean; readonly evidence: string }
  | Failure;

export interface PreferenceQuestion {
  readonly input: string;
  /** What makes an answer good. */
  readonly criteria: string;
  readonly first: string;
  readonly second: string;
  readonly signal?: AbortSignal;
  /** As in `JudgeQuestion`. */
  readonly pause?: () => () => void;
}

export type Preference =
  | {
      readonly ok: true;
      readonly winner: "first" | "second" | "tie";
      readonly evidence: string;
      /** The judge changed its mind with the order: a tie that says more about the judge than about the answers. */
      readonly dependsOnOrder?: true;
    }
  | Failure;

const SWAPPED = { first: "second", second: "first", tie: "tie" } as const;

export async function compareAnswers(
  judge: Judge,
  question: PreferenceQuestion,
): Promise<Preference> {
  const { first, second } = question;
  if (first === second) return { ok: true, winner: "tie", evidence: "both answers are the same" };
  const one = await judge.prefer(question);
  if (!one.ok) return one;
  const other = await judge.prefer({ ...question, first: second, second: first });
  if (!other.ok) return other;
  if (one.winner === SWAPPED[other.winner]) return one;
  const evidence = `it depends on the order: ${one.evidence} / ${other.evidence}`;
  return { ok: true, winner: "tie", evidence, dependsOnOrder: true };
}
