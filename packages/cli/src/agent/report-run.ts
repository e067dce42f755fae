import type { RunResult, RunStatus } from "@skillwright/agent";
import type { ApprovalRequest } from "@skillwright/runtime";
import {
  displayWidth,
  plural,
  stripHidden,
  visibleLine,
  visibleLines,
} from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { App } from "@skillwright/app";
import { asFailure, changeSince, shownRequest } from "@skillwright/app/internal";
import { shownApproval } from "../runtime/shown-approval.ts";
import { renderMarkdown } from "../terminal/render-markdown.ts";
import { continueCommand, shellWord } from "./continue-command.ts";
import { largerBudget } from "./go-on.ts";
import { outputLines } from "./output-files.ts";
import type { AgentOptions } from "./run-options.ts";
import { counted, dollars, shortTime } from "./view/amounts.ts";

/** Longer lines are hard to read. */
const LONGEST_LINE = 110;

/** As the approval that is waited for: the changes of scripts. */
const HELD_CHANGES = "changes";

export interface ReportContext {
  readonly app: App;
  /** What the run was started or continued with. */
  readonly options: AgentOptions & { readonly approve?: string };
  readonly console: Console;
  /** What the run waited for before it went on. */
  readonly before?: ApprovalRequest | undefined;
}

const EXITS: Readonly<Record<RunStatus, ExitCode>> = {
  answered: EXIT.done,
  failed: EXIT.no,
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
  const { app, console, before } = context;
  const { runId, status, answer, skills, steps, usage, reason, approval, heldChanges } = result;
  // What is missing is for a person to bring.
  const exitCode = result.code === undefined ? EXITS[status] : EXIT.missing;
  const run = await app.readRun(runId);
  if (!run.ok) throw asFailure(run);
  const { waiting: request, outputFiles, folder } = run;
  const change = changeSince(before, request);
  if (console.json) {
    const hint = hintOf(result, context);
    console.printJson({
      runId,
      status,
      answer,
      skills,
      steps,
      usage,
      runDir: folder,
      ...(reason !== undefined && { reason }),
      ...(result.code !== undefined && { code: result.code }),
      ...(hint !== undefined && { hint }),
      ...(approval !== undefined && { approval }),
      ...(heldChanges !== undefined && { heldChanges }),
      ...(outputFiles.length > 0 && { outputFiles }),
      ...(request && { approvalRequest: shownRequest(request) }),
      ...(change !== undefined && { change }),
    });
    return exitCode;
  }
  if (status === "answered") {
    // The last record was the answer.
    if (console.events) return exitCode;
    if (console.canRedraw) console.note("");
    printAnswer(answer, console);
    noteOutput(outputFiles, console);
    if (console.canRedraw) console.note(lastLine(result, console));
    return exitCode;
  }
  if (console.canRedraw) console.note("");
  if (result.isAnswer === true && !console.events) printAnswer(answer, console);
  // Who watched it has seen that.
  const isWatched = console.canRedraw && (status === "canceled" || status === "needs_approval");
  const isSeen = isWatched || result.isAnswer === true || result.code !== undefined;
  if (answer !== "" && !isSeen) console.note(visibleLines(answer));
  if (result.code !== undefined) {
    noteMissing(result, context);
    noteHeld(result, context);
    return exitCode;
  }
  noteOutput(outputFiles, console);
  console.note(visibleLine(`The run ${runId} ended as ${status}: ${reason ?? "no reason given"}.`));
  if (change !== undefined) console.note(visibleLine(change));
  if (request) console.note(shownApproval(request, console));
  if (status !== "needs_approval" && result.hint !== undefined) {
    console.note(visibleLine(result.hint));
  }
  noteWayOn(result, context);
  noteHeld(result, context);
  return exitCode;
}

function noteOutput(files: Parameters<typeof outputLines>[0], console: Console): void {
  for (const line of outputLines(files, console)) console.note(`For you: ${line}`);
}

/** Text for people: what a terminal would obey is shown there, and left out elsewhere. */
function printAnswer(answer: string, console: Console): void {
  console.print(
    console.isTerminal
      ? renderMarkdown(visibleLines(answer), {
          width: Math.min(console.width - 1, LONGEST_LINE),
          colors: console.colors,
        }).join("\n")
      : stripHidden(answer),
  );
}

/** What to do about this end, in one text for programs. */
function hintOf(result: RunResult, context: ReportContext): string | undefined {
  const { status, hint, code } = result;
  const command = wayOn(result, context).join(" ");
  if (code !== undefined) return `${hint ?? "fix that"}\nthen continue with: ${command}`;
  if (status === "needs_approval" || status === "canceled") return command;
  if (status === "budget_exhausted") return `${command} ${largerBudget(result).option}`;
  return hint;
}

/** As other failures are shown: what is missing, and what goes on once it is there. */
function noteMissing(result: RunResult, context: ReportContext): void {
  const { red, bold } = context.console.noteColors;
  const indented = (text: string) => visibleLines(text).replaceAll("\n", "\n  ");
  context.console.note(`${red(bold("error"))}: ${indented(result.reason ?? "")}`);
  context.console.note(`${bold("hint")}: ${indented(hintOf(result, context) ?? "")}`);
}

/** What it took, and where more of it is. */
function lastLine({ runId, skills, steps, usage }: RunResult, console: Console): string {
  const { inputTokens, outputTokens, timeMs, cost } = usage;
  const facts = [
    skills.length === 0 ? "no skill" : visibleLine([...new Set(skills)].join(", ")),
    counted(steps, "step"),
    counted(inputTokens + outputTokens, "token"),
    shortTime(timeMs),
    ...(cost > 0 ? [dollars(cost)] : []),
  ].join(" · ");
  const command = `skillwright runs show ${runId}`;
  const isOneLine = displayWidth(`${facts} · ${command}`) <= console.screenSize.columns;
  const { dim } = console.noteColors;
  // A command that a terminal breaks cannot be copied.
  return `\n${isOneLine ? dim(`${facts} · ${command}`) : `${dim(facts)}\n${dim(command)}`}`;
}

/** Where only a person at a terminal may approve, the run asks that person again. */
function wayOn({ runId, status, approval, hint }: RunResult, { app, options }: ReportContext) {
  if (approval === HELD_CHANGES) return [changesCommand(runId, options)];
  const isAsked = status !== "needs_approval" || isAskedAgain({ hint }, app);
  return continueCommand({ runId, approve: isAsked ? undefined : approval }, options);
}

/** What the record leaves out can only be approved while the run goes on: the hint then says so. */
function isAskedAgain(
  { hint }: { readonly hint?: string | undefined },
  { configuration }: App,
): boolean {
  const isLeftOut = hint !== undefined && !hint.includes("--approve");
  return isLeftOut || configuration.values.approvals.terminalOnly;
}

/** How it goes on after this end; undefined where it would only end the same way again. */
function goingOn(result: RunResult): string | undefined {
  switch (result.status) {
    case "needs_approval":
      return result.approval === HELD_CHANGES ? "Look at them" : "Continue it";
    case "canceled":
    case "model_failed":
      return "Continue it";
    case "budget_exhausted":
      return "Continue it, with a larger budget,";
    case "invalid_output":
      return "Try it again from there";
    default:
      return undefined;
  }
}

/** What waits are the changes of scripts: they are decided on by themselves. */
function changesCommand(runId: string, { cwd }: AgentOptions): string {
  const command = `skillwright runs changes ${shellWord(runId)}`;
  return cwd === undefined ? command : `${command} --cwd ${shellWord(cwd)}`;
}

function noteWayOn(result: RunResult, context: ReportContext): void {
  const { app, console } = context;
  const doing = goingOn(result);
  if (doing === undefined) {
    if (result.status === "denied") {
      console.note(`See what was refused: skillwright runs show ${result.runId}`);
    }
    return;
  }
  const isWaiting = result.status === "needs_approval" && result.approval !== HELD_CHANGES;
  const where = isWaiting && isAskedAgain(result, app) ? " in a terminal" : "";
  const budget = result.status === "budget_exhausted" ? [largerBudget(result).option] : [];
  noteCommand(`${doing}${where} with:`, [...wayOn(result, context), ...budget], console);
}

/** Changes of scripts that wait, whatever else the run ended with. */
function noteHeld(result: RunResult, { options, console }: ReportContext): void {
  const { runId, approval, heldChanges = 0 } = result;
  if (heldChanges === 0) return;
  if (approval !== HELD_CHANGES) {
    const held = plural(heldChanges, "change of a script is", "changes of scripts are");
    noteCommand(
      `${held} held as well. Look at them with:`,
      [changesCommand(runId, options)],
      console,
    );
  }
  console.note("Then keep them with --apply, or discard them with --discard.");
}

function noteCommand(title: string, command: readonly string[], console: Console): void {
  const words = command.map(visibleLine);
  const shown = console.isInteractive
    ? `\n  ${brokenCommand(words, console.screenSize.columns)}`
    : ` ${words.join(" ")}`;
  console.note(title + shown);
}

/** A terminal breaks long lines, and half a command is another one. */
function brokenCommand([first = "", ...options]: readonly string[], columns: number): string {
  const isNarrow = displayWidth(first) + MARGIN > columns;
  const start = isNarrow ? first.replace(/ (?=\S+$)/, NEXT_LINE) : first;
  return [start, ...options].join(NEXT_LINE);
}

const NEXT_LINE = " \\\n  ";
const MARGIN = 4;
