import {
  type AnswerPreference,
  compareArms,
  type EvalJournal,
  type EvalOptions,
  pairAnswers,
  type TrialResult,
} from "@skillwright/evals";
import type { Console } from "../console.ts";
import { EvalProgress } from "./eval-progress.ts";

interface JudgeArmsOptions {
  /** What the trials were run with. */
  readonly base: EvalOptions;
  readonly trials: readonly TrialResult[];
  readonly journal: EvalJournal;
  /** What the judge said in an earlier run, and still holds. */
  readonly known: readonly AnswerPreference[];
  readonly stop: AbortSignal;
  readonly signal: AbortSignal;
  readonly console: Console;
  /** Who is told that it is to stop from now on. */
  readonly onBegin: (progress: EvalProgress) => void;
}

/** What the judge said, and how many there would have been. */
export interface JudgedArms {
  readonly preferences: readonly AnswerPreference[];
  readonly total: number;
}

/** Lets the judge compare the answers of the arms, as carefully as the trials were run. Undefined without a judge or a second arm. */
export async function judgeArms(options: JudgeArmsOptions): Promise<JudgedArms | undefined> {
  const { base, trials, journal, stop, signal, console, onBegin } = options;
  const { judge } = base.graders ?? {};
  if (judge === undefined || base.arms.length < 2) return undefined;
  const { cases, concurrency, timeoutMs, redactor } = base;
  const answers = { cases, arms: base.arms.map(({ arm }) => arm.name), trials };
  const total = pairAnswers(answers).length;
  const isTold = (one: AnswerPreference) => !("error" in one);
  const finished = journal.preferences.filter(isTold);
  const done = [...options.known.filter(isTold), ...finished];
  const isResumed = finished.length > 0;
  const start = { total, done: done.length, isResumed, noun: "comparisons" };
  const progress = new EvalProgress(console, start);
  onBegin(progress);
  try {
    const preferences = await compareArms({
      ...answers,
      judge,
      ...(concurrency !== undefined && { concurrency }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(redactor && { redactor }),
      done,
      stop,
      signal,
      onPreference: (preference) => {
        journal.appendPreference(preference);
        progress.add({ outcome: isTold(preference) ? "pass" : "error" });
      },
    });
    return { preferences, total };
  } finally {
    progress.end();
  }
}

/** Nobody knows yet what the judge would say. An arm without an answer will have none the next time either. */
export function isToBeAskedAgain(preference: AnswerPreference): boolean {
  return "error" in preference && preference.error.code !== "no-answer";
}
