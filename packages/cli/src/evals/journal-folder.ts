import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TrialResult } from "@skillwright/evals";
import { budgetOf } from "../agent/run-options.ts";
import type { RunEvalOptions } from "./run-eval.ts";

/** The same for the same command line in the same project; whether the rest is the same the journal knows. */
export function journalFolder({
  world,
  numbers,
  model,
  isTriggerOnly,
  stress,
}: RunEvalOptions): string {
  const { session, paths, options } = world;
  // Not the judge: who goes on with another one is told so.
  const { filter, replay, record, without, against, yes, sandbox } = options;
  const asked = { filter, replay, record, without, against, yes, sandbox };
  const kind = [isTriggerOnly, stress];
  const key = [session.project, paths, model.id, asked, numbers, budgetOf(options), ...kind];
  const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 24);
  return join(session.stateDirectory, "evals", name);
}

/** Removes the journal, unless there is something in it to be run again. */
export async function forgetEval(
  options: RunEvalOptions,
  results: readonly TrialResult[],
): Promise<void> {
  if (results.some(({ outcome }) => outcome === "error")) return;
  // Results are read from it still, and Windows keeps a folder as long as a file in it is open: it is begun anew then.
  await rm(journalFolder(options), { recursive: true, force: true }).catch(() => undefined);
}
