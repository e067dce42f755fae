import { closeSync, fstatSync, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "@skillwright/core";
import { makeFolder, takeLock } from "@skillwright/core/internal";
import type { AnswerPreference, EvalSetup, TrialResult } from "../results/eval-results.ts";
import { evalDigest } from "../results/eval-setup.ts";
import { Claims } from "./local-ports.ts";
import type { TrialJournal } from "./ports.ts";
import { TrialFile } from "./trial-file.ts";
import { trialKey } from "./trial-job.ts";

/**
 * The journal of one eval in a folder, one line for each result, so that an interrupted eval can go on. One process
 * holds it. What `stream` gives reads its details from the file, also after the journal was closed and removed.
 */
export interface EvalJournal extends TrialJournal {
  readonly evalDigest: string;
  readonly startedAt: string;
  /** Results that it began with. */
  readonly resumed: number;
  /** How long earlier, interrupted runs of it took together. */
  readonly usedMs: number;
  /** What a judge said about two answers already. */
  readonly preferences: readonly AnswerPreference[];
  appendPreference(preference: AnswerPreference): void;
  close(): Promise<void>;
}

interface JournalHead {
  readonly schemaVersion: 1;
  readonly startedAt: string;
  readonly evalDigest: string;
}

/** A line: a result, what a judge said, the key of an error that is to be run again, or the time used so far. */
type JournalLine =
  | TrialResult
  | { readonly usedMs: number }
  | { readonly preference: AnswerPreference }
  | { readonly reopened: string };

export type OpenJournalResult =
  | { readonly ok: true; readonly journal: EvalJournal }
  | Failure<"eval-busy" | "eval-changed" | "eval-unreadable">;

const TIME_MARK_MS = 1000;

export async function openJournal(
  folder: string,
  setup: EvalSetup,
  startedAt: string,
): Promise<OpenJournalResult> {
  makeFolder(folder);
  const place = join(folder, "lock");
  const lock = takeLock(place);
  if (!lock.ok) {
    return failure(
      "eval-busy",
      `another process works on ${folder}`,
      `wait until it has ended; if none does, remove ${place}`,
    );
  }
  const name = join(folder, "results.jsonl");
  const descriptor = openRegular(name);
  if (descriptor === undefined) {
    lock.release();
    return failure("eval-unreadable", `${name} is not a regular file`, "remove it");
  }
  const file = new TrialFile(descriptor);
  const giveUp = (problem: Failure<"eval-changed" | "eval-unreadable">) => {
    file.close();
    lock.release();
    return problem;
  };
  const read = readJournal(file);
  if (read === undefined) {
    return giveUp(failure("eval-unreadable", `${name} is not a journal of an eval`, "remove it"));
  }
  const head = { schemaVersion: 1, startedAt, evalDigest: evalDigest(setup) } as const;
  if (read.head === undefined) {
    file.cut(0);
    file.write(`${JSON.stringify(head)}\n`);
  } else if (read.head.evalDigest !== head.evalDigest) {
    const hint = "start anew without --resume";
    const message =
      "the cases, the skills, the model, the judge or the options are not those it began with";
    return giveUp(failure("eval-changed", message, hint));
  } else file.cut(read.bytes);
  const journal = fileJournal(file, { ...read, head: read.head ?? head }, () => lock.release());
  return { ok: true, journal };
}

function fileJournal(
  file: TrialFile,
  { head, results, preferences, usedMs }: ReadJournal & { readonly head: JournalHead },
  release: () => void,
): EvalJournal {
  const claims = new Claims();
  const openedAt = performance.now();
  let markedAt = openedAt;
  const markTime = () => {
    markedAt = performance.now();
    file.write(`${JSON.stringify({ usedMs: Math.round(usedMs + markedAt - openedAt) })}\n`);
  };
  const isOwn = (digest: string) => digest === head.evalDigest;
  return {
    evalDigest: head.evalDigest,
    startedAt: head.startedAt,
    resumed: results.size,
    usedMs,
    preferences,
    async claim(jobs, claim) {
      return jobs.filter((job) => {
        const isOpen = isOwn(job.evalDigest) && !results.has(trialKey(job));
        return isOpen && claims.take(job, claim);
      });
    },
    async release(jobs, worker) {
      for (const job of jobs) claims.release(job, worker);
    },
    async append(digest, more) {
      if (!isOwn(digest)) throw new TypeError(`this is the journal of ${head.evalDigest}`);
      const before = results.size;
      for (const result of more) {
        const key = trialKey(result);
        if (!results.has(key)) results.set(key, file.append(result));
        claims.forget({ ...result, evalDigest: digest });
      }
      // Also after a crash it is known, to the second.
      if (performance.now() - markedAt > TIME_MARK_MS) markTime();
      return results.size - before;
    },
    async *stream(digest) {
      if (isOwn(digest)) yield* results.values();
    },
    async reopen(digest) {
      const errors = [...results].filter(([, { outcome }]) => isOwn(digest) && outcome === "error");
      for (const [reopened] of errors) {
        results.delete(reopened);
        file.write(`${JSON.stringify({ reopened })}\n`);
      }
      return errors.length;
    },
    appendPreference: (preference) => void file.write(`${JSON.stringify({ preference })}\n`),
    async close() {
      markTime();
      release();
    },
  };
}

/** Opens a file to read and append; undefined when something other than a file is in its place. */
function openRegular(file: string): number | undefined {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return undefined;
  const descriptor = openSync(file, "a+", 0o600);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  return undefined;
}

interface ReadJournal {
  readonly head: JournalHead | undefined;
  readonly results: Map<string, TrialResult>;
  readonly preferences: AnswerPreference[];
  readonly usedMs: number;
  readonly bytes: number;
}

/** Up to the last whole line; what follows was cut off while it was written. */
function readJournal(file: TrialFile): ReadJournal | undefined {
  let head: JournalHead | undefined;
  let bytes = 0;
  let usedMs = 0;
  const results = new Map<string, TrialResult>();
  const preferences: AnswerPreference[] = [];
  try {
    for (const { text, start, length } of file.lines()) {
      if (head === undefined) {
        if (text === "") break;
        head = JSON.parse(text) as JournalHead;
        if (head.schemaVersion !== 1) return undefined;
      } else {
        const line = JSON.parse(text) as JournalLine;
        if ("preference" in line) preferences.push(line.preference);
        else if ("usedMs" in line) ({ usedMs } = line);
        else if ("reopened" in line) results.delete(line.reopened);
        else results.set(trialKey(line), file.stored(line, start, length));
      }
      bytes = start + length + 1;
    }
  } catch {
    return undefined;
  }
  return { head, results, preferences, usedMs, bytes };
}

function failure<Code extends string>(code: Code, message: string, hint: string): Failure<Code> {
  return { ok: false, code, message, hint };
}
