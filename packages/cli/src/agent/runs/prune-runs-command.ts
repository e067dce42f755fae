import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { asCommandFailure } from "../../runtime/as-command-failure.ts";
import { duration } from "../run-options.ts";
import { openSession, type SessionOptions } from "../../session.ts";
import { openRunStore } from "../agent-session.ts";
import { removeRuns, retentionOf } from "./remove-runs.ts";

export interface PruneRunsOptions extends SessionOptions {
  readonly keep?: string;
  readonly olderThan?: string;
  /** Also runs that wait for an approval. */
  readonly waiting?: boolean;
}

/** Removes old runs of this project: those that the flags name, else those of the configuration. */
export async function pruneRunsCommand(
  options: PruneRunsOptions,
  console: Console,
): Promise<ExitCode> {
  const { keep, olderThan, waiting = false } = options;
  if (keep !== undefined && !/^\d{1,9}$/.test(keep)) {
    throw new CommandFailure(EXIT.usage, `--keep ${JSON.stringify(keep)} is not a number`);
  }
  const age = olderThan === undefined ? undefined : duration(olderThan, "--older-than");
  const session = await openSession(options, console);
  const isGiven = keep !== undefined || age !== undefined;
  const given = {
    ...(keep !== undefined && { keep: Number(keep) }),
    ...(age !== undefined && { olderThanMs: age }),
  };
  const removal = isGiven ? given : retentionOf(session.configuration.values);
  if (removal === undefined) {
    throw new CommandFailure(EXIT.usage, "which runs are to go is not said", {
      hint: "give --keep <number>, --older-than <time>, or both, or configure runs.keep",
    });
  }
  const store = openRunStore(session, console);
  try {
    const { removed, kept } = await removeRuns(store, { ...removal, includeWaiting: waiting });
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
