import { runTrigger, type StressedTrigger, withEval } from "@skillwright/app/internal";
import { quoteLine, visibleLine } from "@skillwright/core/internal";
import {
  type EvalSummary,
  formatRate,
  type TriggerSummary,
  verdictExitCode,
  verdictLines,
} from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { table } from "../terminal/table.ts";
import { type EvalCommandOptions, evalNumbers, requireSense, wholeNumber } from "./eval-options.ts";
import { requireWritable, writeReports } from "./eval-outputs.ts";
import { withProgress } from "./eval-progress.ts";

const MAX_ROWS = 60;
const MAX_MISTAKES = 20;

/** Which skill is selected for what, and who takes whose requests; the last line is the verdict. */
function printTrigger(
  summary: EvalSummary,
  stressed: StressedTrigger | undefined,
  console: Console,
): void {
  const { trigger, verdict } = summary;
  const { width, colors } = console;
  const lines = verdictLines({ summary }, { width, colors });
  if (!console.quiet) {
    console.print(confusionTable(trigger, console));
    console.print("");
    console.print(scoresTable(trigger, console));
    const mistakes = mistakeLines(trigger);
    if (mistakes.length > 0) console.print(["", ...mistakes].join("\n"));
    console.print(`\nselected rightly: ${formatRate(trigger.overall.correct)}`);
    if (stressed !== undefined) console.print(stressText(trigger, stressed));
    for (const note of verdict.notes) console.note(visibleLine(`note: ${note}`));
  }
  console.print(console.quiet ? (lines.at(-1) ?? "") : ["", ...lines].join("\n"));
}

function confusionTable({ confusion }: TriggerSummary, { width, colors }: Console): string {
  const rows = confusion
    .slice(0, MAX_ROWS)
    .map(({ expected, n, selected }) => [
      visibleLine(expected.skill ?? (expected.kind === "none" ? "(no skill)" : "(not said)")),
      String(n),
      selected.map(({ skill, cases }) => `${shown(skill)} ${short(cases)}`).join(", "),
    ]);
  return table(["EXPECTED", "CASES", "SELECTED"], rows, { width, header: colors.bold });
}

function scoresTable({ skills }: TriggerSummary, { width, colors }: Console): string {
  const rows = skills
    .slice(0, MAX_ROWS)
    .map(({ skill, precision, recall, f1 }) => [
      visibleLine(skill),
      f1.value === null ? "–" : f1.value.toFixed(2),
      rateText(precision),
      rateText(recall),
    ]);
  const header = ["SKILL", "F1", "PRECISION", "RECALL"];
  return table(header, rows, { width, header: colors.bold });
}

function rateText({ value, successes, n, low, high }: TriggerSummary["overall"]["recall"]): string {
  if (value === null) return "– of 0";
  const percent = (share: number) => Math.round(share * 100);
  return `${short(successes)}/${short(n)} (${percent(low)}–${percent(high)} %)`;
}

function mistakeLines({ mistakes }: TriggerSummary): string[] {
  const lines = mistakes
    .slice(0, MAX_MISTAKES)
    .map(({ caseId, input, kind, skill, trials, of }) => {
      const what = `${MISTAKES[kind]} ${skill}${often(trials, of)}`;
      return visibleLine(`${caseId}  ${what}: ${quoteLine(input, 80)}`);
    });
  const more = mistakes.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}

const MISTAKES = {
  stolen: "stolen by",
  extra: "also selected",
  unneeded: "needs no skill, selected",
  forbidden: "wrongly selected",
  missed: "missed",
} as const;

function stressText(before: TriggerSummary, { added, trigger, lost }: StressedTrigger): string {
  const lines = lost.slice(0, MAX_MISTAKES).map(({ caseId, skills, trials, of }) => {
    const names = skills.length === 0 ? "no skill" : skills.map(visibleLine).join(", ");
    return `  ${visibleLine(caseId)}  now ${names}${often(trials, of)}`;
  });
  return [
    `\nwith ${added} more skills: ${formatRate(trigger.overall.correct)}`,
    `  precision ${rateText(before.overall.precision)} → ${rateText(trigger.overall.precision)}`,
    `  recall    ${rateText(before.overall.recall)} → ${rateText(trigger.overall.recall)}`,
    ...lines,
    ...(lost.length > lines.length ? [`  … and ${lost.length - lines.length} more`] : []),
  ].join("\n");
}

function often(trials: number, of: number): string {
  return of > 1 ? ` in ${trials} of ${of} trials` : "";
}

function shown(skill: string | undefined): string {
  return skill === undefined ? "(none)" : visibleLine(skill);
}

function short(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}

export interface TriggerCommandOptions extends EvalCommandOptions {
  /** So many skills more. */
  readonly stress?: string;
  /** Where they are taken from, instead of being made up. */
  readonly withRoot?: string;
}

/** Which skill is selected for which request, over the whole catalog. Nothing else is done. */
export async function triggerCommand(
  paths: readonly string[],
  options: TriggerCommandOptions,
  console: Console,
): Promise<ExitCode> {
  requireSense(options);
  const numbers = evalNumbers(options, console.env);
  const { stress, withRoot: root } = options;
  const count =
    stress === undefined ? 0 : wholeNumber(stress, "--stress", { least: 1, most: 5000 });
  if (root !== undefined && count === 0) {
    throw new CommandFailure(EXIT.usage, "--with-root needs --stress <number>");
  }
  requireWritable(options, console);
  return withEval(paths, options, console, async (world) => {
    const crowd = count === 0 ? undefined : { count, root };
    const { results, summary, stressed } = await runTrigger(world, numbers, crowd, (run) =>
      withProgress(console, run),
    );
    const exitCode = verdictExitCode(summary.verdict, numbers);
    await writeReports({ results, summary, exitCode }, options, console);
    if (console.json) {
      const { verdict, trigger } = summary;
      const { problems } = world;
      console.printJson({
        verdict,
        trigger,
        ...(stressed && { stress: stressed }),
        ...(problems.length > 0 && { problems }),
      });
    } else printTrigger(summary, stressed, console);
    return exitCode;
  });
}
