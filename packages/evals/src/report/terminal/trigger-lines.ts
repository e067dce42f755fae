import { displayWidth, quoteLine, truncateWidth } from "@skillwright/core/internal";
import type { TriggerScores, TriggerSummary } from "../../trigger/trigger-summary.ts";
import { numberText, percentText, rangeText } from "../number-text.ts";
import { padLine } from "./fit-line.ts";
import type { ReportColors } from "./report-colors.ts";

const MOST = 8;
const MAX_TEXT = 200;
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
  const names = ["all skills", ...shown.map(({ skill }) => quoteLine(skill, MAX_TEXT))];
  const first =
    Math.min(Math.max(...names.map(displayWidth)), Math.max(12, width - 2 * COLUMN - 2)) + 2;
  const row = (name: string, { precision, recall }: TriggerScores) =>
    truncateWidth(
      padLine(truncateWidth(name, first - 2), first) +
        padLine(rateText(precision), COLUMN) +
        rateText(recall),
      width,
    );
  const more = sorted.length - shown.length;
  return [
    colors.bold(
      truncateWidth(`${padLine("selected", first)}${padLine("precision", COLUMN)}recall`, width),
    ),
    row("all skills", trigger.overall),
    ...shown.map((scores) => row(quoteLine(scores.skill, MAX_TEXT), scores)),
    ...(more > 0 ? [`and ${more} more skills with a higher F1`] : []),
  ];
}

function rateText(rate: TriggerScores["precision"]): string {
  if (rate.value === null) return "– n=0";
  return `${percentText(rate.value)} (${rangeText(rate)}) n=${numberText(Math.round(rate.n * 10) / 10)}`;
}
