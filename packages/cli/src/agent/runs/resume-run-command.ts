import { type FileStore, isPart, resumeAgent } from "@skillwright/agent";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { openAgentSession, openRunStore } from "../agent-session.ts";
import { openRunModel } from "../open-run-model.ts";
import { reportRun } from "../report-run.ts";
import { budgetOf, type RunCommandOptions } from "../run-options.ts";
import { workOnRun } from "../work-on-run.ts";
import { findRun, readRun } from "./find-run.ts";

export interface ResumeRunOptions extends RunCommandOptions {
  readonly approve?: string;
}

/** Goes on with a run that was stopped or cut off. */
export async function resumeRunCommand(
  given: string,
  options: ResumeRunOptions,
  console: Console,
): Promise<ExitCode> {
  const more = budgetOf(options);
  const budget = Object.keys(more).length === 0 ? undefined : { budget: more };
  const { session, skills } = await openAgentSession(options, console);
  const store = openRunStore(session, console);
  const runId = await findRun(store, given);
  const answered = await answersOf(store, runId);
  const model = await openRunModel({ ...options, answered }, session, console);
  const { approve } = options;
  const approval = approve === undefined ? undefined : { approve };
  const result = await workOnRun({ session, skills, options, console }, (surroundings) =>
    resumeAgent({ ...surroundings, runId, store, skills, model, ...approval, ...budget }),
  );
  if (result.ok) return reportRun(result, session, store, console);
  const { code, message, hint, candidates = [] } = result;
  const near = candidates.length > 0 ? `did you mean ${candidates.join(" or ")}?` : hint;
  const exitCode = code.startsWith("approval-") ? EXIT.approval : EXIT.no;
  throw new CommandFailure(exitCode, message, near === undefined ? {} : { hint: near });
}

/** What a model with a fixed sequence has said already, to this run and its children. */
async function answersOf(store: FileStore, runId: string): Promise<number> {
  let answers = 0;
  for (const one of await store.list()) {
    if (one !== runId && !isPart(one, runId)) continue;
    const records = await readRun(store, one);
    answers += records.filter(({ event, data }) => {
      return event === "model-response" && (data as { error?: unknown }).error === undefined;
    }).length;
  }
  return answers;
}
