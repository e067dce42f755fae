import { closeSync, fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import type { TrialResult } from "../results/eval-results.ts";
import { createShare } from "./create-share.ts";
import { storedTrial, type TrialSource } from "./stored-trial.ts";

interface LogLine {
  readonly text: string;
  /** In bytes; without the end of the line. */
  readonly start: number;
  readonly length: number;
}

const CHUNK = 64 * 1024;
const NEWLINE = 10;
/** A longer one is no trial, and would fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Trials that are in use read from the file, so that it is closed only when nobody holds one of them any longer. */
const forgotten = new FinalizationRegistry<number>(closeSync);

/** A file of lines, with a trial in each but the first. */
export class TrialLog implements TrialSource {
  readonly #descriptor: number;
  readonly #share = createShare();
  #end: number;
  /** Who looks at one part of a trial looks at the others next. */
  #last: { readonly start: number; readonly trial: TrialResult } | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#end = fstatSync(descriptor).size;
    forgotten.register(this, descriptor, this);
  }

  /** At once, when there is nothing in it for anybody. */
  close(): void {
    forgotten.unregister(this);
    closeSync(this.#descriptor);
  }

  /** All whole lines, without having more than one of them in memory. */
  *lines(): Generator<LogLine> {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let parts: Buffer[] = [];
    let start = 0;
    let length = 0;
    for (let at = 0; at < this.#end;) {
      const count = readSync(this.#descriptor, chunk, 0, CHUNK, at);
      if (count === 0) return;
      at += count;
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to !== -1 && to < count;) {
        length += to - from;
        const text = Buffer.concat([...parts, chunk.subarray(from, to)]).toString("utf8");
        yield { text, start, length };
        [parts, start, length] = [[], start + length + 1, 0];
        from = to + 1;
        to = chunk.indexOf(NEWLINE, from);
      }
      parts.push(Buffer.from(chunk.subarray(from, count)));
      length += count - from;
      if (length > MAX_LINE_BYTES)
        throw new RangeError(`a line has more than ${MAX_LINE_BYTES} bytes`);
    }
  }

  append(result: TrialResult): TrialResult {
    const start = this.#end;
    const length = this.write(`${JSON.stringify(result)}\n`) - 1;
    return this.stored(result, start, length);
  }

  stored(result: TrialResult, start: number, length: number): TrialResult {
    return storedTrial(result, this, { start, length }, this.#share);
  }

  /** Gives how many bytes that were. */
  write(text: string): number {
    const bytes = Buffer.from(text, "utf8");
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
    this.#end += bytes.length;
    return bytes.length;
  }

  /** What stands behind was never whole. */
  cut(bytes: number): void {
    ftruncateSync(this.#descriptor, bytes);
    this.#end = bytes;
  }

  readTrial(start: number, length: number): TrialResult {
    if (this.#last?.start !== start) {
      const bytes = Buffer.allocUnsafe(length);
      for (let at = 0; at < length;) {
        const count = readSync(this.#descriptor, bytes, at, length - at, start + at);
        if (count === 0) throw new Error("the journal of this eval was cut off while it was read");
        at += count;
      }
      this.#last = { start, trial: JSON.parse(bytes.toString("utf8")) as TrialResult };
    }
    return this.#last.trial;
  }
}
