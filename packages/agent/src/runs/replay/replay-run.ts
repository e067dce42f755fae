import type { AuditRecord } from "@skillwright/runtime";
import { driveRun } from "../../loop/drive-run.ts";
import { EMPTY_STATE } from "../../loop/run-state.ts";
import {
  Difference,
  RecordTape,
  type ReplayDifference,
  ReplayedRun,
  TapeEnd,
} from "./replayed-run.ts";

export type ReplayResult =
  /** Every event came again, byte for byte. */
  | { readonly ok: true; readonly events: number; readonly hasEnded: boolean }
  | { readonly ok: false; readonly difference: ReplayDifference };

/** A record that a crash left half-written was mended, which is no event of the run. */
const NOT_OF_THE_RUN: ReadonlySet<string> = new Set(["audit-recovered"]);

export async function replayRun(records: readonly AuditRecord[]): Promise<ReplayResult> {
  const tape = new RecordTape(records.filter(({ event }) => !NOT_OF_THE_RUN.has(event)));
  let state = EMPTY_STATE;
  try {
    // Each time that it was resumed it had stood still, wherever that was.
    for (let means = tape.startNext(); means !== undefined; means = tape.startNext()) {
      const run = new ReplayedRun(tape, state, means);
      await untilTapeEnds(run);
      ({ state } = run);
    }
  } catch (error) {
    if (error instanceof Difference) return { ok: false, difference: error.difference };
    throw error;
  }
  return { ok: true, events: tape.length, hasEnded: state.end !== undefined };
}

async function untilTapeEnds(run: ReplayedRun): Promise<void> {
  try {
    run.takeBeginning();
    await driveRun(run);
    run.requireEnd();
  } catch (error) {
    if (!(error instanceof TapeEnd)) throw error;
  }
}
