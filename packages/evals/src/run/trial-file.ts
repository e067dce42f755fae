import { fstatSync, ftruncateSync, readSync, writeSync, closeSync } from "node:fs";
import type { Grade } from "../grade/grade.ts";
import type { TrialResult } from "../results/eval-results.ts";

interface FileLine {
  readonly text: string;
  /** In bytes; without the end of the line. */
  readonly start: number;
  readonly length: number;
}

const CHUNK = 64 * 1024;
const NEWLINE = 10;
/** A longer line holds no trial, and would fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MOST_SHARED = 4096;

/** Trials read from the file when somebody looks at their details, so it stays open as long as one of them is in use. */
const forgotten = new FinalizationRegistry<number>(closeSync);

/** A file with a trial in each line, such as a journal or saved results. */
export class TrialFile {
  readonly #descriptor: number;
  readonly #shared = new Map<string, unknown>();
  #end: number;
  /** Who looks at one part of a trial usually looks at the others next. */
  #last: { readonly start: number; readonly trial: TrialResult } | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#end = fstatSync(descriptor).size;
    forgotten.register(this, descriptor, this);
  }

  /** At once, when nobody uses a trial of it. */
  close(): void {
    forgotten.unregister(this);
    closeSync(this.#descriptor);
  }

  /** All whole lines, with one of them in memory at a time. */
  *lines(): Generator<FileLine> {
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
      if (length > MAX_LINE_BYTES) {
        throw new RangeError(`a line has more than ${MAX_LINE_BYTES} bytes`);
      }
    }
  }

  append(result: TrialResult): TrialResult {
    const start = this.#end;
    const length = this.write(`${JSON.stringify(result)}\n`) - 1;
    return this.stored(result, start, length);
  }

  /** Gives the number of bytes. */
  write(text: string): number {
    const bytes = Buffer.from(text, "utf8");
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
    this.#end += bytes.length;
    return bytes.length;
  }

  /** Drops everything behind: a line that was never whole. */
  cut(bytes: number): void {
    ftruncateSync(this.#descriptor, bytes);
    this.#end = bytes;
  }

  /**
   * The same trial with only that in memory which summaries look at. Steps, answer and evidence are read again
   * whenever somebody looks at them. For everybody else it is a result like any other.
   */
  stored(result: TrialResult, start: number, length: number): TrialResult {
    const scores = this.#share(result.grades.map(withoutEvidence));
    const stored = {};
    // In the order of the fields, with the same getters for all: V8 then keeps one description of them.
    for (const [name, value] of Object.entries(result)) {
      const field = DETAILS.get(name) ?? {
        enumerable: true,
        value: OWN.has(name) ? (value as unknown) : this.#share(value as unknown),
      };
      Object.defineProperty(stored, name, field);
    }
    Object.defineProperty(stored, SOURCE, { value: this });
    Object.defineProperty(stored, START, { value: start });
    Object.defineProperty(stored, LENGTH, { value: length });
    return Object.defineProperty(stored, SCORES, { value: scores }) as TrialResult;
  }

  readTrial(start: number, length: number): TrialResult {
    if (this.#last?.start !== start) {
      const bytes = Buffer.allocUnsafe(length);
      for (let at = 0; at < length;) {
        const count = readSync(this.#descriptor, bytes, at, length - at, start + at);
        if (count === 0) throw new Error("the file of this eval was cut off while it was read");
        at += count;
      }
      this.#last = { start, trial: JSON.parse(bytes.toString("utf8")) as TrialResult };
    }
    return this.#last.trial;
  }

  /** One and the same for all that are equal as JSON: what the trials of a case have in common is in memory once. */
  #share<Value>(value: Value): Value {
    const key = typeof value === "string" ? value : JSON.stringify(value);
    const same = this.#shared.get(key);
    if (same !== undefined && typeof same === typeof value) return same as Value;
    // What comes once in thousands is not worth remembering.
    if (this.#shared.size >= MOST_SHARED) this.#shared.clear();
    this.#shared.set(key, value);
    return value;
  }
}

/** Fields that are different in each trial, or take no memory of their own. */
const OWN: ReadonlySet<string> = new Set(["trial", "usage", "catalogTokens", "activationTokens"]);

const SOURCE = Symbol("source");
const START = Symbol("start");
const LENGTH = Symbol("length");
const SCORES = Symbol("scores");

/** Small, since those of all trials are in memory together. */
type Stored = TrialResult & {
  readonly [SOURCE]: TrialFile;
  readonly [START]: number;
  readonly [LENGTH]: number;
  readonly [SCORES]: readonly GradeScore[];
};

type GradeScore = Omit<Grade, "evidence">;

function withoutEvidence({ metric, text, outcome, score }: Grade): GradeScore {
  return { metric, text, outcome, score };
}

const DETAILS: ReadonlyMap<string, PropertyDescriptor> = new Map([
  ["answer", detail((trial) => written(trial).answer)],
  ["status", detail((trial) => written(trial).status)],
  ["steps", detail((trial) => written(trial).steps)],
  ["runId", detail((trial) => written(trial).runId)],
  ["grades", detail((trial) => trial[SCORES].map((score, at) => storedGrade(score, trial, at)))],
]);

function written(trial: Stored): TrialResult {
  return trial[SOURCE].readTrial(trial[START], trial[LENGTH]);
}

function detail(look: (trial: Stored) => unknown): PropertyDescriptor {
  return {
    enumerable: true,
    get(this: Stored) {
      return look(this);
    },
  };
}

const TRIAL = Symbol("trial");
const INDEX = Symbol("index");

function storedGrade(score: GradeScore, trial: Stored, index: number): Grade {
  const grade = { ...score };
  Object.defineProperty(grade, TRIAL, { value: trial });
  Object.defineProperty(grade, INDEX, { value: index });
  return Object.defineProperty(grade, "evidence", EVIDENCE) as Grade;
}

const EVIDENCE: PropertyDescriptor = {
  enumerable: true,
  get(this: { readonly [TRIAL]: Stored; readonly [INDEX]: number }) {
    return written(this[TRIAL]).grades[this[INDEX]]?.evidence;
  },
};
