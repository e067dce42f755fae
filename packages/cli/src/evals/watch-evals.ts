import { AppFailure } from "@skillwright/app";
import {
  changesBetween,
  evalFingerprint,
  type EvalNumbers,
  type EvalRound,
  type OpenedEval,
  findBaseline,
  openEvalModel,
  runEval,
  suspectsOf,
  touchedCases,
  withEval,
} from "@skillwright/app/internal";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { AnswerPreference, EvalCase, EvalResults, TrialResult } from "@skillwright/evals";
import { setTimeout } from "node:timers/promises";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { cancelOnInterrupt } from "../terminal/cancel-on-interrupt.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { reportEval } from "./conclude-eval.ts";
import type { EvalCommandOptions } from "./eval-options.ts";
import { withProgress } from "./eval-progress.ts";
import { watchWorld, type WorldWatch } from "./watch-world.ts";

const MAX_NAMED = 5;

/** What is known from one run to the next. */
interface WatchState {
  readonly options: EvalCommandOptions;
  readonly numbers: EvalNumbers;
  /** Where results and reports go. */
  console: Console;
  /** Somebody wants it to end. */
  readonly signal: AbortSignal;
  last?: EvalRound;
  /** Something changed in the middle of the run before. */
  isDropped: boolean;
  /** Cases that were shown and are now watched; until that is said. */
  watched?: number | undefined;
}

/** Runs the cases whose results may be others now, and shows the results of all. */
async function runTouched(
  world: OpenedEval,
  state: WatchState,
  { outdated }: WorldWatch,
): Promise<void> {
  const { skills, cases, session } = world;
  const { last, numbers, signal, options, console } = state;
  const fingerprint = await evalFingerprint(skills, cases);
  const changes = last && changesBetween(fingerprint, last.fingerprint);
  const isSame = changes?.skills.length === 0 && changes.files.length === 0;
  if (signal.aborted || (isSame && !state.isDropped)) return;
  const touched = last === undefined ? cases : isSame ? [] : touchedCases(cases, fingerprint, last);
  if (changes) console.note(changeText(changes, touched.length, world));
  const { requestsPerMinute } = numbers;
  const model = await openEvalModel(options, { session, host: console, requestsPerMinute });
  const known = last === undefined ? [] : stillKnown(last.results.trials, cases, touched);
  const knownPreferences = stillPreferred(last?.results, known);
  const { results } = await withProgress(
    console,
    (watcher) => runEval({ world, numbers, model, known, knownPreferences, watcher }),
    outdated,
  );
  state.isDropped = outdated.aborted;
  if (outdated.aborted) {
    console.note("Something changed while it ran: these results are dropped, and it starts anew.");
    return;
  }
  state.last = { results, fingerprint };
  const baseline = await findBaseline(world);
  if (suspectsOf({ results, baseline, world, numbers }).size > 0) {
    console.note("Cases look worse. --watch tries none again: run skillwright eval to be sure.");
  }
  await reportEval({ results }, world, numbers, { options, console });
  state.watched = cases.length;
}

/** The line of a case may have changed since the last round. */
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
  { cases, host }: OpenedEval,
): string {
  const names = [
    ...skills.map((name) => `the skill ${name}`),
    ...files.map((file) => relativePath(file, host.cwd)),
  ];
  const more = names.length - MAX_NAMED;
  const shown = [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const what = shown === "" ? "Nothing changed in the end" : `Changed: ${shown}`;
  const all = plural(cases.length, "case");
  return visibleLine(`${what}. Running ${touched} of ${all} again.`);
}

const RETRY_MS = 500;

type OpenWatch = (console: Console, onOpen: () => void) => Promise<WorldWatch>;

/** Runs all cases, then what a change touches, until somebody stops it. Results are always of all cases. */
export function watchEvals(
  paths: readonly string[],
  options: EvalCommandOptions,
  numbers: EvalNumbers,
  console: Console,
): Promise<ExitCode> {
  return cancelOnInterrupt(async (signal) => {
    const state: WatchState = { options, numbers, console, signal, isDropped: false };
    let trust = options.trust === true;
    const open: OpenWatch = (shown, onOpen) => {
      const since = Date.now();
      state.console = shown;
      return withEval(paths, { ...options, trust }, shown, async (world) => {
        onOpen();
        trust ||= await isTrustedOnce(world);
        return watchedRun(world, state, since);
      });
    };
    try {
      let watch: WorldWatch | undefined = await open(console, () => {});
      while (watch !== undefined) {
        // Nothing temporary is left by now: whoever closes the terminal ends it without a word.
        sayWatching(state, console);
        await watch.changed(signal);
        await watch.close();
        watch = await openAgain(open, console, signal);
      }
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
    return EXIT.interrupted;
  });
}

/** Who edits cases leaves some half-written for a while: it is said once, and tried until it works. */
async function openAgain(
  open: OpenWatch,
  console: Console,
  signal: AbortSignal,
): Promise<WorldWatch | undefined> {
  let said = "";
  while (!signal.aborted) {
    const notes: string[] = [];
    let isHeld = true;
    const note = (text: string) => void (isHeld ? notes.push(text) : console.note(text));
    try {
      // Asked once, at the start: nobody sits there to be asked after every edit.
      return await open({ ...console, note, canAsk: false }, () => {
        isHeld = false;
        for (const text of notes) console.note(text);
      });
    } catch (error) {
      if (!(error instanceof AppFailure) || isInterruption(error)) throw error;
      const trouble = [...notes, `error: ${error.message}`].join("\n");
      if (trouble !== said) {
        console.note(`${trouble}\nWaiting until that is fixed; Ctrl-C ends it.`);
      }
      said = trouble;
    }
    await setTimeout(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Watched before it runs: what is saved meanwhile counts. */
async function watchedRun(
  world: OpenedEval,
  state: WatchState,
  since: number,
): Promise<WorldWatch> {
  const watch = await watchWorld(world, since, state.options);
  const isFirst = state.last === undefined && !state.isDropped;
  try {
    await runTouched(world, state, watch);
  } catch (error) {
    const isBearable = error instanceof AppFailure && !isInterruption(error) && !isFirst;
    if (!isBearable) {
      await watch.close();
      throw error;
    }
    state.console.note(`error: ${error.message}`);
  }
  return watch;
}

function sayWatching(state: WatchState, console: Console): void {
  if (state.watched === undefined || state.signal.aborted) return;
  console.note(`Watching ${plural(state.watched, "case")} and their skills; Ctrl-C ends it.`);
  state.watched = undefined;
}

/** "Only this time" is as long as this command runs. */
async function isTrustedOnce({ session }: OpenedEval): Promise<boolean> {
  return session.projectTrusted && (await session.trust.folder(session.project)) !== "trusted";
}

function isInterruption(error: unknown): boolean {
  return error instanceof AppFailure && error.kind === "interrupted";
}
