import { resumeAgent, type ResumeOptions, summarizeRun } from "@skillwright/agent";
import type { FileStore } from "@skillwright/agent/internal";
import { visibleLines } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import {
  answersOf,
  openAgentSession,
  openRunStore,
  openRecordedModel,
  openRunModel,
  waitingRequest,
  findRun,
  listRuns,
  readRun,
  summaryOf,
  type Decision,
  HeldChanges,
} from "@skillwright/app/internal";
import { offerMoreBudget, requireResumed } from "../go-on.ts";
import { reportRun } from "../report-run.ts";
import { budgetOf, type RunCommandOptions } from "../run-options.ts";
import { workOnRun } from "../work-on-run.ts";
import { decideAndReport, printPending } from "./changes-command.ts";

export interface ResumeRunOptions extends RunCommandOptions {
  readonly approve?: string;
}

/** Continues a run that was stopped or cut off. */
export async function resumeRunCommand(
  given: string | undefined,
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
  const runId = given === undefined ? await latestUnfinished(store) : await findRun(store, given);
  if (given === undefined) console.note(`Continuing ${runId}.`);
  const held = await HeldChanges.ofRun(runId, store, session);
  const decided = await decideFirst(held, options, console);
  const waiting = summarizeRun(await readRun(store, runId));
  if (decided !== undefined && waiting.status === "answered") {
    console.print(visibleLines(waiting.answer));
    return EXIT.done;
  }
  // It waits for nothing that the model could do.
  if (decided === "later" && waiting.approval === "changes" && budget === undefined) {
    console.note(`The changes stay held: skillwright runs changes ${runId}`);
    return EXIT.approval;
  }
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
  const resume = (given: Partial<ResumeOptions>, used = waiting.usage) =>
    workOnRun({ session, skills, options, console, used }, async (surroundings) => {
      const resumed = { ...surroundings, runId, store, skills, model, ...given };
      return requireResumed(await resumeAgent(resumed), runId);
    });
  const ended = await resume({ ...approval, ...budget });
  const result = await offerMoreBudget(ended, console, ({ usage }, more) =>
    resume({ budget: more }, usage),
  );
  return reportRun(result, { session, store, options, console, before });
}

/** A person who is there decides on changes that wait before the model goes on. */
async function decideFirst(
  held: HeldChanges,
  { approve }: ResumeRunOptions,
  console: Console,
): Promise<Decision | "later" | undefined> {
  if (held.pending().length === 0 || approve !== undefined || !console.canAsk) return undefined;
  await printPending(
    held,
    () => true,
    (text) => console.note(text),
  );
  const answer = await console.choose({
    message: "Keep these changes of scripts?",
    choices: [
      { value: "later", label: "Decide later", hint: "they stay held" },
      { value: "kept", label: "Keep them" },
      { value: "discarded", label: "Discard them" },
    ],
    initial: "later",
  });
  if (answer === undefined) throw new CommandFailure(EXIT.interrupted, "interrupted");
  if (answer === "later") return answer;
  await decideAndReport(held, answer, () => true, console);
  return answer;
}

/** Child runs are continued by their parents. */
async function latestUnfinished(store: FileStore): Promise<string> {
  for (const runId of await listRuns(store)) {
    const summary = await summaryOf(store, runId);
    const isDone = summary?.status === "answered" || summary?.status === "failed";
    if (summary !== undefined && summary.parent === undefined && !isDone) return runId;
  }
  throw new CommandFailure(EXIT.no, "every run of this project is finished", {
    hint: "skillwright runs list shows them; name one to continue it anyway",
  });
}
