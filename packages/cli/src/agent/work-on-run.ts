import type { RunOptions, RunEvent, RunPolicy } from "@skillwright/agent";
import type { RunUsage, TextDelta } from "@skillwright/agent/internal";
import { createRedactor } from "@skillwright/runtime";
import { createStreamRedactor } from "@skillwright/runtime/internal";
import type { Console } from "../console.ts";
import { asAppFailure, noteRuleProblems, createSessionPolicy } from "@skillwright/app/internal";
import { stopOnInterrupt } from "../terminal/stop-on-interrupt.ts";
import type { CommandContext } from "./run-options.ts";
import type { RunView } from "./view/run-view.ts";
import { createRunView } from "./view/create-run-view.ts";

type Surroundings = Required<Pick<RunOptions, "signal" | "stop" | "onEvent">> & {
  readonly policy: RunPolicy;
};

/**
 * Until the run ends, somebody presses Ctrl-C, or something is missing that only a person can bring.
 * What happens is to be seen meanwhile, in this view or another one.
 */
export async function workOnRun<Result extends object>(
  context: CommandContext & { readonly used?: RunUsage },
  work: (surroundings: Surroundings) => Promise<Result>,
  view: RunView = createRunView(context.console, context.used),
): Promise<Result> {
  const { console } = context;
  noteRuleProblems(context.session, console);
  const controller = new AbortController();
  let walkAway = () => controller.abort();
  const policy = createSessionPolicy(
    { ...context, host: console },
    {
      // The run ends here and can be resumed once the problem is fixed.
      stop: ({ code = "missing", message, hint }) =>
        controller.abort({ ok: false, code, message, ...(hint !== undefined && { hint }) }),
      onWalkAway: () => walkAway(),
      offersCommands: true,
    },
  );
  const printEvent = console.events ? eventPrinter(console) : undefined;
  const onEvent = (event: RunEvent) => {
    printEvent?.(event);
    if (event.event === "text-delta") view.onText(event.data.text);
    else view.onEvent(event);
  };
  try {
    return await stopOnInterrupt(
      ({ endNow, ...signals }) => {
        walkAway = endNow;
        return work({ ...signals, policy, onEvent });
      },
      { controller, onStop: (how) => view.stopping(how) },
    ).finally(() => view.end());
  } catch (error) {
    throw asAppFailure(error);
  }
}

/**
 * Prints events for a file: as in the record, streamed text has no secrets. So it comes line by line, the
 * rest before the event that follows it.
 */
function eventPrinter(console: Console): (event: RunEvent) => void {
  const redactor = createRedactor({ env: console.env });
  let stream = createStreamRedactor(redactor);
  let last: TextDelta | undefined;
  const print = (delta: TextDelta, text: string) => {
    if (text !== "") console.printRecord({ ...delta, data: { ...delta.data, text } });
  };
  const printRest = () => {
    if (last !== undefined) print(last, stream.end());
    last = undefined;
  };
  return (event) => {
    if (event.event !== "text-delta") {
      // Others come while a text streams, but only its own response ends it.
      if (event.event === "model-response" || event.event === "run-end") printRest();
      console.printRecord(event);
      return;
    }
    const { runId, turn } = event.data;
    if (last?.data.runId !== runId || last.data.turn !== turn) {
      printRest();
      stream = createStreamRedactor(redactor);
    }
    last = event;
    print(event, stream.write(event.data.text));
  };
}
