import { setTimeout } from "node:timers/promises";
import { plural } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { cancelOnInterrupt } from "../terminal/cancel-on-interrupt.ts";
import type { EvalCommandOptions, EvalNumbers } from "./eval-options.ts";
import { type EvalWorld, withEvalWorld } from "./eval-world.ts";
import { runTouched, type WatchState } from "./run-touched.ts";
import { type WorldWatch, watchWorld } from "./watch-world.ts";

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
    const state: WatchState = { numbers, signal, isDropped: false };
    let trust = options.trust === true;
    const open: OpenWatch = (shown, onOpen) => {
      const since = Date.now();
      return withEvalWorld(paths, { ...options, trust }, shown, async (world) => {
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
      if (!(error instanceof CommandFailure) || isInterruption(error)) throw error;
      const trouble = [...notes, `error: ${error.message}`].join("\n");
      if (trouble !== said) {
        console.note(`${trouble}\nWaiting until that is mended; Ctrl-C ends it.`);
      }
      said = trouble;
    }
    await setTimeout(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Watched before it runs: what is saved meanwhile counts. */
async function watchedRun(world: EvalWorld, state: WatchState, since: number): Promise<WorldWatch> {
  const watch = await watchWorld(world, since);
  const isFirst = state.last === undefined && !state.isDropped;
  try {
    await runTouched(world, state, watch);
  } catch (error) {
    const isBearable = error instanceof CommandFailure && !isInterruption(error) && !isFirst;
    if (!isBearable) {
      await watch.close();
      throw error;
    }
    world.console.note(`error: ${error.message}`);
  }
  return watch;
}

function sayWatching(state: WatchState, console: Console): void {
  if (state.watched === undefined || state.signal.aborted) return;
  console.note(`Watching ${plural(state.watched, "case")} and their skills; Ctrl-C ends it.`);
  state.watched = undefined;
}

/** "Only this time" is as long as this command runs. */
async function isTrustedOnce({ session }: EvalWorld): Promise<boolean> {
  return session.projectTrusted && (await session.trust.folder(session.project)) !== "trusted";
}

function isInterruption(error: unknown): boolean {
  return error instanceof CommandFailure && error.exitCode === EXIT.interrupted;
}
