import type { Budget } from "@skillwright/agent";
import type { RunUsage } from "@skillwright/agent/internal";
import type { App, ResumeRequest } from "@skillwright/app";
import { asFailure, type Decision, HeldChanges } from "@skillwright/app/internal";
import { defined, visibleLines } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { offerMoreBudget } from "../go-on.ts";
import { type ReportContext, reportRun } from "../report-run.ts";
import { budgetOf, type RunCommandOptions } from "../run-options.ts";
import { openProject, workOnRun } from "../work-on-run.ts";
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
  const budget = Object.keys(more).length === 0 ? undefined : more;
  const app = await openProject(options, console);
  try {
    const runId = given ?? (await latestUnfinished(app));
    if (given === undefined) console.note(`Continuing ${runId}.`);
    const found = await app.readRun(runId);
    if (!found.ok) throw asFailure(found);
    return await resume(found.summary.runId, budget, { app, options, console });
  } finally {
    await app.close();
  }
}

async function resume(
  runId: string,
  budget: Partial<Budget> | undefined,
  { app, options, console }: ReportContext,
): Promise<ExitCode> {
  const held = await HeldChanges.open(runId, console);
  const decided = await decideFirst(held, options, console);
  const found = await app.readRun(runId);
  if (!found.ok) throw asFailure(found);
  const { summary, waiting: before } = found;
  if (decided !== undefined && summary.status === "answered") {
    console.print(visibleLines(summary.answer));
    return EXIT.done;
  }
  // It waits for nothing that the model could do.
  if (decided === "later" && summary.approval === "changes" && budget === undefined) {
    console.note(`The changes stay held: skillwright runs changes ${runId}`);
    return EXIT.approval;
  }
  const { model, modelParam: modelParams, approve } = options;
  const goOn = (request: ResumeRequest, used: RunUsage) =>
    workOnRun(
      console,
      (watch) => app.resumeRun(runId, { ...defined({ model, modelParams }), ...request, ...watch }),
      used,
    );
  const ended = await goOn(defined({ approve, budget }), summary.usage);
  const result = await offerMoreBudget(ended, console, ({ usage }, more) =>
    goOn({ budget: more }, usage),
  );
  return reportRun(result, { app, options, console, ...defined({ before }) });
}

/** A person who is there decides on changes that wait before the model goes on. */
async function decideFirst(
  held: HeldChanges,
  { approve }: Pick<ResumeRunOptions, "approve">,
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
async function latestUnfinished(app: App): Promise<string> {
  const runs = await app.listRuns();
  const open = runs.find(({ status }) => !["answered", "failed", "damaged"].includes(status));
  if (open !== undefined) return open.runId;
  throw new CommandFailure(EXIT.no, "every run of this project is finished", {
    hint: "skillwright runs list shows them; name one to continue it anyway",
  });
}
