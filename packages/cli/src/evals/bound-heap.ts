import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What may pile up before it is collected: what some hundred trials leave behind. */
const MAX_GARBAGE_BYTES = 32 * 1024 * 1024;
/** In use at the start of a small run. What is more is of reading many cases, and mostly garbage. */
const USUAL_BYTES = 40 * 1024 * 1024;
/** To ask how much is in use takes a while, too. */
const LOOKS_EVERY = 32;

/**
 * Keeps the memory of a long run flat. V8 lets garbage that is not brand-new pile up to several times of what is in
 * use, so that ten thousand trials would take twice the memory of one thousand. To be called once a trial.
 */
export function boundHeap(): () => void {
  let count = 0;
  let inUse = USUAL_BYTES;
  let collect: (() => void) | undefined;
  return () => {
    if (++count % LOOKS_EVERY !== 0) return;
    if (process.memoryUsage().heapUsed - inUse < MAX_GARBAGE_BYTES) return;
    collect ??= garbageCollector();
    collect();
    inUse = process.memoryUsage().heapUsed;
  };
}

/** The flag is taken back at once: compiled code that was kept is only good for the flags it was made with. */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  return collect;
}

/** Fewer leave too little garbage to care about. */
const MANY_TRIALS = 5000;

/** Summaries and reports of many trials take more time then, and less than half of the memory. */
export function boundHeapForReports({ length }: { readonly length: number }): void {
  if (length > MANY_TRIALS) setFlagsFromString("--heap-growing-percent=10");
}
