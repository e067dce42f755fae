import { plural } from "@skillwright/core/internal";
import type { EvalComparison } from "../compare/eval-comparison.ts";
import type { Arm, EvalResults } from "../results/eval-results.ts";
import { formatProbability } from "../statistics/format-numbers.ts";
import type { Rate } from "../statistics/rates.ts";
import type { EvalSummary } from "../summary/eval-summary.ts";
import type { PreferenceSummary } from "../summary/summarize-preferences.ts";

const INTEGER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** `12,400`, `3.25`. */
export function numberText(value: number): string {
  return Math.abs(value) >= 100 || Number.isInteger(value)
    ? INTEGER.format(value)
    : SMALL.format(value);
}

/** `85 ms`, `1.2 s`, `3 min 20 s`. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${numberText(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${numberText(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `92 %`; never 100 for what is less, nor 0 for what is more. */
export function percentText(share: number | null): string {
  if (share === null) return "–";
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return "99 %";
  return rounded === 0 && share > 0 ? "< 1 %" : `${rounded} %`;
}

/** `65 to 99 %`. */
export function rangeText({ low, high }: Pick<Rate, "low" | "high">): string {
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

/** What the trials of an arm were run with, for a person. */
export function armLabel(arm: Arm["name"]): string {
  if (arm === "old_skill") return "other version";
  return arm === "without_skill" ? "without the skill" : "with the skill";
}

/** `7 cases better, 2 worse, 3 ties, 1 error, p = 0.18`. */
export function preferenceText({ wins, losses, ties, errors, p }: PreferenceSummary): string {
  const parts = [
    `${plural(wins, "case")} better`,
    `${losses} worse`,
    plural(ties, "tie"),
    ...(errors > 0 ? [plural(errors, "error")] : []),
    `p ${formatProbability(p)}`,
  ];
  return parts.join(", ");
}

/** What every report for a person is made of. */
export interface ReportInput {
  readonly results: EvalResults;
  /** Of `results`. */
  readonly summary: EvalSummary;
  /** Of `results` with what was before. */
  readonly comparison?: EvalComparison;
  /** The run that is shown beside: what was before. */
  readonly other?: EvalResults;
  /** That the command ends with; what decides it alone does not know whether doubt fails. */
  readonly exitCode?: number;
}
