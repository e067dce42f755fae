import type { FileStore, RunResult, RunStatus } from "@skillwright/agent";
import { type ApprovalRequest, approvalText } from "@skillwright/runtime";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { continueCommand } from "./continue-command.ts";
import type { AgentOptions } from "./run-options.ts";
import { visibleLines } from "../terminal/visible-lines.ts";
import { changeSince, shownRequest, waitingRequest } from "./waiting-request.ts";

interface ReportContext {
  readonly session: Session;
  readonly store: FileStore;
  /** What the run was started or continued with. */
  readonly options: AgentOptions;
  readonly console: Console;
  /** What the run waited for before it went on. */
  readonly before?: ApprovalRequest | undefined;
}

const EXITS: Readonly<Record<RunStatus, ExitCode>> = {
  answered: EXIT.done,
  needs_approval: EXIT.approval,
  denied: EXIT.approval,
  invalid_output: EXIT.no,
  model_failed: EXIT.no,
  budget_exhausted: EXIT.no,
  error: EXIT.no,
  canceled: EXIT.interrupted,
};

/** The answer to stdout, and what else there is to say to stderr. */
export async function reportRun(result: RunResult, context: ReportContext): Promise<ExitCode> {
  const { store, console, before } = context;
  const { runId, status, answer, skills, steps, usage, reason, approval } = result;
  const exitCode = EXITS[status];
  const request = await waitingRequest(store, runId, approval);
  const change = changeSince(before, request);
  if (console.json) {
    const hint = status === "needs_approval" ? wayOn(result, context).join(" ") : result.hint;
    console.printJson({
      runId,
      status,
      answer,
      skills,
      steps,
      usage,
      runDir: store.folderOf(runId) ?? null,
      ...(reason !== undefined && { reason }),
      ...(hint !== undefined && { hint }),
      ...(approval !== undefined && { approval }),
      ...(request && { approvalRequest: shownRequest(request) }),
      ...(change !== undefined && { change }),
    });
    return exitCode;
  }
  if (status === "answered") {
    console.print(console.isTerminal ? visibleLines(answer) : answer);
    return exitCode;
  }
  if (answer !== "") console.note(visibleLines(answer));
  console.note(visibleText(`The run ${runId} ended as ${status}: ${reason ?? "no reason given"}.`));
  if (change !== undefined) console.note(visibleText(change));
  if (request) console.note(approvalText(request));
  if (status === "needs_approval") noteWayOn(result, context);
  else if (result.hint !== undefined) console.note(visibleText(result.hint));
  return exitCode;
}

/** Where only a person at a terminal may approve, the run asks that person again. */
function wayOn({ runId, approval, hint }: RunResult, { session, options }: ReportContext) {
  const isAsked = isAskedAgain({ hint }, session);
  return continueCommand({ runId, approve: isAsked ? undefined : approval }, options);
}

/** What the record leaves out can only be approved while the run goes on: the hint then says so. */
function isAskedAgain(
  { hint }: { readonly hint?: string | undefined },
  { configuration }: Session,
): boolean {
  const isLeftOut = hint !== undefined && !hint.includes("--approve");
  return isLeftOut || configuration.values.approvals.terminalOnly;
}

function noteWayOn(result: RunResult, context: ReportContext): void {
  const { session, console } = context;
  const where = isAskedAgain(result, session) ? " in a terminal" : "";
  const words = wayOn(result, context).map(visibleText);
  // A terminal breaks long lines, and half a command is another one.
  const command = console.isInteractive ? words.join(" \\\n  ") : words.join(" ");
  console.note(`Continue it${where} with: ${command}`);
}
