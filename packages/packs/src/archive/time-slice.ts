import { setImmediate } from "node:timers/promises";

const SLICE_MILLISECONDS = 10;

/** Small files are fastest with synchronous calls; others run between the slices. */
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
