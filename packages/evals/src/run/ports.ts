import type { TrialResult } from "../results/eval-results.ts";
import type { TrialJob } from "./trial-job.ts";

/**
 * What workers of one eval share. Each port has an implementation in memory; a database implements the same
 * ports for many machines. `@skillwright/evals/testing` checks an implementation.
 */

/** Who takes jobs, and for how long before others may take them over. */
export interface Claim {
  readonly worker: string;
  readonly leaseMs: number;
}

/** Results of trials, each counted once. */
export interface TrialJournal {
  /**
   * Takes those of the jobs that have no result and that no other worker holds, in the given order. A worker that
   * claims again what it holds extends its lease.
   */
  claim(jobs: readonly TrialJob[], claim: Claim): Promise<readonly TrialJob[]>;
  /** Gives jobs back, for trials that were canceled. Jobs of others stay as they are. */
  release(jobs: readonly TrialJob[], worker: string): Promise<void>;
  /** Inserts each result, or ignores it if its trial has one. Gives the number of those inserted. */
  append(evalDigest: string, results: readonly TrialResult[]): Promise<number>;
  /** All results of an eval, each once, in any order. Never all of them in memory. */
  stream(evalDigest: string): AsyncIterable<TrialResult>;
  /** Removes results that are errors, so that their trials can be claimed again. Gives their number. */
  reopen(evalDigest: string): Promise<number>;
}

/** Turns for requests to a service that has a rate limit. */
export interface RateLimit {
  /** Takes the next turn of the service. Gives the milliseconds until it comes. */
  take(service: string): Promise<number>;
}

export interface Spending {
  readonly cost: number;
  readonly tokens: number;
}

/** What a whole eval may spend, whoever runs its trials. */
export interface EvalBudget {
  /** Adds up. What was spent stays spent, also for a trial that is run again. */
  spend(evalDigest: string, spending: Spending): Promise<void>;
  /** Undefined while something is left; else what ran out. */
  exhausted(evalDigest: string): Promise<"cost" | "tokens" | "time" | undefined>;
}

/** Content by its digest, `sha256:<hex>`. */
export interface BlobStore {
  /** The same bytes are kept once. */
  put(bytes: Uint8Array): Promise<string>;
  /** Undefined if absent. Rejects if what is kept is not what the digest says. */
  get(digest: string): Promise<Uint8Array | undefined>;
}
