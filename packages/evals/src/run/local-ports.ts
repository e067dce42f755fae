import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  placeNew,
  readRegularFile,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import type { TrialResult } from "../results/eval-results.ts";
import type { BlobStore, Claim, EvalBudget, RateLimit, Spending, TrialJournal } from "./ports.ts";
import { type TrialJob, trialKey } from "./trial-job.ts";

/** Who works on what, for journals that live in one process. */
export class Claims {
  readonly #held = new Map<string, { readonly worker: string; readonly until: number }>();
  readonly #clock: () => number;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  take(job: TrialJob, { worker, leaseMs }: Claim): boolean {
    const key = claimKey(job);
    const now = this.#clock();
    const held = this.#held.get(key);
    if (held !== undefined && held.worker !== worker && held.until > now) return false;
    this.#held.set(key, { worker, until: now + leaseMs });
    return true;
  }

  release(job: TrialJob, worker: string): void {
    if (this.#held.get(claimKey(job))?.worker === worker) this.#held.delete(claimKey(job));
  }

  /** There is a result: nobody asks for it again. */
  forget(job: TrialJob): void {
    this.#held.delete(claimKey(job));
  }
}

function claimKey(job: TrialJob): string {
  return `${job.evalDigest} ${trialKey(job)}`;
}

export function memoryJournal(options: { readonly clock?: () => number } = {}): TrialJournal {
  checkOptions("memoryJournal", options, { clock: "function" });
  const { clock } = options;
  const evals = new Map<string, Map<string, TrialResult>>();
  const claims = new Claims(clock);
  const resultsOf = (evalDigest: string) => {
    const results = evals.get(evalDigest) ?? new Map<string, TrialResult>();
    evals.set(evalDigest, results);
    return results;
  };
  return {
    async claim(jobs, claim) {
      return jobs.filter(
        (job) => !resultsOf(job.evalDigest).has(trialKey(job)) && claims.take(job, claim),
      );
    },
    async release(jobs, worker) {
      for (const job of jobs) claims.release(job, worker);
    },
    async append(evalDigest, results) {
      const kept = resultsOf(evalDigest);
      const before = kept.size;
      for (const result of results) {
        if (!kept.has(trialKey(result))) kept.set(trialKey(result), result);
        claims.forget({ ...result, evalDigest });
      }
      return kept.size - before;
    },
    async *stream(evalDigest) {
      yield* resultsOf(evalDigest).values();
    },
    async reopen(evalDigest) {
      const kept = resultsOf(evalDigest);
      const errors = [...kept].filter(([, { outcome }]) => outcome === "error");
      for (const [key] of errors) kept.delete(key);
      return errors.length;
    },
  };
}

const MINUTE = 60_000;

export interface MemoryRateOptions {
  /** In any minute, for each service. */
  readonly requestsPerMinute: number;
  readonly clock?: () => number;
}

const RATE: OptionKinds<MemoryRateOptions> = { requestsPerMinute: "number", clock: "function" };

/** First come, first served. */
export function memoryRateLimit(options: MemoryRateOptions): RateLimit {
  checkOptions("memoryRateLimit", options, RATE, ["requestsPerMinute"]);
  const { requestsPerMinute, clock = Date.now } = options;
  if (!(requestsPerMinute >= 1)) {
    throw new TypeError("a rate limit must allow at least one request a minute");
  }
  const services = new Map<string, number[]>();
  return {
    async take(service) {
      const now = clock();
      const turns = services.get(service) ?? [];
      services.set(service, turns);
      while ((turns[0] ?? now) <= now - MINUTE) turns.shift();
      const free = (turns.at(-requestsPerMinute) ?? -Infinity) + MINUTE;
      const turn = Math.max(now, turns.at(-1) ?? now, free);
      turns.push(turn);
      return turn - now;
    },
  };
}

export interface MemoryBudgetOptions {
  readonly cost?: number;
  readonly tokens?: number;
  /** From the first trial on. */
  readonly timeMs?: number;
  readonly clock?: () => number;
}

const BUDGET: OptionKinds<MemoryBudgetOptions> = {
  cost: "number",
  tokens: "number",
  timeMs: "number",
  clock: "function",
};

export function memoryBudget(options: MemoryBudgetOptions): EvalBudget {
  checkOptions("memoryBudget", options, BUDGET);
  const { cost = Infinity, tokens = Infinity, timeMs = Infinity, clock = Date.now } = options;
  const spent = new Map<string, Spending & { readonly since: number }>();
  const spentOf = (evalDigest: string) => {
    const known = spent.get(evalDigest) ?? { cost: 0, tokens: 0, since: clock() };
    spent.set(evalDigest, known);
    return known;
  };
  return {
    async spend(evalDigest, more) {
      const { since, ...before } = spentOf(evalDigest);
      const after = { cost: before.cost + more.cost, tokens: before.tokens + more.tokens };
      spent.set(evalDigest, { ...after, since });
    },
    async exhausted(evalDigest) {
      const { since, ...sum } = spentOf(evalDigest);
      if (sum.cost >= cost) return "cost";
      if (sum.tokens >= tokens) return "tokens";
      return clock() - since >= timeMs ? "time" : undefined;
    },
  };
}

export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(bytes) {
      const digest = blobDigest(bytes);
      blobs.set(digest, Uint8Array.from(bytes));
      return digest;
    },
    async get(digest) {
      return blobs.get(digest)?.slice();
    },
  };
}

export function blobDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** The hexadecimal part of a digest. */
export function hexOf(digest: string): string {
  const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
  if (hex === undefined) throw new TypeError(`${JSON.stringify(digest)} is not a digest`);
  return hex;
}

/** Blobs as files in a folder, which several processes may share. */
export function folderBlobs(folder: string): BlobStore {
  const fileOf = (digest: string) => {
    const hex = hexOf(digest);
    return join(folder, hex.slice(0, 2), hex.slice(2));
  };
  return {
    async put(bytes) {
      const digest = blobDigest(bytes);
      const file = fileOf(digest);
      if (!existsSync(file)) placeNew(file, bytes);
      return digest;
    },
    async get(digest) {
      const file = fileOf(digest);
      if (!existsSync(file)) return undefined;
      const bytes = readRegularFile(file);
      if (blobDigest(bytes) !== digest) throw new TypeError(`the blob ${digest} is damaged`);
      return bytes;
    },
  };
}
