import type { OpenRunOptions, RunPolicy } from "@skillwright/agent";
import { CommandFailure } from "../exit-code.ts";
import { asCommandFailure } from "../runtime/as-command-failure.ts";
import type { RuntimeContext } from "../runtime/compose-runtime.ts";
import { progressOf } from "./agent-session.ts";
import { cancelOnInterrupt } from "../terminal/cancel-on-interrupt.ts";
import { continueCommand } from "./continue-command.ts";
import type { AgentOptions } from "./run-options.ts";
import { createSessionPolicy } from "./session-policy.ts";

type Surroundings = Required<Pick<OpenRunOptions, "signal" | "onEvent">> & {
  readonly policy: RunPolicy;
};

/** Until the run ends, somebody presses Ctrl-C, or something is missing that only a person can bring. */
export async function workOnRun<Result extends object>(
  context: RuntimeContext & { readonly options: AgentOptions },
  work: (surroundings: Surroundings) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const problems: CommandFailure[] = [];
  const policy = createSessionPolicy(context, (problem) => {
    problems.push(problem);
    controller.abort();
  });
  const onEvent = progressOf(context.console);
  try {
    const result = await cancelOnInterrupt(
      (signal) => work({ policy, signal, onEvent }),
      controller,
    );
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
