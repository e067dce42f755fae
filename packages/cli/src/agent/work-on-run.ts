import type { OpenRunOptions, RunPolicy } from "@skillwright/agent";
import type { AuditRecord } from "@skillwright/runtime";
import { CommandFailure } from "../exit-code.ts";
import { asCommandFailure } from "../runtime/as-command-failure.ts";
import type { RuntimeContext } from "../runtime/compose-runtime.ts";
import { stopOnInterrupt } from "../terminal/stop-on-interrupt.ts";
import { continueCommand } from "./continue-command.ts";
import type { AgentOptions } from "./run-options.ts";
import { createSessionPolicy } from "./session-policy.ts";
import type { RunView } from "./view/run-view.ts";
import { createRunView } from "./view/create-run-view.ts";

type Surroundings = Required<Pick<OpenRunOptions, "signal" | "stop" | "onEvent" | "onText">> & {
  readonly policy: RunPolicy;
};

/**
 * Until the run ends, somebody presses Ctrl-C, or something is missing that only a person can bring.
 * What happens is to be seen meanwhile, in this view or another one.
 */
export async function workOnRun<Result extends object>(
  context: RuntimeContext & { readonly options: AgentOptions },
  work: (surroundings: Surroundings) => Promise<Result>,
  view: RunView = createRunView(context.console),
): Promise<Result> {
  const { console } = context;
  const controller = new AbortController();
  const problems: CommandFailure[] = [];
  let walkAway = () => controller.abort();
  const policy = createSessionPolicy(context, {
    stop(problem) {
      problems.push(problem);
      controller.abort();
    },
    onWalkAway: () => walkAway(),
  });
  const onEvent = (record: AuditRecord) => {
    if (console.events) console.printRecord(record);
    view.onEvent(record);
  };
  const onText = (text: string) => view.onText(text);
  try {
    const result = await stopOnInterrupt(
      ({ endNow, ...signals }) => {
        walkAway = endNow;
        return work({ ...signals, policy, onEvent, onText });
      },
      { controller, onStop: (how) => view.stopping(how) },
    ).finally(() => view.end());
    const [problem] = problems;
    if (problem === undefined || !("runId" in result)) return result;
    const { message, exitCode, hint = "mend that" } = problem;
    const words = continueCommand({ runId: String(result.runId) }, context.options);
    const goOn = `then continue with: ${words.join(" ")}`;
    throw new CommandFailure(exitCode, message, { hint: `${hint}\n${goOn}`, cause: problem });
  } catch (error) {
    throw asCommandFailure(error);
  }
}
