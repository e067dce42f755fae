import { setImmediate } from "node:timers/promises";

const SLICE_MILLISECONDS = 10;

/** Lets others run now and then: a scan of thousands of files uses synchronous calls, in slices. */
export class TimeSlice {
  #end = performance.now() + SLICE_MILLISECONDS;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + SLICE_MILLISECONDS;
  }
}
