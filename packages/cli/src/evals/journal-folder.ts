import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TrialResult } from "@skillwright/evals";
import { budgetOf } from "../agent/run-options.ts";
import type { EvalModel } from "./eval-model.ts";
import type { EvalNumbers } from "./eval-options.ts";
import type { EvalWorld } from "./eval-world.ts";

/** What makes an eval another one, with a journal of its own. */
export interface JournaledEval {
  readonly world: EvalWorld;
  readonly numbers: EvalNumbers;
  readonly model: EvalModel;
  /** What selects skills does nothing else: no script is run and no tool is offered. */
  readonly isTriggerOnly?: boolean;
  /** So many skills were put into the catalog. */
  readonly stress?: number;
}

/** The same for the same command line in the same project; whether the rest is the same the journal knows. */
export function journalFolder({
  world,
  numbers,
  model,
  isTriggerOnly,
  stress,
}: JournaledEval): string {
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
  options: JournaledEval,
  results: readonly TrialResult[],
): Promise<void> {
  if (results.some(({ outcome }) => outcome === "error")) return;
  // Results are read from it still, and Windows keeps a folder as long as a file in it is open: it is begun anew then.
  await rm(journalFolder(options), { recursive: true, force: true }).catch(() => undefined);
}
