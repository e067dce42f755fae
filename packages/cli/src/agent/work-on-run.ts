import type { RunEvent, RunResult } from "@skillwright/agent";
import type { RunUsage, TextDelta } from "@skillwright/agent/internal";
import {
  type App,
  openApp,
  type RunUpdate,
  type RunWatch,
  type StartedRun,
} from "@skillwright/app";
import { asFailure, namedTools } from "@skillwright/app/internal";
import type { Failure } from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import { createRedactor } from "@skillwright/runtime";
import { createStreamRedactor } from "@skillwright/runtime/internal";
import type { Console } from "../console.ts";
import { stopOnInterrupt, type StopSignals } from "../terminal/stop-on-interrupt.ts";
import type { AgentOptions } from "./run-options.ts";
import type { RunView } from "./view/run-view.ts";
import { createRunView } from "./view/create-run-view.ts";

/** The project that a command line is about, with its console as the way to a person. */
export async function openProject(options: AgentOptions, console: Console): Promise<App> {
  const { root, source, config, settings, trust, sandbox, writable, skills, yes } = options;
  // A bare `--yes` is an error, which names what can be given.
  namedTools(options);
  const { cwd, env, builtinDirectory, version } = console;
  return openApp({
    ...defined({ root, source, config, settings, trust, sandbox, writable, skills }),
    ...defined({ builtinDirectory, version, approve: yes === true ? undefined : yes }),
    cwd,
    env,
    host: console,
  });
}

/**
 * Until the run ends, somebody presses Ctrl-C, or something is missing that only a person can bring.
 * What happens is to be seen meanwhile, in this view or another one.
 */
export async function workOnRun(
  console: Console,
  start: (watch: RunWatch) => Promise<StartedRun | Failure>,
  used?: RunUsage,
): Promise<RunResult> {
  const view: RunView = createRunView(console, used);
  const printEvent = console.events ? eventPrinter(console) : undefined;
  const onUpdate = (update: RunUpdate) => {
    if (update.event === "script-output" || update.event === "run-abandoned") return;
    printEvent?.(update);
    if (update.event === "text-delta") view.onText(update.data.text);
    else view.onEvent(update);
  };
  const work = async ({ endNow, signal, stop }: StopSignals) => {
    const started = await start({ onUpdate, signal, onLeave: endNow });
    if (!started.ok) throw asFailure(started);
    stop.addEventListener("abort", () => started.stop(), { once: true });
    if (stop.aborted) started.stop();
    const result = await started.result;
    if (result.ok) return result;
    throw asFailure(result);
  };
  return stopOnInterrupt(work, { onStop: (how) => view.stopping(how) }).finally(() => view.end());
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
