import type { EvalWatcher, EvalWork } from "@skillwright/app/internal";
import type { TrialResult } from "@skillwright/evals";
import { plural } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { type StopKind, stopOnInterrupt } from "../terminal/stop-on-interrupt.ts";
import { boundHeap, boundHeapForReports } from "./bound-heap.ts";

const REDRAW_MS = 100;

/** Shows how far an eval is; Ctrl-C lets it end. `outdated` ends it now. */
export function withProgress<Result>(
  console: Console,
  work: (watcher: EvalWatcher) => Promise<Result>,
  outdated?: AbortSignal,
): Promise<Result> {
  let shown: EvalProgress | undefined;
  const collectIfMuch = boundHeap();
  return stopOnInterrupt(
    ({ stop, signal }) =>
      work({
        stop,
        signal: outdated === undefined ? signal : AbortSignal.any([signal, outdated]),
        onBegin(begun) {
          shown = new EvalProgress(console, begun);
          // Whatever was read to go on with is mostly garbage by now.
          boundHeapForReports({ length: begun.done });
        },
        onResult(result) {
          shown?.add(result);
          collectIfMuch();
        },
        onEnd: () => shown?.end(),
      }),
    { onStop: (how) => shown?.stopping(how) },
  );
}

/** One line on a terminal: how far it is, what came of it, and how long it will take. */
class EvalProgress {
  readonly total: number;
  readonly #console: Console;
  readonly #earlier: number;
  readonly #noun: string;
  readonly #startedAt = performance.now();
  readonly #counts = { pass: 0, fail: 0, error: 0, unjudged: 0 };
  #done: number;
  #drawnAt = -REDRAW_MS;

  constructor(console: Console, { total, done, isResumed, noun }: EvalWork) {
    this.total = total;
    this.#console = console;
    this.#noun = noun;
    this.#done = done;
    this.#earlier = done;
    if (isResumed) console.note(`Going on: ${done} of ${total} ${noun} are done already.`);
  }

  add({ outcome }: Pick<TrialResult, "outcome">): void {
    this.#done++;
    this.#counts[outcome]++;
    const now = performance.now();
    if (now - this.#drawnAt < REDRAW_MS && this.#done < this.total) return;
    this.#drawnAt = now;
    this.#console.progress(this.line(now));
  }

  stopping(how: StopKind): void {
    if (how === "gone") return;
    this.#console.note(
      how === "now"
        ? "Stopping now."
        : `Stopping after the ${this.#noun} that are under way; Ctrl-C again stops now.`,
    );
  }

  end(): void {
    // Whatever is printed next takes the line away; without anything it would stay.
    this.#console.progress("");
  }

  line(now = performance.now()): string {
    const { fail, error } = this.#counts;
    const parts = [
      `${this.#done}/${this.total} ${this.#noun}`,
      fail > 0 ? `${fail} failed` : "",
      error > 0 ? plural(error, "error") : "",
      this.#left(now),
    ];
    return parts.filter((part) => part !== "").join(" · ");
  }

  #left(now: number): string {
    const ran = this.#done - this.#earlier;
    const missing = this.total - this.#done;
    if (ran === 0 || missing === 0) return "";
    return `about ${timeText(((now - this.#startedAt) / ran) * missing)} left`;
  }
}

function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
