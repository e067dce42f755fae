import type { AnswerPreference, EvalCase, EvalResults, TrialResult } from "@skillwright/evals";
import { plural, visibleLine } from "@skillwright/core/internal";
import { relativePath } from "../terminal/relative-path.ts";
import { concludeEval } from "./conclude-eval.ts";
import {
  changesBetween,
  evalFingerprint,
  type EvalRound,
  touchedCases,
} from "./eval-fingerprint.ts";
import { openEvalModel } from "./eval-model.ts";
import type { EvalNumbers } from "./eval-options.ts";
import type { EvalWorld } from "./eval-world.ts";
import { runEval } from "./run-eval.ts";
import type { WorldWatch } from "./watch-world.ts";

const MAX_NAMED = 5;

/** What is known from one run to the next. */
export interface WatchState {
  readonly numbers: EvalNumbers;
  /** Somebody wants it to end. */
  readonly signal: AbortSignal;
  last?: EvalRound;
  /** Something changed in the middle of the run before. */
  isDropped: boolean;
  /** Cases that were shown and are now watched; until that is said. */
  watched?: number | undefined;
}

/** Runs the cases whose results may be others now, and shows the results of all. */
export async function runTouched(
  world: EvalWorld,
  state: WatchState,
  { outdated }: WorldWatch,
): Promise<void> {
  const { skills, cases, console, session, options } = world;
  const { last, numbers, signal } = state;
  const fingerprint = await evalFingerprint(skills, cases);
  const changes = last && changesBetween(fingerprint, last.fingerprint);
  const isSame = changes?.skills.length === 0 && changes.files.length === 0;
  if (signal.aborted || (isSame && !state.isDropped)) return;
  const touched = last === undefined ? cases : isSame ? [] : touchedCases(cases, fingerprint, last);
  if (changes) console.note(changeText(changes, touched.length, world));
  const { requestsPerMinute } = numbers;
  const model = await openEvalModel(options, { session, console, requestsPerMinute });
  const known = last === undefined ? [] : stillKnown(last.results.trials, cases, touched);
  const results = await runEval({
    world,
    numbers,
    model,
    known,
    knownPreferences: stillPreferred(last?.results, known),
    signal: outdated,
  });
  state.isDropped = outdated.aborted;
  if (outdated.aborted) {
    console.note("Something changed while it ran: these results are dropped, and it starts anew.");
    return;
  }
  state.last = { results, fingerprint };
  await concludeEval(results, world, numbers);
  state.watched = cases.length;
}

/** Where a case stands in its file may be another place now. */
function stillKnown(
  trials: readonly TrialResult[],
  cases: readonly EvalCase[],
  touched: readonly EvalCase[],
): TrialResult[] {
  const again = new Set(touched);
  const kept = new Map(cases.filter((one) => !again.has(one)).map((one) => [one.id, one.origin]));
  return trials.flatMap((trial) => {
    const origin = kept.get(trial.caseId);
    return origin === undefined ? [] : { ...trial, origin };
  });
}

/** A judge is not asked again about two answers that are the same ones still. */
function stillPreferred(
  results: EvalResults | undefined,
  known: readonly TrialResult[],
): AnswerPreference[] {
  const ids = new Set(known.map(({ caseId }) => caseId));
  return (results?.preferences ?? []).filter(({ caseId }) => ids.has(caseId));
}

function changeText(
  { skills, files }: ReturnType<typeof changesBetween>,
  touched: number,
  { cases, console }: EvalWorld,
): string {
  const names = [
    ...skills.map((name) => `the skill ${name}`),
    ...files.map((file) => relativePath(file, console.cwd)),
  ];
  const more = names.length - MAX_NAMED;
  const shown = [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const what = shown === "" ? "Nothing changed in the end" : `Changed: ${shown}`;
  const all = plural(cases.length, "case");
  return visibleLine(`${what}. Running ${touched} of ${all} again.`);
}
