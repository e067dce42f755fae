import type { Budget } from "@skillwright/agent";
import type { EvalNumbers, EvalSettings } from "@skillwright/app/internal";
import { budgetOf, duration, type RunCommandOptions } from "../agent/run-options.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";

/** What `eval` and its commands take. */
export interface EvalCommandOptions
  extends RunCommandOptions, Omit<EvalSettings, keyof RunCommandOptions> {
  readonly jobs?: string;
  readonly timeout?: string;
  readonly seed?: string;
  /** Requests to the model in a minute. */
  readonly rate?: string;
  readonly save?: string;
  readonly margin?: string;
  readonly minPassRate?: string;
  readonly maxErrors?: string;
  /** Default: in CI. */
  readonly strict?: boolean;
  /** Limits of one trial; `--budget-cost` and `--budget-time` are of the whole eval. */
  readonly trialTurns?: string;
  readonly trialToolCalls?: string;
  readonly trialScripts?: string;
  readonly trialTokens?: string;
  readonly trialTime?: string;
  readonly trialCost?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly workspace?: string;
  readonly watch?: boolean;
}

const JOBS = 4;
const TIMEOUT_MS = 120_000;
const MAX_JOBS = 256;

/** What is wrong with them is said before anything is read. */
export function evalNumbers(
  options: EvalCommandOptions,
  env: Readonly<Record<string, string | undefined>>,
): EvalNumbers {
  const { trials = "1", jobs, timeout, seed = "1", rate, minPassRate, maxErrors, margin } = options;
  const budget = budgetOf({
    ...(options.budgetCost !== undefined && { budgetCost: options.budgetCost }),
    ...(options.budgetTime !== undefined && { budgetTime: options.budgetTime }),
  });
  return {
    trials: wholeNumber(trials, "--trials", { least: 1, most: 10_000 }),
    jobs: jobs === undefined ? JOBS : wholeNumber(jobs, "--jobs", { least: 1, most: MAX_JOBS }),
    timeoutMs: timeout === undefined ? TIMEOUT_MS : duration(timeout, "--timeout"),
    seed: wholeNumber(seed, "--seed", { least: 0, most: 2 ** 32 - 1 }),
    ...(rate !== undefined && {
      requestsPerMinute: wholeNumber(rate, "--rate", { least: 1, most: 1_000_000 }),
    }),
    ...(minPassRate !== undefined && { minimumPassRate: share(minPassRate, "--min-pass-rate") }),
    ...(maxErrors !== undefined && { maximumErrorRate: share(maxErrors, "--max-errors") }),
    ...(margin !== undefined && { margin: share(margin, "--margin") }),
    failWhenInconclusive: isStrict(options, env),
    trialBudget: trialBudgetOf(options),
    budget,
  };
}

/** CI acts on the exit code alone, so an inconclusive verdict fails there. */
export function isStrict(
  { strict }: { readonly strict?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return strict ?? !["", "0", "false"].includes(env["CI"] ?? "");
}

function trialBudgetOf(options: EvalCommandOptions): Partial<Budget> {
  const { trialTurns, trialToolCalls, trialScripts, trialTokens, trialTime, trialCost } = options;
  return budgetOf(
    {
      ...(trialTurns !== undefined && { budgetTurns: trialTurns }),
      ...(trialToolCalls !== undefined && { budgetToolCalls: trialToolCalls }),
      ...(trialScripts !== undefined && { budgetScripts: trialScripts }),
      ...(trialTokens !== undefined && { budgetTokens: trialTokens }),
      ...(trialTime !== undefined && { budgetTime: trialTime }),
      ...(trialCost !== undefined && { budgetCost: trialCost }),
    },
    "--trial",
  );
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function wholeNumber(text: string, option: string, { least, most }: Bounds): number {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
  throw wrong(option, text, `a whole number from ${least} to ${most}`);
}

/** `0.05`, or `5%`. */
export function share(text: string, option: string): number {
  const [, digits = "", percent] = /^(\d{1,3}(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  const value = percent === "%" ? Number(digits) / 100 : Number(digits);
  if (digits !== "" && value <= 1) return value;
  throw wrong(option, text, "a share such as 0.9 or 90%");
}

function wrong(option: string, text: string, expected: string): CommandFailure {
  return new CommandFailure(EXIT.usage, `${option} ${JSON.stringify(text)} is not ${expected}`);
}

/** What contradicts itself. */
export function requireSense(options: EvalCommandOptions): void {
  const { record, replay, model, watch, resume, updateBaseline, baseline, filter, json } = options;
  const pairs: readonly (readonly [boolean, string, string])[] = [
    [record !== undefined && replay !== undefined, "--record and --replay", ""],
    [watch === true && resume === true, "--watch and --resume", ""],
    [watch === true && json === true, "--watch and --json", "the JSON document is printed once"],
    [watch === true && updateBaseline === true, "--watch and --update-baseline", ""],
    [updateBaseline === true && baseline === false, "--update-baseline and --no-baseline", ""],
    [
      updateBaseline === true && filter !== undefined,
      "--update-baseline and --filter",
      "a baseline holds all cases",
    ],
  ];
  for (const [isSo, both, why] of pairs) {
    if (!isSo) continue;
    const hint = why === "" ? "leave one of them out" : why;
    throw new CommandFailure(EXIT.usage, `${both} exclude each other`, { hint });
  }
  if (record !== undefined && (model === undefined || model === "offline")) {
    throw new CommandFailure(EXIT.usage, "--record needs a model whose answers are worth keeping", {
      hint: "name it: --model <provider:name>; the offline model answers the same every time",
    });
  }
}
