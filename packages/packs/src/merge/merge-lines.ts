import { diff3Merge } from "node-diff3";
import { anchorsOf } from "./anchors.ts";
import { comparisonCost, MAX_COST } from "./comparison-cost.ts";

export type MergedLines =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly reason: "same-lines" | "too-large" };

/**
 * Joins what two sides did to the lines of a text. Changes to the same or to touching lines are a
 * conflict, unless they are the same change. Lines that all three have once part the texts into
 * short pieces, which keeps the time in bounds and does not change the outcome.
 */
export function mergeLines(
  base: readonly string[],
  local: readonly string[],
  incoming: readonly string[],
): MergedLines {
  const lines: string[] = [];
  const end = { base: base.length, local: local.length, incoming: incoming.length };
  let from = { base: 0, local: 0, incoming: 0 };
  let cost = 0;
  for (const to of [...anchorsOf(base, local, incoming), end]) {
    const pieces = {
      base: base.slice(from.base, to.base),
      local: local.slice(from.local, to.local),
      incoming: incoming.slice(from.incoming, to.incoming),
    };
    cost +=
      comparisonCost(pieces.base, pieces.local) + comparisonCost(pieces.base, pieces.incoming);
    if (cost > MAX_COST) return { ok: false, reason: "too-large" };
    for (const part of diff3Merge(pieces.local, pieces.base, pieces.incoming)) {
      if (part.ok === undefined) return { ok: false, reason: "same-lines" };
      for (const line of part.ok) lines.push(line);
    }
    const anchor = base[to.base];
    if (anchor !== undefined) lines.push(anchor);
    from = { base: to.base + 1, local: to.local + 1, incoming: to.incoming + 1 };
  }
  return { ok: true, lines };
}
