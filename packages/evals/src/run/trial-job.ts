import { createHash } from "node:crypto";
import type { EvalCase } from "../cases/eval-case.ts";
import type { Arm, TrialResult } from "../results/eval-results.ts";

/** One case in one arm, once. Plain data: a worker finds everything else by the digest of the eval. */
export interface TrialJob {
  /** Digest of everything that changes what a trial does: cases, skills, model, limits. */
  readonly evalDigest: string;
  readonly caseId: string;
  readonly arm: Arm["name"];
  /** From 1. */
  readonly trial: number;
}

export interface PlanOptions {
  /** Default: empty, for evals that no other process takes part in. */
  readonly evalDigest?: string;
  readonly cases: readonly EvalCase[];
  /** The first one is the one that is tested. */
  readonly arms: readonly PlannedArm[];
  /** How often each case is run. Default 1. */
  readonly trials?: number;
}

export interface PlannedArm {
  readonly arm: Arm;
  /** Whether it says anything about the case: one that names no skill is the same with and without it. Default: always. */
  readonly isFor?: (evalCase: EvalCase) => boolean;
}

/** All jobs of an eval. The arms of a case come one after another, so that what changes meanwhile hits both. */
export function planTrials({ evalDigest = "", cases, arms, trials = 1 }: PlanOptions): TrialJob[] {
  return cases.flatMap((evalCase) => {
    const own = arms.filter(({ isFor }) => isFor?.(evalCase) ?? true);
    return Array.from({ length: evalCase.trials ?? trials }, (_, index) =>
      own.map(({ arm }) => ({ evalDigest, caseId: evalCase.id, arm: arm.name, trial: index + 1 })),
    ).flat();
  });
}

/** Identifies a trial within its eval: the same for a job and its result. */
export function trialKey({
  caseId,
  arm,
  trial,
}: Pick<TrialJob | TrialResult, "caseId" | "arm" | "trial">): string {
  return JSON.stringify([caseId, arm, trial]);
}

/** The same job has the same run id on every machine and at every attempt. */
export function trialRunId(job: TrialJob): string {
  const hash = createHash("sha256").update(JSON.stringify([job.evalDigest, trialKey(job)]));
  return `trial-${hash.digest("hex").slice(0, 24)}`;
}
