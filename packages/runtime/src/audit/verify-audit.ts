import type { KeyObject } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { AuditError, type AuditRecord } from "./audit.ts";
import { type AuditPlace, auditPlace, readKey } from "./audit-place.ts";
import { type Head, readHead } from "./record-files.ts";
import {
  decodeLine,
  firstHash,
  MAX_LINE_BYTES,
  type RawLine,
  type ReadLine,
  readRawLines,
} from "./record-line.ts";

/**
 * - `edited`: a line was changed.
 * - `gap`: lines are missing before this one.
 * - `reordered`: the line is not where it was written, or is there twice.
 * - `truncated`: lines are missing at the end.
 * - `torn`: the last line is half-written; opening the record fixes it.
 * - `foreign`: not a line of this record.
 */
export type AuditProblemKind = "edited" | "gap" | "reordered" | "truncated" | "torn" | "foreign";

export interface AuditProblem {
  /** From 1 on; 0 when it is about the record itself. */
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
class ChainCheck {
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
  /** Lines since the last valid one, each of which may or may not replace one that was written. */
  #unknown = 0;

  constructor(key: KeyObject, firstHash: string) {
    this.#key = key;
    this.#hash = firstHash;
  }

  /** Whether the line is valid. */
  add({ bytes, isWhole }: RawLine, head: Head): boolean {
    this.#line++;
    if (!isWhole) {
      this.#report("torn", "the last line is incomplete: writing it was interrupted");
      return false;
    }
    const read: ReadLine = bytes === undefined ? { kind: "foreign" } : decodeLine(bytes, this.#key);
    if (read.kind === "valid") this.#addValid(read, head);
    else {
      this.#unknown++;
      const message =
        read.kind === "edited"
          ? "the line is not as it was written"
          : "this is not a line of a record";
      this.#report(read.kind, message);
    }
    return read.kind === "valid";
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
      this.#report("reordered", `line ${sequence} of the record is here, out of order`);
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
    this.#report("gap", `${lines} of the record should come before this one`);
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

export type AuditVerification =
  | {
      readonly ok: true;
      readonly records: number;
      /** The id of the record. */
      readonly log: string;
      /** How often the record was repaired after a crash: see its `audit-recovered` lines. */
      readonly recovered: number;
      /** Scripts that began and did not end: their process was killed, or they still run. */
      readonly interrupted: number;
    }
  | {
      readonly ok: false;
      readonly problems: readonly AuditProblem[];
      /** Problems beyond those listed. */
      readonly more: number;
    };

export interface VerifyAuditOptions {
  readonly stateDirectory: string;
  /** The path at which the record was written, when it has been moved or copied since. */
  readonly writtenAs?: string;
}

/** Records that another process may append while the file is read. */
const MAX_APPENDED = 1000;
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export async function verifyAudit(
  file: string,
  { stateDirectory, writtenAs = file }: VerifyAuditOptions,
): Promise<AuditVerification> {
  return readAudit({ ...auditPlace(writtenAs, stateDirectory), file });
}

/** Verifies a record and passes on each line that is valid. */
export async function readAudit(
  place: AuditPlace,
  onRecord?: (record: AuditRecord) => void,
): Promise<AuditVerification> {
  const key = readKey(place.key);
  // Before the file: what is appended meanwhile goes further than this head, which is sound.
  const head = readHead(place.head);
  if (key === undefined || head === undefined) {
    const what = key === undefined ? "no key" : "no head for this path";
    const message = `there is ${what} in ${dirname(place.key)}: the record was written elsewhere, or never`;
    return { ok: false, problems: [{ line: 0, kind: "foreign", message }], more: 0 };
  }
  const check = new ChainCheck(key, firstHash(head.log, key));
  const maxBytes = (head.sequence + MAX_APPENDED) * (MAX_LINE_BYTES + 1);
  const handle = await openIfThere(place.file, maxBytes);
  try {
    if (handle !== undefined) {
      for await (const lines of readRawLines(handle, MAX_LINE_BYTES)) {
        for (const line of lines) {
          const isValid = check.add(line, head);
          if (isValid) onRecord?.(JSON.parse(line.bytes?.toString("utf8") ?? "") as AuditRecord);
        }
      }
    }
  } finally {
    await handle?.close();
  }
  const { problems, more, records, recovered, interrupted } = check.end(head);
  if (problems.length > 0) return { ok: false, problems, more };
  return { ok: true, records, log: head.log, recovered, interrupted };
}

async function openIfThere(file: string, maxBytes: number): Promise<FileHandle | undefined> {
  let stats: Stats;
  try {
    const handle = await open(file, READ);
    stats = await handle.stat();
    if (stats.isFile() && stats.size <= maxBytes) return handle;
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new AuditError("audit-unreadable", `cannot read ${file}`, { cause: error });
  }
  const why = stats.isFile() ? `has more than ${maxBytes} bytes` : "is not a regular file";
  throw new AuditError("audit-unreadable", `${file} ${why}`, {
    hint: `Remove ${file}: it is not what was recorded.`,
  });
}
