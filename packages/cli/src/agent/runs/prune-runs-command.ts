import type { Configuration } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import {
  asAppFailure,
  openSession,
  type SessionOptions,
  openRunStore,
  type Removal,
  removeRuns,
  retentionOf,
} from "@skillwright/app/internal";
import { duration } from "../run-options.ts";

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
  const session = await openSession(options, console);
  const removal = removalOf(options, session.configuration.values);
  const { waiting = false } = options;
  const store = openRunStore(session, console);
  try {
    const { removed, kept } = await removeRuns(store, { ...removal, includeWaiting: waiting });
    if (console.json) console.printJson({ removed, kept });
    else console.print(`${removed.length} removed, ${kept.length} kept${reasonsText(kept)}`);
    return EXIT.done;
  } catch (error) {
    throw asAppFailure(error);
  }
}

/** What is to be removed, by the flags or else by the configuration. */
export function removalOf(
  { keep, olderThan }: Pick<PruneRunsOptions, "keep" | "olderThan">,
  configuration: Configuration,
): Removal {
  if (keep !== undefined && !/^\d{1,9}$/.test(keep)) {
    throw new CommandFailure(EXIT.usage, `--keep ${JSON.stringify(keep)} is not a number`);
  }
  const age = olderThan === undefined ? undefined : duration(olderThan, "--older-than");
  const given = {
    ...(keep !== undefined && { keep: Number(keep) }),
    ...(age !== undefined && { olderThanMs: age }),
  };
  const removal = Object.keys(given).length > 0 ? given : retentionOf(configuration);
  if (removal !== undefined) return removal;
  throw new CommandFailure(EXIT.usage, "Nothing says which records to remove.", {
    hint: "give --keep <number>, --older-than <time>, or both, or configure runs.keep",
  });
}

export function reasonsText(kept: readonly { readonly reason: string }[]): string {
  const special = ["waiting", "running", "damaged"].flatMap((reason) => {
    const { length } = kept.filter((one) => one.reason === reason);
    return length === 0 ? [] : [`${length} ${reason}`];
  });
  return special.length === 0 ? "" : ` (${special.join(", ")})`;
}
