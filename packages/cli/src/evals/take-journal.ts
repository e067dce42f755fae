import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type EvalJournal, type EvalResults, openJournal } from "@skillwright/evals";
import { CommandFailure, EXIT } from "../exit-code.ts";

/** The journal of an eval that is begun anew, or of the one that was interrupted. */
export async function takeJournal(
  folder: string,
  setup: EvalResults["setup"],
  isResumed: boolean,
): Promise<EvalJournal> {
  const startedAt = new Date().toISOString();
  let opened = await openJournal(folder, setup, startedAt);
  const isOld = opened.ok ? opened.journal.done.length > 0 : opened.code !== "eval-busy";
  if (!isResumed && isOld) {
    if (opened.ok) await opened.journal.close();
    await rm(join(folder, "results.jsonl"), { force: true });
    opened = await openJournal(folder, setup, startedAt);
  }
  if (!opened.ok) {
    const { code, message, hint } = opened;
    const more = hint === undefined ? {} : { hint };
    throw new CommandFailure(EXIT.usage, message, { code, ...more });
  }
  return opened.journal;
}
