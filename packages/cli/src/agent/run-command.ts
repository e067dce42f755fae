import { runAgent } from "@skillwright/agent";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { openAgentSession, openRunStore } from "./agent-session.ts";
import { openRunModel } from "./open-run-model.ts";
import { reportRun } from "./report-run.ts";
import { budgetOf, type RunCommandOptions } from "./run-options.ts";
import { removeRuns, retentionOf } from "./runs/remove-runs.ts";
import { workOnRun } from "./work-on-run.ts";

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
  const result = await workOnRun({ session, skills, options, console }, (surroundings) =>
    runAgent({ ...surroundings, request, skills, model, budget, store }),
  );
  const exitCode = await reportRun(result, { session, store, options, console });
  const retention = retentionOf(session.configuration.values);
  if (retention !== undefined) await removeRuns(store, retention);
  return exitCode;
}
