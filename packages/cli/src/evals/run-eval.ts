import {
  type AnswerPreference,
  type EvalCase,
  type EvalOptions,
  type EvalResults,
  evalSetup,
  planTrials,
  runEvals,
  type TrialResult,
} from "@skillwright/evals";
import { MAX_TEXT } from "@skillwright/agent";
import { createRedactor } from "@skillwright/runtime";
import { budgetOf } from "../agent/run-options.ts";
import { noteRuleProblems } from "../runtime/compose-runtime.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { stopOnInterrupt } from "../terminal/stop-on-interrupt.ts";
import { VERSION } from "../version.ts";
import { boundHeap } from "./bound-heap.ts";
import { evalGraders } from "./eval-graders.ts";
import { EvalProgress } from "./eval-progress.ts";
import { isToBeAskedAgain, type JudgedArms, judgeArms } from "./judge-arms.ts";
import { forgetEval, type JournaledEval, journalFolder } from "./journal-folder.ts";
import { takeJournal } from "./take-journal.ts";
import { trialPolicies } from "./trial-policies.ts";

export interface RunEvalOptions extends JournaledEval {
  /** Those of the world unless told. */
  readonly cases?: readonly EvalCase[];
  /** Something follows that has to be finished as well: the journal stays until `forgetEval`. */
  readonly isFollowed?: boolean;
  /** Results that still hold; they are not run again. */
  readonly known?: readonly TrialResult[];
  /** What the judge said about the answers in them. */
  readonly knownPreferences?: readonly AnswerPreference[];
  /** Ends it now, with the results that are there. */
  readonly signal?: AbortSignal;
}

/** Runs all cases, with a journal so that it can go on after an interruption. */
export async function runEval(options: RunEvalOptions): Promise<EvalResults> {
  const { world, numbers, model, cases = world.cases } = options;
  const { session, arms, skills, console } = world;
  const { trials, seed } = numbers;
  const base = await optionsOf(options);
  const setup = await evalSetup({
    modelId: model.id,
    isDeterministic: model.isDeterministic,
    judgeId: base.graders?.judge?.id,
    seed,
    trials,
    arms: arms.map(({ arm }) => arm),
    skills,
    cases,
    version: VERSION,
  });
  noteRuleProblems(session, console);
  const journal = await takeJournal(journalFolder(options), setup, world.options.resume === true);
  const finished = journal.done.filter(({ outcome }) => outcome !== "error");
  const done = [...(options.known ?? []), ...finished];
  const progress = new EvalProgress(console, {
    total: planTrials(base).length,
    done: done.length,
    isResumed: finished.length > 0,
  });
  let shown = progress;
  let results: readonly TrialResult[] = [];
  let judged: JudgedArms | undefined;
  let isStopped = false;
  const collectIfMuch = boundHeap();
  try {
    await stopOnInterrupt(
      async ({ stop, signal: endNow }) => {
        const signal = AbortSignal.any([endNow, ...(options.signal ? [options.signal] : [])]);
        try {
          results = await runEvals({
            ...base,
            done,
            stop,
            signal,
            keep: (result) => journal.append(result),
            onResult(result) {
              progress.add(result);
              collectIfMuch();
            },
          });
          const known = options.knownPreferences ?? [];
          const onBegin = (next: EvalProgress) => (shown = next);
          const ends = { stop, signal, console, onBegin };
          judged = await judgeArms({ base, trials: results, journal, known, ...ends });
        } finally {
          isStopped = stop.aborted;
        }
      },
      { onStop: (how) => shown.stopping(how) },
    );
  } finally {
    progress.end();
    await journal.close();
  }
  const { preferences, total = 0 } = judged ?? {};
  if (isStopped && results.length < progress.total) {
    throw interrupted(results.length, progress.total, "trials");
  }
  if (isStopped && preferences !== undefined && preferences.length < total) {
    throw interrupted(preferences.length, total, "comparisons");
  }
  const isFinal = preferences?.some(isToBeAskedAgain) !== true && options.isFollowed !== true;
  if (isFinal) await forgetEval(options, results);
  return {
    schemaVersion: 1,
    id: `eval-${journal.startedAt.replaceAll(/[-:]|\.\d+/g, "")}`,
    startedAt: journal.startedAt,
    endedAt: new Date().toISOString(),
    setup,
    ...(preferences && preferences.length > 0 && { preferences }),
    trials: results,
  };
}

async function optionsOf(options: RunEvalOptions): Promise<EvalOptions> {
  const { world, numbers, model, cases = world.cases, isTriggerOnly = false } = options;
  const { session, console, arms, executor, folder } = world;
  const shared = { ...world.options, shared: executor };
  return {
    cases,
    arms,
    openModel: model.open,
    modelId: model.id,
    isDeterministic: model.isDeterministic,
    ...(!isTriggerOnly && { openPolicy: trialPolicies({ session, options: shared, console }) }),
    ...(!isTriggerOnly && { graders: await evalGraders(world, numbers) }),
    trials: numbers.trials,
    concurrency: numbers.jobs,
    timeoutMs: numbers.timeoutMs,
    budget: budgetOf(world.options),
    seed: numbers.seed,
    redactor: createRedactor({ env: console.env, maxStringLength: MAX_TEXT }),
    folder,
  };
}

function interrupted(done: number, total: number, what: string): CommandFailure {
  return new CommandFailure(EXIT.interrupted, `interrupted after ${done} of ${total} ${what}`, {
    hint: "go on with the same command and --resume",
  });
}
