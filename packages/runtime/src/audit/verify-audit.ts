import { openRegular, UnusableFileError } from "@skillwright/core/internal";
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { readKeyFile } from "../key-file.ts";
import {
  AuditError,
  auditPlace,
  type AuditPlace,
  type AuditRecord,
  decodeLine,
  firstHash,
  type Head,
  MAX_LINE_BYTES,
  NEWLINE,
  orAuditError,
  readHead,
} from "./audit.ts";

/**
 * - `edited`: a line was changed.
 * - `gap`: lines are missing before this one.
 * - `reordered`: the line is not where it was written, or is there twice.
 * - `truncated`: lines are missing at the end.
 * - `torn`: the last line is half-written; opening the record fixes it.
 * - `foreign`: not a line of this record.
 */
type AuditProblemKind = "edited" | "gap" | "reordered" | "truncated" | "torn" | "foreign";

interface AuditProblem {
  /** From 1 on; 0 when it is about the record itself. */
  readonly line: number;
  kind: AuditProblemKind;
  readonly message: string;
}

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
const MAX_PROBLEMS = 100;
const CHUNK_BYTES = 256 * 1024;

/**
 * Checks every line of a record against the user's key and head, in bounded memory. A record may be
 * verified while it is written.
 */
export async function verifyAudit(
  file: string,
  { stateDirectory, writtenAs = file }: VerifyAuditOptions,
): Promise<AuditVerification> {
  return readAudit({ ...auditPlace(writtenAs, stateDirectory), file });
}

/** Verifies a record and passes on each line that is valid. */
export async function readAudit(
  place: AuditPlace,
  onRecord: (record: AuditRecord) => void = () => {},
): Promise<AuditVerification> {
  const key = orAuditError("audit-unreadable", `cannot read ${place.key}`, () =>
    readKeyFile(place.key),
  );
  // Before the file: what is appended meanwhile goes further than this head, which is sound.
  const head = readHead(place.head);
  if (key === undefined || head === undefined) {
    const what = key === undefined ? "no key" : "no head for this path";
    const message = `there is ${what} in ${dirname(place.key)}: the record was written elsewhere, or never`;
    return { ok: false, problems: [{ line: 0, kind: "foreign", message }], more: 0 };
  }
  const chain = new Chain(head, firstHash(head.log, key));
  await eachLine(place.file, head, (line, isWhole) => {
    const read = isWhole ? decodeLine(line, key) : "torn";
    chain.add(read);
    if (typeof read === "object") onRecord(read);
  });
  return chain.end();
}

/** Passes on the lines of a file as bytes, without newlines. A line that is too long is cut. */
async function eachLine(
  file: string,
  { sequence }: Head,
  onLine: (line: Buffer, isWhole: boolean) => void,
): Promise<void> {
  const descriptor = openForReading(file, (sequence + MAX_APPENDED) * (MAX_LINE_BYTES + 1));
  if (descriptor === undefined) return;
  const stream: AsyncIterable<Buffer> = createReadStream("", {
    fd: descriptor,
    highWaterMark: CHUNK_BYTES,
  });
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    if (rest.length > MAX_LINE_BYTES && !chunk.includes(NEWLINE)) continue;
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      onLine(bytes.subarray(start, end), true);
      start = end + 1;
    }
    rest = bytes.subarray(start, start + MAX_LINE_BYTES + 1);
  }
  if (rest.length > 0) onLine(rest, false);
}

function openForReading(file: string, maxBytes: number): number | undefined {
  try {
    return openRegular(file, { follow: true, maxBytes }).descriptor;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (!(cause instanceof UnusableFileError)) {
      throw new AuditError("audit-unreadable", `cannot read ${file}`, { cause });
    }
    throw new AuditError("audit-unreadable", message, {
      cause,
      hint: `Remove ${file}: it is not what was recorded.`,
    });
  }
}

const MESSAGES = {
  torn: "the last line is incomplete: writing it was interrupted",
  edited: "the line is not as it was written",
  foreign: "this is not a line of a record",
} as const;
const OTHER_RECORD = "the line belongs to another record, or to an earlier state of this one";

/** Sequences that were passed over. When all of them come later, they were moved, not removed. */
interface Gap {
  readonly problem: AuditProblem;
  readonly from: number;
  readonly to: number;
  missing: number;
}

/** Follows a record line by line. */
class Chain {
  readonly #head: Head;
  readonly #problems: AuditProblem[] = [];
  readonly #gaps: Gap[] = [];
  readonly #counts = { records: 0, recovered: 0, interrupted: 0 };
  #more = 0;
  #line = 0;
  /** Of the last valid line. */
  #last: Pick<AuditRecord, "sequence" | "hash">;
  /** Lines since then, each of which may or may not replace one that was written. */
  #unknown = 0;

  constructor(head: Head, hash: string) {
    this.#head = head;
    this.#last = { sequence: 0, hash };
  }

  add(read: AuditRecord | keyof typeof MESSAGES): void {
    this.#line++;
    if (typeof read === "object") {
      this.#addRecord(read);
      return;
    }
    if (read !== "torn") this.#unknown++;
    this.#report(read, MESSAGES[read]);
  }

  end(): AuditVerification {
    const { log, sequence } = this.#head;
    const missing = sequence - this.#last.sequence;
    if (missing > this.#unknown) {
      this.#line++;
      this.#report("truncated", `${missing} lines are missing at the end, of ${sequence}`);
    }
    const problems = this.#problems;
    if (problems.length > 0) return { ok: false, problems, more: this.#more };
    const interrupted = Math.max(0, this.#counts.interrupted);
    return { ok: true, ...this.#counts, log, interrupted };
  }

  #addRecord({ sequence, previous, hash, event }: AuditRecord): void {
    const next = this.#last.sequence + 1;
    if (sequence < next) {
      this.#fillGap(sequence);
      this.#report("reordered", `line ${sequence} of the record is here, out of order`);
      return;
    }
    const isOther =
      (sequence === next && previous !== this.#last.hash) ||
      (sequence === this.#head.sequence && hash !== this.#head.hash);
    if (sequence > next + this.#unknown) this.#reportGap(next + this.#unknown, sequence - 1);
    else if (isOther) this.#report("foreign", OTHER_RECORD);
    this.#counts.records++;
    if (event === "audit-recovered") this.#counts.recovered++;
    if (event === "script-start") this.#counts.interrupted++;
    if (event === "script-end") this.#counts.interrupted--;
    this.#last = { sequence, hash };
    this.#unknown = 0;
  }

  #reportGap(from: number, to: number): void {
    const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
    const problem = this.#report("gap", `${lines} of the record should come before this one`);
    if (problem !== undefined) this.#gaps.push({ problem, from, to, missing: to - from + 1 });
  }

  #fillGap(sequence: number): void {
    const gap = this.#gaps.find(({ from, to }) => from <= sequence && sequence <= to);
    if (gap !== undefined && --gap.missing === 0) gap.problem.kind = "reordered";
  }

  /** The problem, unless there are too many to list. */
  #report(kind: AuditProblemKind, message: string): AuditProblem | undefined {
    if (this.#problems.length < MAX_PROBLEMS) {
      const problem = { line: this.#line, kind, message };
      this.#problems.push(problem);
      return problem;
    }
    this.#more++;
    return undefined;
  }
}
