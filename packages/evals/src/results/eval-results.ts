import type { Sampling } from "@skillwright/agent/internal";
import type { CaseOrigin, ExpectedSkills } from "../cases/eval-case.ts";
import type { Grade, Outcome } from "../grade/grade.ts";
import type { TrajectoryStep, TrajectoryUsage } from "../trajectory/trajectory.ts";

/** All that an eval came to: what is saved as a baseline, compared, and shown in every report. */
export interface EvalResults {
  readonly schemaVersion: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly setup: EvalSetup;
  /** What a judge says about the answers of two arms, in the order of the plan; without a judge or a second arm none. */
  readonly preferences?: readonly AnswerPreference[];
  readonly trials: readonly TrialResult[];
}

/** What has to be the same for it to be done again. */
export interface EvalSetup {
  readonly model: string;
  /** The same request gets the same answer: no statistics are needed to compare. */
  readonly isDeterministic: boolean;
  /** The sampling parameters that it was set up with. */
  readonly sampling?: Sampling;
  /** Digest of the recorded answers that were replayed. */
  readonly recording?: string;
  /** Who judges what is said in words: model and digest of the prompts. */
  readonly judge?: string;
  readonly seed: number;
  readonly trials: number;
  readonly arms: readonly Arm[];
  /** Name and digest of every skill in the catalog. */
  readonly skills: readonly { readonly name: string; readonly digest: string }[];
  /** Of all cases and their files. */
  readonly casesDigest: string;
  readonly version: string;
  readonly platform: string;
}

/** What the case is run with. The first arm is the one that is tested. */
export interface Arm {
  readonly name: "with_skill" | "without_skill" | "old_skill";
  /** Of `old_skill`: what was given as `--against`. */
  readonly reference?: string;
  /** Of what that held: the same folder may hold another version tomorrow. */
  readonly digest?: string;
  /** Ids of cases that were not run in it, since they name no skill of the catalog. */
  readonly leftOut?: readonly string[];
}

/** Which of two answers to one request a judge prefers: that of the arm that is tested, or that of another one. */
export type AnswerPreference = ComparedAnswers &
  (
    | {
        /** `first` is the arm that is tested. */
        readonly winner: "first" | "second" | "tie";
        readonly evidence: string;
        /** A tie because the judge changed its mind with the order. */
        readonly dependsOnOrder?: true;
      }
    /** Nobody can tell: `judge-failed`, `timed-out`, … or `no-answer` of an arm that gave none. */
    | { readonly error: { readonly code: string; readonly message: string } }
  );

export interface ComparedAnswers {
  readonly caseId: string;
  readonly trial: number;
  /** The other arm. */
  readonly other: Arm["name"];
}

export interface TrialResult {
  readonly caseId: string;
  readonly title: string;
  readonly input: string;
  readonly origin: CaseOrigin;
  readonly arm: Arm["name"];
  /** From 1. */
  readonly trial: number;
  /** Run because the case looked worse: it counts for this case alone, and in no rate. */
  readonly isRetry?: true;
  /** `error`: it says nothing about the skill; never a fail or a pass. */
  readonly outcome: Outcome;
  /** Why it is an error: `timed-out`, `model-failed`, `sandbox-missing`, `grader-failed`, … */
  readonly error?: { readonly code: string; readonly message: string };
  readonly grades: readonly Grade[];
  readonly expectedSkills?: ExpectedSkills;
  /** Of `mock.actions`: not in trigger metrics. */
  readonly isMock: boolean;
  readonly tags: readonly string[];
  readonly skills: readonly string[];
  readonly answer: string;
  readonly status: string;
  readonly steps: readonly TrajectoryStep[];
  readonly usage: TrajectoryUsage;
  /** Of level 1, whatever is asked. */
  readonly catalogTokens: number;
  /** Of the instructions of the skills that were activated. */
  readonly activationTokens: number;
  readonly runId: string;
}

/** An arm in a sentence. */
export const ARM_WORDS = {
  with_skill: "with the skill",
  without_skill: "without the skill",
  old_skill: "with its other version",
} as const;
