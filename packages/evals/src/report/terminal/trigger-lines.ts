import type { TriggerScores, TriggerSummary } from "../../trigger/trigger-summary.ts";
import { numberText, percentText, rangeText } from "../number-text.ts";
import { fitLine, lineWidth, padLine } from "./fit-line.ts";
import type { ReportColors } from "./report-colors.ts";
import { visibleLine } from "./visible-line.ts";

const MOST = 8;
const COLUMN = 27;

/** The skills that are selected worst, with intervals and how many cases they rest on. */
export function triggerLines(
  trigger: TriggerSummary,
  width: number,
  colors: ReportColors,
): string[] {
  if (trigger.n === 0) return [];
  const sorted = trigger.skills.toSorted((a, b) => (a.f1.value ?? 2) - (b.f1.value ?? 2));
  const shown = sorted.slice(0, MOST);
  const names = ["all skills", ...shown.map(({ skill }) => visibleLine(skill))];
  const first =
    Math.min(Math.max(...names.map(lineWidth)), Math.max(12, width - 2 * COLUMN - 2)) + 2;
  const row = (name: string, { precision, recall }: TriggerScores) =>
    fitLine(
      padLine(fitLine(name, first - 2), first) +
        padLine(rateText(precision), COLUMN) +
        rateText(recall),
      width,
    );
  const more = sorted.length - shown.length;
  return [
    colors.bold(
      fitLine(`${padLine("selected", first)}${padLine("precision", COLUMN)}recall`, width),
    ),
    row("all skills", trigger.overall),
    ...shown.map((scores) => row(visibleLine(scores.skill), scores)),
    ...(more > 0 ? [`and ${more} more skills with a higher F1`] : []),
  ];
}

function rateText(rate: TriggerScores["precision"]): string {
  if (rate.value === null) return "– n=0";
  return `${percentText(rate.value)} (${rangeText(rate)}) n=${numberText(Math.round(rate.n * 10) / 10)}`;
}
