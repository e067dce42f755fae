import { plural } from "@skillwright/core/internal";
import { formatProbability } from "../statistics/format-numbers.ts";
import type { PreferenceSummary } from "../summary/summarize-preferences.ts";

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
