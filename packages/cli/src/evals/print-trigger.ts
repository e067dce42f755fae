import { type EvalSummary, formatRate, type TriggerSummary } from "@skillwright/evals";
import { quoteLine, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { table } from "../terminal/table.ts";
import type { StressedTrigger } from "./stressed-trigger.ts";

const MAX_ROWS = 60;
const MAX_MISTAKES = 20;

/** Which skill is selected for what, and who takes whose requests; the last line is the verdict. */
export function printTrigger(
  { trigger, verdict }: EvalSummary,
  stressed: StressedTrigger | undefined,
  console: Console,
): void {
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
  const { green, red, bold } = console.colors;
  const paint = verdict.status === "pass" ? green : red;
  console.print(`${bold(paint(verdict.status))}: ${visibleLine(verdict.sentence)}`);
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
