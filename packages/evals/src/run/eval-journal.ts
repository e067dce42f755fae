import { createHash } from "node:crypto";
import { openSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "@skillwright/core";
import { makeFolder, takeLock } from "@skillwright/core/internal";
import type { AnswerPreference, EvalSetup, TrialResult } from "../results/eval-results.ts";
import { TrialLog } from "./trial-log.ts";

/** Results as they come, one line each: what was cut off in the middle goes on from here. */
export interface EvalJournal {
  readonly folder: string;
  readonly startedAt: string;
  /** What is done already. As what `append` gives, they read from the file, also after it was closed and removed. */
  readonly done: readonly TrialResult[];
  /** Gives the result back with less in memory: what was done and said in it is read again when somebody looks. */
  append(result: TrialResult): TrialResult;
  /** What a judge said about two answers already. */
  readonly preferences: readonly AnswerPreference[];
  appendPreference(preference: AnswerPreference): void;
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

export async function openJournal(
  folder: string,
  setup: EvalSetup,
  startedAt: string,
): Promise<OpenJournalResult> {
  makeFolder(folder);
  const lock = takeLock(join(folder, "lock"));
  if (!lock.ok) {
    return failure("eval-busy", `another process works on ${folder}`, "wait until it has ended");
  }
  const file = join(folder, "results.jsonl");
  const descriptor = openSync(file, "a+", 0o600);
  const head: JournalHead = { schemaVersion: 1, startedAt, setupDigest: setupDigest(setup) };
  const log = new TrialLog(descriptor);
  const giveUp = async (problem: Failure<"eval-changed" | "eval-unreadable">) => {
    log.close();
    lock.release();
    return problem;
  };
  const read = readJournal(log);
  if (read === undefined) {
    return giveUp(failure("eval-unreadable", `${file} is no journal of an eval`, "remove it"));
  }
  if (read.head === undefined) {
    log.cut(0);
    log.write(`${JSON.stringify(head)}\n`);
  } else if (read.head.setupDigest !== head.setupDigest) {
    const hint = "start anew without --resume";
    const message =
      "the cases, the skills, the model, the judge or the options are not those it began with";
    return giveUp(failure("eval-changed", message, hint));
  } else log.cut(read.bytes);
  return {
    ok: true,
    journal: {
      folder,
      startedAt: read.head?.startedAt ?? startedAt,
      done: read.results,
      append: (result) => log.append(result),
      preferences: read.preferences,
      appendPreference: (preference) => void log.write(`${JSON.stringify({ preference })}\n`),
      close: async () => lock.release(),
    },
  };
}

/** Of all that must not change while an eval is interrupted. */
function setupDigest(setup: EvalSetup): string {
  return createHash("sha256").update(JSON.stringify(setup)).digest("hex");
}

/** Up to the last whole line; what follows was cut off while it was written. */
function readJournal(log: TrialLog) {
  let head: JournalHead | undefined;
  let bytes = 0;
  const results: TrialResult[] = [];
  const preferences: AnswerPreference[] = [];
  try {
    for (const { text, start, length } of log.lines()) {
      if (head === undefined) {
        if (text === "") break;
        head = JSON.parse(text) as JournalHead;
        if (head.schemaVersion !== 1) return undefined;
      } else {
        const line = JSON.parse(text) as TrialResult | { readonly preference: AnswerPreference };
        if ("preference" in line) preferences.push(line.preference);
        else results.push(log.stored(line, start, length));
      }
      bytes = start + length + 1;
    }
  } catch {
    return undefined;
  }
  return { head, results, preferences, bytes };
}

function failure<Code extends string>(code: Code, message: string, hint: string): Failure<Code> {
  return { ok: false, code, message, hint };
}
