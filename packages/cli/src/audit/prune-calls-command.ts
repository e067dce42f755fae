import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type PruneRunsOptions, reasonsText, removalOf } from "../agent/runs/prune-runs-command.ts";
import { asAppFailure, removeCalls, openSession } from "@skillwright/app/internal";

/** Removes old records of calls outside of runs. */
export async function pruneCallsCommand(
  options: PruneRunsOptions,
  console: Console,
): Promise<ExitCode> {
  const { stateDirectory, configuration } = await openSession(options, console);
  const removal = removalOf(options, configuration.values);
  try {
    const { removed, kept } = await removeCalls(stateDirectory, removal);
    if (console.json) console.printJson({ removed, kept });
    else console.print(`${removed.length} removed, ${kept.length} kept${reasonsText(kept)}`);
    return EXIT.done;
  } catch (error) {
    throw asAppFailure(error);
  }
}
