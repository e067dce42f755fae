import type { Budget } from "@skillwright/agent";
import { MAX_TEXT } from "@skillwright/agent/internal";
import { plural } from "@skillwright/core/internal";
import {
  type AnswerPreference,
  compareArms,
  type EvalBudget,
  type EvalCase,
  type EvalJournal,
  type EvalOptions,
  type EvalResults,
  evalSetup,
  memoryBudget,
  openJournal,
  pairAnswers,
  planRetries,
  planTrials,
  runEvals,
  summarize,
  type TrialJob,
  type TrialResult,
} from "@skillwright/evals";
import { createRedactor } from "@skillwright/runtime";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AppFailure } from "../failure.ts";
import { noteRuleProblems } from "../runtime/compose-runtime.ts";
import { compareWith, type EvalRun, type Unfinished } from "./conclude.ts";
import { evalGraders, trialPolicies } from "./graders.ts";
import type { EvalModel } from "./model.ts";
import type { OpenedEval } from "./open-eval.ts";
import type { EvalNumbers, EvalWatcher } from "./settings.ts";

interface RetryOptions {
  /** What the trials were run with: the same journal and budget. */
  readonly evals: EvalOptions;
  readonly results: EvalResults;
  readonly baseline: EvalResults | undefined;
  readonly world: OpenedEval;
  readonly numbers: EvalNumbers;
  readonly watcher: EvalWatcher;
}

interface RetriedSuspects {
  /** They count for their cases alone. */
  readonly trials: readonly TrialResult[];
  readonly unfinished?: Unfinished;
}

/** Runs cases that look worse again: on both versions of `--against`, and against a saved baseline on the new one. */
async function retrySuspects(options: RetryOptions): Promise<RetriedSuspects | undefined> {
  const { evals, results, world, watcher } = options;
  const retries = suspectsOf(options);
  if (retries.size === 0) return undefined;
  const { host } = world;
  host.note(`Trying ${plural(retries.size, "case")} again that may have got worse.`);
  const known = new Set(results.trials.map(trialKeyOf));
  const cases = evals.cases.flatMap((one) => {
    const retry = retries.get(one.id);
    if (retry === undefined) return [];
    const tried = results.trials.filter(({ caseId }) => caseId === one.id);
    const most = tried.reduce((sum, { trial }) => Math.max(sum, trial), 0);
    return [{ ...one, trials: most + retry.trials }];
  });
  const arms = evals.arms.map((arm) => ({
    ...arm,
    isFor: ({ id }: EvalCase) => retries.get(id)?.arms.includes(arm.arm.name) === true,
  }));
  const isFurther = (one: TrialJob | TrialResult) => !known.has(trialKeyOf(one));
  const jobs = planTrials({ cases, arms }).filter(isFurther);
  watcher.onBegin?.({ noun: "further trials", total: jobs.length, done: 0, isResumed: false });
  try {
    const onResult = (result: TrialResult) => watcher.onResult?.(result);
    const more = (await runEvals({ ...evals, cases, arms, onResult })).filter(isFurther);
    const trials = more.map((one): TrialResult => ({ ...one, isRetry: true }));
    if (trials.length === jobs.length) return { trials };
    const spent = await evals.evalBudget?.exhausted(evals.evalDigest ?? "");
    const reason = spent === "cost" || spent === "time" ? spent : "interrupted";
    const isOpen = ({ id }: EvalCase) => countOf(more, id) < countOf(jobs, id);
    return { trials, unfinished: { reason, cases: cases.filter(isOpen).length } };
  } finally {
    watcher.onEnd?.();
  }
}

function countOf(all: readonly Pick<TrialJob, "caseId">[], id: string): number {
  return all.filter(({ caseId }) => caseId === id).length;
}

function trialKeyOf({ caseId, arm, trial }: TrialJob | TrialResult): string {
  return JSON.stringify([caseId, arm, trial]);
}

interface Retry {
  readonly trials: number;
  readonly arms: readonly string[];
}

/** The cases that look worse, and how often each has to be tried again. */
export function suspectsOf({
  results,
  baseline,
  world,
  numbers,
}: Pick<RetryOptions, "results" | "baseline" | "world" | "numbers">): ReadonlyMap<string, Retry> {
  const retries = new Map<string, Retry>();
  const tested = results.setup.arms[0]?.name ?? "with_skill";
  if (baseline !== undefined) {
    const { cases } = compareWith(baseline, results, numbers, world.isPart);
    for (const { caseId, trials } of planRetries(cases, { isBaselineSaved: true })) {
      retries.set(caseId, { trials, arms: [tested] });
    }
  }
  const isPaired = results.setup.arms.length > 1;
  for (const { flips } of isPaired ? summarize(results).verdict.paired : []) {
    if (flips === undefined) continue;
    for (const { caseId, trials } of planRetries(flips, { isBaselineSaved: false })) {
      const more = Math.max(trials, retries.get(caseId)?.trials ?? 0);
      retries.set(caseId, { trials: more, arms: [tested, "old_skill"] });
    }
  }
  return retries;
}

interface JudgeArmsOptions {
  /** What the trials were run with. */
  readonly base: EvalOptions;
  readonly trials: readonly TrialResult[];
  readonly journal: EvalJournal;
  /** What the judge said in an earlier run, and still holds. */
  readonly known: readonly AnswerPreference[];
  readonly watcher: EvalWatcher;
}

/** What the judge said, and how many there would have been. */
interface JudgedArms {
  readonly preferences: readonly AnswerPreference[];
  readonly total: number;
}

/** Lets the judge compare the answers of the arms, as carefully as the trials were run. Undefined without a judge or a second arm. */
async function judgeArms(options: JudgeArmsOptions): Promise<JudgedArms | undefined> {
  const { base, trials, journal, watcher } = options;
  const { onBegin, onResult, onEnd, stop, signal } = watcher;
  const { judge } = base.graders ?? {};
  if (judge === undefined || base.arms.length < 2) return undefined;
  const { cases, concurrency, timeoutMs, redactor } = base;
  const answers = { cases, arms: base.arms.map(({ arm }) => arm.name), trials };
  const total = pairAnswers(answers).length;
  const isTold = (one: AnswerPreference) => !("error" in one);
  const finished = journal.preferences.filter(isTold);
  const done = [...options.known.filter(isTold), ...finished];
  const isResumed = finished.length > 0;
  onBegin?.({ noun: "comparisons", total, done: done.length, isResumed });
  try {
    const preferences = await compareArms({
      ...answers,
      judge,
      ...(concurrency !== undefined && { concurrency }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(redactor && { redactor }),
      done,
      ...(stop && { stop }),
      ...(signal && { signal }),
      onPreference: (preference) => {
        journal.appendPreference(preference);
        onResult?.({ outcome: isTold(preference) ? "pass" : "error" });
      },
    });
    return { preferences, total };
  } finally {
    onEnd?.();
  }
}

/** Nobody knows yet what the judge would say. An arm without an answer will have none the next time either. */
function isToBeAskedAgain(preference: AnswerPreference): boolean {
  return "error" in preference && preference.error.code !== "no-answer";
}

/** What makes an eval another one, with a journal of its own. */
interface JournaledEval {
  readonly world: OpenedEval;
  readonly numbers: EvalNumbers;
  readonly model: EvalModel;
  /** What selects skills does nothing else: no script is run and no tool is offered. */
  readonly isTriggerOnly?: boolean;
  /** So many skills were put into the catalog. */
  readonly stress?: number;
}

/** The same for the same command line in the same project; whether the rest is the same the journal knows. */
function journalFolder({ world, numbers, model, isTriggerOnly, stress }: JournaledEval): string {
  const { session, paths, options } = world;
  // Not the judge: who goes on with another one is told so.
  const { filter, replay, record, without, against, yes, sandbox } = options;
  const asked = { filter, replay, record, without, against, yes, sandbox };
  const kind = [isTriggerOnly, stress];
  // Whatever changes no trial – how many at once, how fast, what is tolerated – may change.
  const key = [session.project, paths, model.id, asked, numbers.trialBudget, ...kind];
  const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 24);
  return join(session.stateDirectory, "evals", name);
}

/** Removes the journal, unless there is something in it to be run again. */
export async function forgetEval(
  options: JournaledEval,
  { trials, preferences = [] }: EvalResults,
): Promise<void> {
  if (trials.some(({ outcome }) => outcome === "error")) return;
  if (preferences.some(isToBeAskedAgain)) return;
  // Results are read from it still, and Windows keeps a folder as long as a file in it is open: it is begun anew then.
  await rm(journalFolder(options), { recursive: true, force: true }).catch(() => undefined);
}

/** The journal of an eval that is begun anew, or of the one that was interrupted. */
async function takeJournal(
  folder: string,
  setup: EvalResults["setup"],
  isResumed: boolean,
): Promise<EvalJournal> {
  const startedAt = new Date().toISOString();
  let opened = await openJournal(folder, setup, startedAt);
  const isOld = opened.ok ? opened.journal.resumed > 0 : opened.code !== "eval-busy";
  if (!isResumed && isOld) {
    if (opened.ok) await opened.journal.close();
    await rm(join(folder, "results.jsonl"), { force: true });
    opened = await openJournal(folder, setup, startedAt);
  }
  if (!opened.ok) {
    const { code, message, hint } = opened;
    const more = hint === undefined ? {} : { hint };
    throw new AppFailure("usage", message, { code, ...more });
  }
  return opened.journal;
}

export interface RunEvalOptions extends JournaledEval {
  /** Those of the world unless told. */
  readonly cases?: readonly EvalCase[];
  /** Something follows that has to be finished as well: the journal stays until `forgetEval`. */
  readonly isFollowed?: boolean;
  /** Results that still hold; they are not run again. */
  readonly known?: readonly TrialResult[];
  /** What the judge said about the answers in them. */
  readonly knownPreferences?: readonly AnswerPreference[];
  readonly watcher?: EvalWatcher;
  /** Cases that look worse are tried again, also compared with the baseline. Default: no case is. */
  readonly retries?: { readonly baseline: EvalResults | undefined };
}

/** Runs all cases, with a journal so that it can go on after an interruption. */
export async function runEval(options: RunEvalOptions): Promise<EvalRun> {
  const { world, numbers, model, cases = world.cases, watcher = {} } = options;
  const { stop, signal } = watcher;
  const { session, arms, skills, host } = world;
  const base = await optionsOf(options);
  const setup = await evalSetup({
    modelId: model.id,
    isDeterministic: model.isDeterministic,
    sampling: model.sampling,
    recording: model.recording,
    judgeId: base.graders?.judge?.id,
    seed: numbers.seed,
    trials: numbers.trials,
    arms: arms.map(({ arm }) => arm),
    skills,
    cases,
    version: host.version,
  });
  noteRuleProblems(session, host);
  const journal = await takeJournal(journalFolder(options), setup, world.options.resume === true);
  const { evalDigest } = journal;
  await journal.reopen(evalDigest);
  const jobs = planTrials(base);
  const finished = await countFinished(jobs, journal);
  if (world.options.resume === true && journal.resumed === 0) {
    host.note(
      "Nothing to go on with: no interrupted eval has these paths, options and limits of a trial. Starting anew.",
    );
  }
  const evalBudget = await openBudget(numbers, journal);
  await journal.append(evalDigest, options.known ?? []);
  let trials: readonly TrialResult[] = [];
  let judged: JudgedArms | undefined;
  let retried: RetriedSuspects | undefined;
  const resultsNow = (): EvalResults => ({
    schemaVersion: 1,
    id: `eval-${journal.startedAt.replaceAll(/[-:]|\.\d+/g, "")}`,
    startedAt: journal.startedAt,
    endedAt: new Date().toISOString(),
    setup,
    ...(judged && judged.preferences.length > 0 && { preferences: judged.preferences }),
    trials: retried ? [...trials, ...retried.trials] : trials,
  });
  const isComplete = () =>
    trials.length === jobs.length &&
    (judged === undefined || judged.preferences.length === judged.total);
  const ends = { ...(stop && { stop }), ...(signal && { signal }) };
  const evals = { ...base, journal, evalDigest, ...(evalBudget && { evalBudget }), ...ends };
  try {
    const done = (options.known?.length ?? 0) + finished;
    watcher.onBegin?.({ noun: "trials", total: jobs.length, done, isResumed: finished > 0 });
    trials = await runEvals({
      ...evals,
      onResult: (result) => watcher.onResult?.(result),
    }).finally(() => watcher.onEnd?.());
    judged = await judgeArms({
      base,
      trials,
      journal,
      known: options.knownPreferences ?? [],
      watcher,
    });
    if (options.retries !== undefined && isComplete()) {
      const { baseline } = options.retries;
      retried = await retrySuspects({
        evals,
        results: resultsNow(),
        baseline,
        world,
        numbers,
        watcher,
      });
    }
  } finally {
    await journal.close();
  }
  const isStopped = stop?.aborted === true;
  const { preferences, total = 0 } = judged ?? {};
  if (isStopped && trials.length < jobs.length) {
    throw interrupted(trials.length, jobs.length, "trials");
  }
  if (isStopped && preferences !== undefined && preferences.length < total) {
    throw interrupted(preferences.length, total, "comparisons");
  }
  const spent = trials.length < jobs.length && (await evalBudget?.exhausted(evalDigest));
  if (spent) {
    const option = spent === "cost" ? "--budget-cost" : "--budget-time";
    const message = `${option} ran out after ${trials.length} of ${jobs.length} trials`;
    const hint = `raise ${option}, and go on with the same command and --resume`;
    throw new AppFailure("missing", message, { hint });
  }
  const results = resultsNow();
  const unfinished = retried?.unfinished;
  if (options.isFollowed !== true && unfinished === undefined) await forgetEval(options, results);
  return { results, ...(unfinished && { unfinished }) };
}

/** How many of the jobs have a result already. There may be others: of cases that were tried again. */
async function countFinished(jobs: readonly TrialJob[], journal: EvalJournal): Promise<number> {
  if (journal.resumed === 0) return 0;
  const planned = new Set(jobs.map(trialKeyOf));
  let finished = 0;
  for await (const one of journal.stream(journal.evalDigest)) {
    if (planned.has(trialKeyOf(one))) finished++;
  }
  return finished;
}

/** No trial may spend more than the whole eval. */
function boundedBudget({ trialBudget, budget }: EvalNumbers): Partial<Budget> {
  const most = Math.min(trialBudget.cost ?? Infinity, budget.cost ?? Infinity);
  return { ...trialBudget, ...(Number.isFinite(most) && { cost: most }) };
}

/** What an interrupted run of it spent counts as well. Undefined without a limit. */
async function openBudget(
  { budget }: EvalNumbers,
  journal: EvalJournal,
): Promise<EvalBudget | undefined> {
  if (budget.cost === undefined && budget.timeMs === undefined) return undefined;
  const { timeMs } = budget;
  const left = timeMs !== undefined && { timeMs: Math.max(0, timeMs - journal.usedMs) };
  const opened = memoryBudget({ ...budget, ...left });
  for await (const { usage } of journal.stream(journal.evalDigest)) {
    const tokens = usage.inputTokens + usage.outputTokens;
    await opened.spend(journal.evalDigest, { cost: usage.cost, tokens });
  }
  return opened;
}

async function optionsOf(options: RunEvalOptions): Promise<EvalOptions> {
  const { world, numbers, model, cases = world.cases, isTriggerOnly = false } = options;
  const { session, host, arms, executor, folder } = world;
  const shared = { ...world.options, shared: executor };
  return {
    cases,
    arms,
    openModel: model.open,
    ...(!isTriggerOnly && {
      openPolicy: trialPolicies({ session, options: shared, host }),
    }),
    ...(!isTriggerOnly && { graders: await evalGraders(world, numbers) }),
    trials: numbers.trials,
    concurrency: numbers.jobs,
    timeoutMs: numbers.timeoutMs,
    budget: boundedBudget(numbers),
    redactor: createRedactor({ env: host.env, maxStringLength: MAX_TEXT }),
    folder,
  };
}

function interrupted(done: number, total: number, what: string): AppFailure {
  return new AppFailure("interrupted", `interrupted after ${done} of ${total} ${what}`, {
    hint: "go on with the same command and --resume",
  });
}
