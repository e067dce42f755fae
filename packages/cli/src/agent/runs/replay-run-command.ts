import type { AuditRecord } from "@skillwright/runtime";
import { replayRun } from "@skillwright/agent";
import { compareLive, type LiveDecision, subjectOf } from "@skillwright/agent/internal";
import { quoteLine, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openSession, openRunModel, findRun, openRuns, readRun } from "@skillwright/app/internal";
import { cancelOnInterrupt } from "../../terminal/cancel-on-interrupt.ts";
import type { AgentOptions } from "../run-options.ts";

export interface ReplayRunOptions extends AgentOptions {
  readonly live?: boolean;
}

/** Drives the loop once more from the record, or asks a model what it would decide now. */
export async function replayRunCommand(
  given: string,
  options: ReplayRunOptions,
  console: Console,
): Promise<ExitCode> {
  const store = await openRuns(console);
  const runId = await findRun(store, given);
  const records = await readRun(store, runId);
  if (options.live === true) return replayLive(runId, records, options, console);
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

async function replayLive(
  runId: string,
  records: readonly AuditRecord[],
  options: ReplayRunOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const model = await openRunModel(options, session, console);
  const decisions = await cancelOnInterrupt((signal) => compareLive(records, { model, signal }));
  const first = decisions.find(({ same }) => !same);
  if (console.json) {
    console.printJson({ runId, model: model.id, divergesAt: first?.turn ?? null, decisions });
    return first === undefined ? EXIT.done : EXIT.no;
  }
  for (const { turn, same, recorded, live, problem } of decisions) {
    const then = actionText(recorded);
    const now = live.length === 0 ? `nothing usable: ${problem ?? ""}` : actionText(live);
    console.print(visibleLine(same ? `${turn}  same  ${then}` : `${turn}  then  ${then}`));
    if (!same) console.print(visibleLine(`${turn}  now   ${now}`));
  }
  if (first !== undefined) console.note(`It decides otherwise from turn ${first.turn} on.`);
  return first === undefined ? EXIT.done : EXIT.no;
}

const MAX_SHOWN = 1000;

function shown(event: { readonly event: string; readonly data: unknown } | undefined): string {
  if (event === undefined) return "(nothing more)";
  return quoteLine(`${event.event} ${JSON.stringify(event.data)}`, MAX_SHOWN);
}

function actionText(actions: LiveDecision["live"]): string {
  if (actions.length === 0) return "nothing usable";
  return actions.map((action) => `${action.action} ${subjectOf(action)}`.trim()).join("; ");
}
