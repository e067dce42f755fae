import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { Skills } from "@skillwright/core";
import type { EvalCase } from "../cases/eval-case.ts";
import type { TrialResult } from "../results/eval-results.ts";
import { memoryJournal } from "./local-ports.ts";
import type { Claim, EvalBudget, TrialJournal } from "./ports.ts";
import { runTrialIn } from "./run-trial.ts";
import { TrialDirectories } from "./trial-directories.ts";
import { type PlannedArm, planTrials, type TrialJob, trialKey } from "./trial-job.ts";
import type { EvalInputs, TrialWorker } from "./trial-worker.ts";

/** What cases are run with. Everything that touches the world comes in here. */
export interface EvalOptions
  extends Omit<TrialWorker, "inputs">, Pick<EvalInputs, "timeoutMs" | "budget"> {
  readonly cases: readonly EvalCase[];
  /** The first one is the one that is tested. */
  readonly arms: readonly ArmOptions[];
  /** How often each case is run. Default 1. */
  readonly trials?: number;
  /** How many at once. Default 4. */
  readonly concurrency?: number;
  /** Keeps the results, also of earlier and other processes; what has one is not run. Default: in memory. */
  readonly journal?: TrialJournal;
  /** Of the eval in the journal. */
  readonly evalDigest?: string;
  /** Of the whole eval: no trial begins once it is used up. */
  readonly evalBudget?: EvalBudget;
  /** Gets each new result once it is in the journal. Must not throw. */
  readonly onResult?: (result: TrialResult) => void;
  /** Lets the trials that are under way end, and begins no other. */
  readonly stop?: AbortSignal;
  /** Ends them now; they have no results then. */
  readonly signal?: AbortSignal;
}

export interface ArmOptions extends PlannedArm {
  /** The catalog of this arm, with all neighbours: never only the skill that is tested. */
  readonly skillsFor: (evalCase: EvalCase) => Promise<Skills>;
}

const DEFAULT_CONCURRENCY = 4;
/** A worker that says nothing for so long has died. */
const LEASE_MS = 60_000;

const OPTIONS: OptionKinds<EvalOptions> = {
  cases: "list",
  arms: "list",
  trials: "number",
  concurrency: "number",
  journal: "object",
  evalDigest: "string",
  evalBudget: "object",
  onResult: "function",
  stop: "object",
  signal: "object",
  timeoutMs: "number",
  budget: "object",
  openModel: "function",
  openPolicy: "function",
  graders: "object",
  folder: "string",
  redactor: "object",
  clock: "function",
};

export async function runEvals(options: EvalOptions): Promise<readonly TrialResult[]> {
  checkOptions("runEvals", options, OPTIONS, ["cases", "arms", "openModel", "folder"]);
  const { concurrency = DEFAULT_CONCURRENCY, evalDigest = "", signal, stop } = options;
  const { journal = memoryJournal(), evalBudget, onResult } = options;
  const jobs = planTrials(options);
  const worker = localWorker(options);
  const claim: Claim = { worker: randomUUID(), leaseMs: LEASE_MS };
  const underWay = new Set<TrialJob>();
  const renewal = setInterval(() => {
    // A journal that is out of reach for a moment is asked again before the lease is over.
    journal.claim([...underWay], claim).catch(() => undefined);
  }, LEASE_MS / 3);
  renewal.unref();
  const directories = new TrialDirectories(options.folder);
  const waiting = jobs.values();
  const work = async () => {
    for (const job of waiting) {
      if (signal?.aborted === true || stop?.aborted === true) return;
      if ((await evalBudget?.exhausted(evalDigest)) !== undefined) return;
      const [taken] = await journal.claim([job], claim);
      if (taken === undefined) continue;
      underWay.add(job);
      try {
        // A model that is a program answers at once: signals and timers would wait for the last trial.
        await setImmediate();
        const result = await runTrialIn(directories, job, worker, signal ? { signal } : {});
        if (result === undefined) return await journal.release([job], claim.worker);
        const { cost, inputTokens, outputTokens } = result.usage;
        await evalBudget?.spend(evalDigest, { cost, tokens: inputTokens + outputTokens });
        await journal.append(evalDigest, [result]);
        onResult?.(result);
      } finally {
        underWay.delete(job);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  } finally {
    clearInterval(renewal);
    directories.close();
  }
  return resultsOf(jobs, journal, evalDigest);
}

/** In the order of the plan. */
async function resultsOf(
  jobs: readonly TrialJob[],
  journal: TrialJournal,
  evalDigest: string,
): Promise<readonly TrialResult[]> {
  const places = new Map(jobs.map((job, place) => [trialKey(job), place]));
  const results: (TrialResult | undefined)[] = jobs.map(() => undefined);
  for await (const result of journal.stream(evalDigest)) {
    const place = places.get(trialKey(result));
    if (place !== undefined) results[place] = result;
  }
  return results.filter((result) => result !== undefined);
}

/** Has the inputs in memory. */
function localWorker({ cases, arms, timeoutMs, budget, ...rest }: EvalOptions): TrialWorker {
  const catalogs = new Map(arms.map(({ arm, skillsFor }) => [arm.name, skillsFor]));
  const byId = new Map(cases.map((one) => [one.id, one]));
  const inputs: EvalInputs = {
    caseOf: (caseId) => byId.get(caseId),
    skillsFor(arm, evalCase) {
      const skillsFor = catalogs.get(arm);
      if (skillsFor === undefined) throw new TypeError(`this eval has no arm ${arm}`);
      return skillsFor(evalCase);
    },
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(budget && { budget }),
  };
  return { ...rest, inputs: () => inputs };
}
