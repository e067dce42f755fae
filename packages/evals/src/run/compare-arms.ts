import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { createRedactor, type Redactor } from "@skillwright/runtime";
import type { EvalCase } from "../cases/eval-case.ts";
import { compareAnswers, type Judge } from "../grade/judge.ts";
import type { AnswerPreference } from "../results/eval-results.ts";
import { type AnswerPair, pairAnswers, type PairAnswersOptions } from "./pair-answers.ts";
import { trialKey } from "./trial-job.ts";
import { TRIAL_TIMEOUT_MS, TrialEnd } from "./trial-end.ts";

export interface CompareArmsOptions extends PairAnswersOptions {
  readonly judge: Judge;
  /** How many at once. Default 4. */
  readonly concurrency?: number;
  /** A judge that takes longer for two answers has not told. Default two minutes. */
  readonly timeoutMs?: number;
  /** From an earlier, interrupted eval; these are not asked for again, unless they are errors. */
  readonly done?: readonly AnswerPreference[];
  /** Gets each as it comes. Must not throw. */
  readonly onPreference?: (preference: AnswerPreference) => void;
  /** Lets the judge end what it was asked, and asks nothing else. */
  readonly stop?: AbortSignal;
  /** Ends it now; what the judge would have said is not known then. */
  readonly signal?: AbortSignal;
  /** Takes secrets out of what is kept. Default: those that can be told by their shape. */
  readonly redactor?: Redactor;
}

const DEFAULT_CONCURRENCY = 4;
const MAX_LENGTH = 5000;
const REDACTOR = createRedactor({ env: {}, maxStringLength: MAX_LENGTH });
const GENERAL = "The answer does what was asked, completely and correctly.";

const OPTIONS: OptionKinds<CompareArmsOptions> = {
  cases: "list",
  arms: "list",
  trials: "list",
  judge: "object",
  concurrency: "number",
  timeoutMs: "number",
  done: "list",
  onPreference: "function",
  stop: "object",
  signal: "object",
  redactor: "object",
};

export async function compareArms(
  options: CompareArmsOptions,
): Promise<readonly AnswerPreference[]> {
  checkOptions("compareArms", options, OPTIONS, ["cases", "arms", "trials", "judge"]);
  const { done = [], concurrency = DEFAULT_CONCURRENCY, signal, stop, onPreference } = options;
  const pairs = pairAnswers(options);
  const told = done.filter((one) => !("error" in one));
  const known = new Map(told.map((one) => [trialKey({ ...one, arm: one.other }), one]));
  const preferences = pairs.map(({ evalCase, other, trial }) =>
    known.get(trialKey({ caseId: evalCase.id, arm: other, trial })),
  );
  const waiting = pairs.entries();
  const work = async () => {
    for (const [place, pair] of waiting) {
      if (preferences[place] !== undefined) continue;
      if (signal?.aborted === true || stop?.aborted === true) return;
      const preference = await preferenceOf(pair, options);
      if (preference === undefined) return;
      preferences[place] = preference;
      onPreference?.(preference);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return preferences.filter((preference) => preference !== undefined);
}

/** Undefined when somebody canceled it. */
async function preferenceOf(
  pair: AnswerPair,
  options: CompareArmsOptions,
): Promise<AnswerPreference | undefined> {
  const { evalCase, trial, other } = pair;
  const { judge, timeoutMs = TRIAL_TIMEOUT_MS, redactor = REDACTOR } = options;
  const about = { caseId: evalCase.id, trial, other };
  const failed = (code: string, message: string): AnswerPreference => ({
    ...about,
    error: { code, message: redactor.redact(message) as string },
  });
  // Read only now: they may be in a file, and those of all trials together are many.
  const [first, second] = [pair.tested.answer, pair.against.answer];
  if (first.trim() === "" || second.trim() === "") {
    return failed("no-answer", "there are no two answers to compare");
  }
  const end = new TrialEnd(evalCase.timeoutMs ?? timeoutMs, [options.signal]);
  const question = { input: evalCase.input, criteria: criteriaOf(evalCase), first, second };
  const pause = () => end.pause();
  try {
    const said = await compareAnswers(judge, { ...question, signal: end.signal, pause });
    if (said.ok) {
      const { winner, dependsOnOrder } = said;
      const evidence = redactor.redact(said.evidence) as string;
      return { ...about, winner, evidence, ...(dependsOnOrder && { dependsOnOrder }) };
    }
    if (options.signal?.aborted === true) return undefined;
    if (end.isTimedOut) return failed("timed-out", "the judge took longer than it may");
    return failed(said.code, said.message);
  } catch (error) {
    if (options.signal?.aborted === true) return undefined;
    return failed("judge-failed", error instanceof Error ? error.message : String(error));
  } finally {
    end.close();
  }
}

function criteriaOf({ expected: { statements } }: EvalCase): string {
  return statements.length === 0 ? GENERAL : statements.map((one) => `- ${one}`).join("\n");
}
