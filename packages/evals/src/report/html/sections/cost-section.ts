import { plural } from "@skillwright/core/internal";
import type { TrialResult } from "../../../results/eval-results.ts";
import { percentileOfSorted } from "../../../statistics/percentile.ts";
import type { CostSummary } from "../../../summary/cost-summary.ts";
import { tokensOf } from "../../../summary/summarize-cost.ts";
import { histogram } from "../charts/histogram.ts";
import { html, type Markup } from "../markup.ts";
import { numberText, timeText } from "../../number-text.ts";
import { armLabel } from "../../arm-label.ts";
import type { ReportSide } from "../report-side.ts";
import type { ReportSection } from "./section.ts";

interface Measure {
  readonly name: string;
  readonly valueOf: (trial: TrialResult) => number;
  readonly show: (value: number) => string;
}

const MEASURES: readonly Measure[] = [
  { name: "Tokens", valueOf: ({ usage }) => tokensOf(usage), show: numberText },
  { name: "Time", valueOf: ({ usage }) => usage.timeMs, show: timeText },
  { name: "Tool calls", valueOf: ({ usage }) => usage.toolCalls, show: numberText },
  { name: "Cost", valueOf: ({ usage }) => usage.cost, show: numberText },
];

/** What a trial costs, as a distribution: a mean alone hides the few that cost most. */
export function costSection(cost: CostSummary, sides: readonly ReportSide[]): ReportSection {
  const { catalogTokens } = cost;
  const catalog =
    catalogTokens === null
      ? undefined
      : html`<p>
          The catalog costs ${numberText(catalogTokens)} tokens in every request, whether a skill is
          used or not.
        </p>`;
  const body = html`${catalog}${changesOf(cost)}
    <div class="costs">${MEASURES.map((measure) => costOf(measure, sides))}</div>`;
  return { id: "cost", title: "What it costs", body };
}

function costOf(
  { name, valueOf, show }: Measure,
  sides: readonly ReportSide[],
): Markup | undefined {
  // A trial that was cut off cost less than it would have.
  const sorted = sides.map(({ trials }) =>
    Float64Array.from(trials.filter(({ error }) => error === undefined).map(valueOf)).sort(),
  );
  const to = Math.max(0, ...sorted.map((values) => values.at(-1) ?? 0));
  if (to === 0) return undefined;
  const figures = sides.map(({ label }, at) => {
    const values = sorted[at] ?? new Float64Array();
    const p50 = percentileOfSorted(values, 0.5);
    const p95 = percentileOfSorted(values, 0.95);
    if (p50 === undefined || p95 === undefined) return undefined;
    return html`<figure>
      ${histogram({ values: [...values], to, p50, p95 })}
      <figcaption>
        <b>${label}</b>
        <span class="numbers"
          >│ median ${show(p50)} · ┊ 95th percentile ${show(p95)} · most ${show(values.at(-1) ?? 0)}
          · ${plural(values.length, "trial")}</span
        >
      </figcaption>
    </figure>`;
  });
  return html`<div>
    <h3>${name} <small>0 to ${show(to)}</small></h3>
    ${figures}
  </div>`;
}

function changesOf({ changes }: CostSummary): Markup {
  const items = changes.flatMap(({ first, second, tokens, timeMs }) => {
    const ratios = [
      ...(tokens === null ? [] : [`tokens ${ratioText(tokens)}`]),
      ...(timeMs === null ? [] : [`time ${ratioText(timeMs)}`]),
    ];
    return ratios.length === 0
      ? []
      : [html`<li>${armLabel(first)} against ${armLabel(second)}: ${ratios.join("; ")}</li>`];
  });
  return items.length === 0
    ? html``
    : html`<ul class="plain">
        ${items}
      </ul>`;
}

function ratioText({
  value,
  low,
  high,
  n,
}: {
  value: number;
  low: number;
  high: number;
  n: number;
}) {
  return `× ${numberText(value)} (95 % interval ${numberText(low)} to ${numberText(high)}, ${n} cases)`;
}
