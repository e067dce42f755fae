import type { OpenRunOptions, RunEvent, RunPolicy, RunUsage } from "@skillwright/agent";
import { asCommandFailure } from "../runtime/as-command-failure.ts";
import type { RuntimeContext } from "../runtime/compose-runtime.ts";
import { stopOnInterrupt } from "../terminal/stop-on-interrupt.ts";
import type { AgentOptions } from "./run-options.ts";
import { createSessionPolicy } from "./session-policy.ts";
import type { RunView } from "./view/run-view.ts";
import { createRunView } from "./view/create-run-view.ts";

type Surroundings = Required<Pick<OpenRunOptions, "signal" | "stop" | "onEvent">> & {
  readonly policy: RunPolicy;
};

/**
 * Until the run ends, somebody presses Ctrl-C, or something is missing that only a person can bring.
 * What happens is to be seen meanwhile, in this view or another one.
 */
export async function workOnRun<Result extends object>(
  context: RuntimeContext & { readonly options: AgentOptions; readonly used?: RunUsage },
  work: (surroundings: Surroundings) => Promise<Result>,
  view: RunView = createRunView(context.console, context.used),
): Promise<Result> {
  const { console } = context;
  const controller = new AbortController();
  let walkAway = () => controller.abort();
  const policy = createSessionPolicy(context, {
    // The run ends with it, and can go on when it is mended.
    stop: ({ code = "missing", message, hint }) =>
      controller.abort({ ok: false, code, message, ...(hint !== undefined && { hint }) }),
    onWalkAway: () => walkAway(),
    offersCommands: true,
  });
  const onEvent = (event: RunEvent) => {
    if (console.events) console.printRecord(event);
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
    throw asCommandFailure(error);
  }
}
