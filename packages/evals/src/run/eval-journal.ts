import { createHash } from "node:crypto";
import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Failure,
  hasProcessEnded,
  ownIdentity,
  type ProcessIdentity,
} from "@skillwright/core";
import type { EvalSetup, TrialResult } from "../results/eval-results.ts";

/** Results as they come, one line each: what was cut off in the middle goes on from here. */
export interface EvalJournal {
  readonly folder: string;
  readonly startedAt: string;
  /** What is done already. */
  readonly done: readonly TrialResult[];
  append(result: TrialResult): void;
  close(): Promise<void>;
}

interface JournalHead {
  readonly schemaVersion: 1;
  readonly startedAt: string;
  readonly setupDigest: string;
}

export type OpenJournalResult =
  | { readonly ok: true; readonly journal: EvalJournal }
  | Failure<"eval-busy" | "eval-changed" | "eval-unreadable">;

/** A new journal in the folder, or the one that is there, when it is of the same eval. */
export async function openJournal(
  folder: string,
  setup: EvalSetup,
  startedAt: string,
): Promise<OpenJournalResult> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, "lock");
  if (!(await takeLock(lock))) {
    return failure("eval-busy", `another process works on ${folder}`, "wait until it has ended");
  }
  const file = join(folder, "results.jsonl");
  const descriptor = openSync(file, "a+", 0o600);
  const head: JournalHead = { schemaVersion: 1, startedAt, setupDigest: setupDigest(setup) };
  const giveUp = async (problem: Failure<"eval-changed" | "eval-unreadable">) => {
    closeSync(descriptor);
    await rm(lock, { force: true });
    return problem;
  };
  const read = readJournal(readFileSync(file, "utf8"));
  if (read === undefined) {
    return giveUp(failure("eval-unreadable", `${file} is no journal of an eval`, "remove it"));
  }
  if (read.head === undefined) {
    ftruncateSync(descriptor, 0);
    writeSync(descriptor, `${JSON.stringify(head)}\n`);
  } else if (read.head.setupDigest !== head.setupDigest) {
    const hint = "start anew without --resume";
    const message = "the cases, the skills, the model or the options are not those it began with";
    return giveUp(failure("eval-changed", message, hint));
  } else ftruncateSync(descriptor, read.bytes);
  return {
    ok: true,
    journal: {
      folder,
      startedAt: read.head?.startedAt ?? startedAt,
      done: read.results,
      append: (result) => void writeSync(descriptor, `${JSON.stringify(result)}\n`),
      async close() {
        closeSync(descriptor);
        await rm(lock, { force: true });
      },
    },
  };
}

/** Of all that must not change while an eval is interrupted. */
function setupDigest(setup: EvalSetup): string {
  return createHash("sha256").update(JSON.stringify(setup)).digest("hex");
}

/** Up to the last whole line; what follows was cut off while it was written. */
function readJournal(text: string) {
  const end = text.lastIndexOf("\n") + 1;
  const [first = "", ...lines] = text.slice(0, end).split("\n").slice(0, -1);
  if (first === "") return { head: undefined, results: [], bytes: 0 };
  try {
    const head = JSON.parse(first) as JournalHead;
    if (head.schemaVersion !== 1) return undefined;
    const results = lines.map((line) => JSON.parse(line) as TrialResult);
    return { head, results, bytes: Buffer.byteLength(text.slice(0, end)) };
  } catch {
    return undefined;
  }
}

async function takeLock(file: string, tries = 3): Promise<boolean> {
  try {
    const descriptor = openSync(file, "wx", 0o600);
    writeSync(descriptor, JSON.stringify(ownIdentity()));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const text = readText(file);
  if (tries === 0 || !hasEnded(text)) return false;
  if (!takeAway(file, text)) return false;
  return takeLock(file, tries - 1);
}

/** Only the lock that was looked at: another process may have taken it anew meanwhile. */
function takeAway(file: string, seen: string): boolean {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return true;
  }
  const isSame = readText(aside) === seen;
  if (isSame) rmSync(aside, { force: true });
  else renameSync(aside, file);
  return isSame;
}

function hasEnded(text: string): boolean {
  try {
    return hasProcessEnded(JSON.parse(text) as ProcessIdentity);
  } catch {
    return false;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function failure<Code extends string>(code: Code, message: string, hint: string): Failure<Code> {
  return { ok: false, code, message, hint };
}
