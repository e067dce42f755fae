import type { KeyObject } from "node:crypto";
import type { Head } from "./audit-head.ts";
import type { RawLine } from "./read-raw-lines.ts";
import { decodeLine, type ReadLine } from "./record-line.ts";

/**
 * - `edited`: the bytes of a line are not those that were written.
 * - `gap`: lines are missing before this one.
 * - `reordered`: the line stands in another place than it was written to, or twice.
 * - `truncated`: lines are missing at the end.
 * - `torn`: the last line is half-written; opening the record mends it.
 * - `foreign`: not a line of this record.
 */
export type AuditProblemKind = "edited" | "gap" | "reordered" | "truncated" | "torn" | "foreign";

export interface AuditProblem {
  /** From 1 on; 0 when it is about the whole. */
  readonly line: number;
  readonly kind: AuditProblemKind;
  readonly message: string;
}

/** Sequences that were passed over and have not been met since. */
interface Gap {
  readonly problem: number;
  readonly from: number;
  readonly to: number;
  missing: number;
}

const MAX_PROBLEMS = 100;

/** Follows the chain line by line. */
export class ChainCheck {
  readonly #key: KeyObject;
  readonly #problems: AuditProblem[] = [];
  readonly #gaps: Gap[] = [];
  #more = 0;
  #line = 0;
  #records = 0;
  #recovered = 0;
  /** Scripts that have begun and not ended. */
  #open = 0;
  #sequence = 0;
  #hash: string;
  /** Lines since the last valid one, each of which may stand for one that was written, or for none. */
  #unknown = 0;

  constructor(key: KeyObject, firstHash: string) {
    this.#key = key;
    this.#hash = firstHash;
  }

  add({ bytes, isWhole }: RawLine, head: Head): void {
    this.#line++;
    if (!isWhole) {
      this.#report("torn", "the last line is not whole: its writing was interrupted");
      return;
    }
    const read: ReadLine = bytes === undefined ? { kind: "foreign" } : decodeLine(bytes, this.#key);
    if (read.kind === "valid") this.#addValid(read, head);
    else {
      this.#unknown++;
      const message =
        read.kind === "edited"
          ? "the line is not as it was written"
          : "this is no line of a record";
      this.#report(read.kind, message);
    }
  }

  end(head: Head) {
    const missing = head.sequence - this.#sequence;
    if (missing > this.#unknown) {
      this.#line++;
      this.#report("truncated", `${missing} lines are missing at the end, of ${head.sequence}`);
    }
    const { length } = this.#problems;
    return {
      problems: this.#problems as readonly AuditProblem[],
      more: length === 0 ? 0 : this.#more,
      records: this.#records,
      recovered: this.#recovered,
      interrupted: Math.max(0, this.#open),
    };
  }

  #addValid(read: Extract<ReadLine, { kind: "valid" }>, head: Head): void {
    const { sequence, previous, hash, event } = read;
    const next = this.#sequence + 1;
    if (sequence < next) {
      this.#fillGap(sequence);
      this.#report("reordered", `line ${sequence} of the record stands here, out of its place`);
      return;
    }
    if (sequence > next + this.#unknown) this.#reportGap(next + this.#unknown, sequence - 1);
    else if (sequence === next && previous !== this.#hash) this.#report("foreign", OTHER_RECORD);
    else if (sequence === head.sequence && hash !== head.hash)
      this.#report("foreign", OTHER_RECORD);
    this.#records++;
    if (event === "audit-recovered") this.#recovered++;
    if (event === "script-start") this.#open++;
    if (event === "script-end") this.#open--;
    this.#sequence = sequence;
    this.#hash = hash;
    this.#unknown = 0;
  }

  #reportGap(from: number, to: number): void {
    const problem = this.#problems.length;
    const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
    this.#report("gap", `${lines} of the record should stand before this one`);
    if (problem < MAX_PROBLEMS) this.#gaps.push({ problem, from, to, missing: to - from + 1 });
  }

  /** What was missing and comes later was moved, not removed. */
  #fillGap(sequence: number): void {
    const gap = this.#gaps.find(({ from, to }) => from <= sequence && sequence <= to);
    const problem = gap && this.#problems[gap.problem];
    if (gap === undefined || problem === undefined || --gap.missing > 0) return;
    this.#problems[gap.problem] = { ...problem, kind: "reordered" };
  }

  #report(kind: AuditProblemKind, message: string): void {
    if (this.#problems.length < MAX_PROBLEMS) {
      this.#problems.push({ line: this.#line, kind, message });
    } else this.#more++;
  }
}

const OTHER_RECORD = "the line belongs to another record, or to an earlier state of this one";
