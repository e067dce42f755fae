import { rmSync } from "node:fs";
import { join } from "node:path";
import { finishJournal } from "./finish-journal.ts";
import { namesIn } from "../history/history.ts";
import type { RootContext } from "../root-context.ts";

/**
 * Brings a root into order, under its lock: an interrupted change is finished, and what was staged
 * by processes that are gone is removed. Returns what a person should know.
 */
export async function recover(context: RootContext): Promise<string[]> {
  const notes = await finishJournal(context);
  for (const name of namesIn(context.state.staging)) {
    try {
      rmSync(join(context.state.staging, name), { recursive: true, force: true });
    } catch (error) {
      notes.push(`left-over staging stays: ${(error as Error).message}`);
    }
  }
  return notes;
}
