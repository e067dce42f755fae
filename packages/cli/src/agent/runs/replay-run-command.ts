import { replayRun } from "@skillwright/agent";
import { quoteLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { findRun, openRuns, readRun } from "@skillwright/app/internal";

/** Drives the loop once more from the record. */
export async function replayRunCommand(given: string, console: Console): Promise<ExitCode> {
  const store = await openRuns(console);
  const runId = await findRun(store, given);
  const records = await readRun(store, runId);
  const result = await replayRun(records);
  if (console.json) {
    console.printJson({ runId, ...result });
    return result.ok ? EXIT.done : EXIT.no;
  }
  if (result.ok) {
    const end = result.hasEnded ? "" : "; the run has not ended";
    console.print(`${result.events} events, each as it was recorded${end}`);
    return EXIT.done;
  }
  const { index, expected, got } = result.difference;
  console.print(`Event ${index + 1} is another one.`);
  console.print(`  recorded  ${shown(expected)}`);
  console.print(`  replayed  ${shown(got)}`);
  return EXIT.no;
}

const MAX_SHOWN = 1000;

function shown(event: { readonly event: string; readonly data: unknown } | undefined): string {
  if (event === undefined) return "(nothing more)";
  return quoteLine(`${event.event} ${JSON.stringify(event.data)}`, MAX_SHOWN);
}
