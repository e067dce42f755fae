import type { RunSummary } from "@skillwright/agent";
import type { ApprovalRequest, AuditRecord } from "@skillwright/runtime";
import { approvalText } from "@skillwright/runtime/internal";
import { quoteLine, truncate, visibleLine, visibleLines } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { breakApproval } from "../../terminal/break-approval.ts";
import { describeRecord } from "../describe-record.ts";
import { outputLines } from "../output-files.ts";
import { describeRun, shownRequest, findRun, latestRun, openRuns } from "@skillwright/app/internal";

const MAX_LINE = 200;

/** What happened in a run, step by step. */
export async function showRunCommand(
  given: string | undefined,
  console: Console,
): Promise<ExitCode> {
  const store = await openRuns(console);
  const runId = given === undefined ? await latestRun(store, console) : await findRun(store, given);
  const {
    records,
    summary,
    waiting: request,
    outputFiles,
    folder,
  } = await describeRun(store, runId);
  if (console.json) {
    console.printJson({
      ...summary,
      runDir: folder,
      ...(outputFiles.length > 0 && { outputFiles }),
      ...(request && { approvalRequest: shownRequest(request) }),
      timeline: timelineOf(records),
    });
    return EXIT.done;
  }
  const { dim, bold } = console.colors;
  console.print(bold(quoteLine(summary.request, MAX_LINE)));
  for (const [name, value] of factsOf(runId, summary)) {
    console.print(`${dim(name.padEnd(9))} ${visibleLine(value)}`);
  }
  console.print("");
  for (const { seconds, subject, text } of timelineOf(records)) {
    const time = dim(`${seconds.toFixed(1).padStart(7)}s`);
    console.print(`${time} ${subject.padEnd(9)} ${visibleLine(truncate(text, MAX_LINE))}`);
  }
  if (summary.answer !== "") console.print(`\n${visibleLines(summary.answer)}`);
  const lines = outputLines(outputFiles, console);
  if (lines.length > 0) console.print(`\nFiles for you:\n  ${lines.join("\n  ")}`);
  if (request)
    console.print(`\nWaits for the approval ${request.id}:\n${waitingText(request, console)}`);
  if (summary.heldChanges !== undefined)
    console.note(`Look at the changes with: skillwright runs changes ${runId}`);
  return EXIT.done;
}

function waitingText(request: ApprovalRequest, { isTerminal, width, screenSize }: Console): string {
  const text = approvalText(request);
  return isTerminal ? breakApproval(text, Math.min(width, screenSize.columns)) : text;
}

function factsOf(runId: string, summary: RunSummary): [string, string][] {
  const { status, reason, model, skills, usage, plan, children, startedAt } = summary;
  const { turns, toolCalls, scripts, inputTokens, outputTokens, cost } = usage;
  const used = [
    `${turns} turns`,
    `${toolCalls} tool calls`,
    `${scripts} scripts`,
    `${inputTokens} + ${outputTokens} tokens`,
    ...(cost > 0 ? [`$${cost.toFixed(4)}`] : []),
  ];
  const done = plan?.steps.filter((step) => step.status === "completed").length ?? 0;
  return [
    ["run", runId],
    ["began", startedAt],
    ["status", reason === undefined ? status : `${status}: ${reason}`],
    ["model", model],
    ["used", used.join(", ")],
    ...(skills.length > 0
      ? [
          ["skills", skills.map(({ name, source }) => `${name} (${source})`).join(", ")] as [
            string,
            string,
          ],
        ]
      : []),
    ...(plan
      ? [["plan", `${plan.goal} (${done} of ${plan.steps.length} steps done)`] as [string, string]]
      : []),
    ...children.map(({ runId: child, status: end }): [string, string] => [
      "child",
      `${child}: ${end}`,
    ]),
  ];
}

interface TimelineEntry {
  /** Since the run began. */
  readonly seconds: number;
  readonly subject: string;
  readonly text: string;
}

function timelineOf(records: readonly AuditRecord[]): TimelineEntry[] {
  const began = Date.parse(records[0]?.time ?? "");
  return records.flatMap((record) => {
    const described = describeRecord(record);
    if (described === undefined) return [];
    const { subject, text } = described;
    return [{ seconds: Math.max(0, Date.parse(record.time) - began) / 1000, subject, text }];
  });
}
