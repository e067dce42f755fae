import {
  type FileStore,
  isPart,
  type ModelResponded,
  resumeAgent,
  summarizeRun,
} from "@skillwright/agent";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { openAgentSession, openRunStore } from "../agent-session.ts";
import { openRecordedModel, openRunModel } from "../open-run-model.ts";
import { reportRun } from "../report-run.ts";
import { budgetOf, type RunCommandOptions } from "../run-options.ts";
import { waitingRequest } from "../waiting-request.ts";
import { workOnRun } from "../work-on-run.ts";
import { findRun, readRecords, readRun } from "./find-run.ts";

export interface ResumeRunOptions extends RunCommandOptions {
  readonly approve?: string;
}

/** Goes on with a run that was stopped or cut off. */
export async function resumeRunCommand(
  given: string,
  options: ResumeRunOptions,
  console: Console,
): Promise<ExitCode> {
  if (options.events === true && options.json === true) {
    throw new CommandFailure(EXIT.usage, "--events and --json exclude each other", {
      hint: "--events ends with the same answer",
    });
  }
  const more = budgetOf(options);
  const budget = Object.keys(more).length === 0 ? undefined : { budget: more };
  const { session, skills } = await openAgentSession(options, console);
  const store = openRunStore(session, console);
  const runId = await findRun(store, given);
  const waiting = summarizeRun(await readRun(store, runId));
  const before = await waitingRequest(store, runId, waiting.approval);
  const model =
    options.model === undefined
      ? await openRecordedModel(waiting.model, session, console, options.modelParam)
      : await openRunModel(
          { ...options, answered: await answersOf(store, runId) },
          session,
          console,
        );
  const { approve } = options;
  const approval = approve === undefined ? undefined : { approve };
  const result = await workOnRun({ session, skills, options, console }, (surroundings) =>
    resumeAgent({ ...surroundings, runId, store, skills, model, ...approval, ...budget }),
  );
  if (result.ok) return reportRun(result, { session, store, options, console, before });
  const { code, message, hint } = result;
  const near = code === "approval-unknown" ? lookAt(runId) : hint;
  const exitCode = code.startsWith("approval-") ? EXIT.approval : EXIT.no;
  throw new CommandFailure(exitCode, message, near === undefined ? {} : { hint: near });
}

/** An id alone would be approved without a look at what it is for. */
function lookAt(runId: string): string {
  return `see what it waits for: skillwright runs show ${runId}`;
}

/** What a model with a fixed sequence has said already, to this run and its children. */
async function answersOf(store: FileStore, runId: string): Promise<number> {
  let answers = 0;
  for (const one of await store.list()) {
    if (one !== runId && !isPart(one, runId)) continue;
    const records = await readRecords(store, one);
    answers += records.filter(({ event, data }) => {
      if (event !== "model-response") return false;
      const { error, usage } = data as ModelResponded;
      // What a person called by name was decided without the model.
      return error === undefined && usage.calls > 0;
    }).length;
  }
  return answers;
}
