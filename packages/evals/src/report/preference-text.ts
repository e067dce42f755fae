import { formatProbability } from "../statistics/format-numbers.ts";
import type { PreferenceSummary } from "../summary/summarize-preferences.ts";
import { counted } from "./number-text.ts";

/** `7 cases better, 2 worse, 3 ties, 1 error, p = 0.18`. */
export function preferenceText({ wins, losses, ties, errors, p }: PreferenceSummary): string {
  const parts = [
    `${counted(wins, "case")} better`,
    `${losses} worse`,
    counted(ties, "tie"),
    ...(errors > 0 ? [counted(errors, "error")] : []),
    `p ${formatProbability(p)}`,
  ];
  return parts.join(", ");
}
