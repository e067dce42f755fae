import { rmSync } from "node:fs";
import { join } from "node:path";
import { pruneRuns } from "@skillwright/agent";
import type { Console, GlobalOptions } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { asCommandFailure } from "../../runtime/as-command-failure.ts";
import { duration } from "../run-options.ts";
import { openRuns } from "./find-run.ts";

export interface PruneRunsOptions extends GlobalOptions {
  readonly keep?: string;
  readonly olderThan?: string;
  /** Also runs that wait for an approval. */
  readonly waiting?: boolean;
}

/** Removes old runs of this project. */
export async function pruneRunsCommand(
  options: PruneRunsOptions,
  console: Console,
): Promise<ExitCode> {
  const { keep, olderThan, waiting = false } = options;
  if (keep === undefined && olderThan === undefined) {
    throw new CommandFailure(EXIT.usage, "which runs are to go is not said", {
      hint: "give --keep <number>, --older-than <time>, or both",
    });
  }
  if (keep !== undefined && !/^\d{1,9}$/.test(keep)) {
    throw new CommandFailure(EXIT.usage, `--keep ${JSON.stringify(keep)} is not a number`);
  }
  const store = await openRuns(console);
  const age = olderThan === undefined ? undefined : duration(olderThan, "--older-than");
  try {
    const { removed, kept } = await pruneRuns({
      store,
      ...(keep !== undefined && { keep: Number(keep) }),
      ...(age !== undefined && { olderThan: Date.now() - age }),
      includeWaiting: waiting,
    });
    // What their tools deleted can no longer be restored.
    for (const runId of removed) {
      rmSync(join(store.stateDirectory, "runs", runId), { recursive: true, force: true });
    }
    if (console.json) console.printJson({ removed, kept });
    else console.print(`${removed.length} removed, ${kept.length} kept${reasonsText(kept)}`);
    return EXIT.done;
  } catch (error) {
    throw asCommandFailure(error);
  }
}

function reasonsText(kept: readonly { readonly reason: string }[]): string {
  const special = ["waiting", "running", "damaged"].flatMap((reason) => {
    const { length } = kept.filter((one) => one.reason === reason);
    return length === 0 ? [] : [`${length} ${reason}`];
  });
  return special.length === 0 ? "" : ` (${special.join(", ")})`;
}
