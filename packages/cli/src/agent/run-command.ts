import { runAgent } from "@skillwright/agent";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { asCommandFailure } from "../runtime/as-command-failure.ts";
import { openAgentSession, openRunStore, progressOf } from "./agent-session.ts";
import { cancelOnInterrupt } from "./cancel-on-interrupt.ts";
import { openRunModel } from "./open-run-model.ts";
import { reportRun } from "./report-run.ts";
import { budgetOf, type RunCommandOptions } from "./run-options.ts";
import { createSessionPolicy } from "./session-policy.ts";

/** Works on a request with the skills there are. */
export async function runCommand(
  words: readonly string[],
  options: RunCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const request = words.join(" ");
  if (request.trim() === "") throw new CommandFailure(EXIT.usage, "the request is empty");
  const budget = budgetOf(options);
  const { session, skills } = await openAgentSession(options, console);
  const model = await openRunModel(options, session, console);
  const store = openRunStore(session, console);
  const policy = createSessionPolicy({ session, skills, options, console });
  const onEvent = progressOf(console);
  try {
    const result = await cancelOnInterrupt((signal) =>
      runAgent({ request, skills, model, policy, budget, store, signal, onEvent }),
    );
    return reportRun(result, session, store, console);
  } catch (error) {
    throw asCommandFailure(error);
  }
}
