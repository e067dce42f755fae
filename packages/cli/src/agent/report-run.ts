import type { FileStore, RunResult, RunStatus } from "@skillwright/agent";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { visibleLines } from "./visible-lines.ts";

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
export function reportRun(
  result: RunResult,
  { configuration }: Session,
  store: FileStore,
  console: Console,
): ExitCode {
  const { runId, status, answer, skills, steps, usage, reason, approval } = result;
  const { terminalOnly } = configuration.values.approvals;
  // Where only a person at a terminal may approve, the run asks that person again.
  const isAskedAgain = status === "needs_approval" && terminalOnly;
  const hint = isAskedAgain ? `skillwright runs resume ${runId}` : result.hint;
  const exitCode = EXITS[status];
  if (console.json) {
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
    });
    return exitCode;
  }
  if (status === "answered") {
    console.print(console.isTerminal ? visibleLines(answer) : answer);
    return exitCode;
  }
  if (answer !== "") console.note(visibleLines(answer));
  console.note(visibleText(`The run ${runId} ended as ${status}: ${reason ?? "no reason given"}.`));
  if (hint !== undefined)
    console.note(
      visibleText(
        status === "needs_approval"
          ? `Continue it${isAskedAgain ? " in a terminal" : ""} with: ${hint}`
          : hint,
      ),
    );
  return exitCode;
}
