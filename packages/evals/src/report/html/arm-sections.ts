import { plural } from "@skillwright/core/internal";
import type { TrialResult } from "../../results/eval-results.ts";
import { formatProbability } from "../../statistics/format-numbers.ts";
import { percentileOfSorted, type Rate } from "../../statistics/rates.ts";
import type {
  CheckedArm,
  CostSummary,
  EvalSummary,
  RepeatedRate,
} from "../../summary/eval-summary.ts";
import type { PairedComparison } from "../../summary/paired-comparison.ts";
import { tokensOf } from "../../summary/summarize-cost.ts";
import {
  armLabel,
  numberText,
  percentText,
  pointsText,
  rangeText,
  timeText,
} from "../report-text.ts";
import { histogram, intervalChart } from "./charts.ts";
import { html, type Markup, type ReportSection, scrollable } from "./markup.ts";
import type { ReportSide } from "./report-side.ts";

/** What passed in each arm, and whether the arms differ. */
export function armsSection({ verdict, sequence, output, cost }: EvalSummary): ReportSection {
  // Without the skill it can neither be selected nor followed: "everything" would say nothing.
  const tested = verdict.arms.filter(({ arm }) => arm !== "without_skill");
  const rows = [
    ...tested.map(({ arm, passed, errors, unjudged }) =>
      rateRow("Everything", armLabel(arm), passed, leftOut(errors, unjudged)),
    ),
    ...tested.flatMap(({ arm, repeated }) =>
      repeated.filter(({ k }) => k > 1).flatMap((one) => repeatedRows(armLabel(arm), one)),
    ),
    ...output.arms.flatMap((arm) => checkedRow("Output", arm)),
    ...sequence.arms.flatMap((arm) => checkedRow("Sequence", arm)),
    ...cost.arms.flatMap(({ arm, withinLimits }) =>
      withinLimits.n > 0 ? [rateRow("Limits kept", armLabel(arm), withinLimits, "")] : [],
    ),
  ];
  const table = html`<table class="data">
    <thead>
      <tr>
        <th scope="col">Passed</th>
        <th scope="col">Arm</th>
        <th scope="col" class="number">Rate</th>
        <th scope="col">95 % interval</th>
        <th scope="col" class="number">Cases</th>
        <th scope="col">Beside that</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
  const body = html`${scrollable("What passed", table)}${pairedTable([
    ...verdict.paired.map((paired) => ({ what: overallName(paired), paired })),
    ...sequence.paired.map((paired) => ({ what: "Sequence", paired })),
    ...output.paired
      .filter(({ second }) => second !== "without_skill")
      .map((paired) => ({ what: "Output", paired })),
  ])}`;
  return { id: "arms", title: "What passed", body };
}

export function rateCells(rate: Pick<Rate, "value" | "low" | "high" | "n">): Markup {
  if (rate.value === null)
    return html`<td class="number">–</td>
      <td class="quiet">nothing to judge</td>
      <td class="number">0</td>`;
  return html`<td class="number strong">${percentText(rate.value)}</td>
    <td>${intervalChart(rate)} <span class="numbers">${rangeText(rate)}</span></td>
    <td class="number">${numberText(rate.n)}</td>`;
}

function rateRow(what: string, arm: string, rate: Rate, beside: string): Markup {
  const trials = rate.trials > rate.n ? `${numberText(rate.trials)} trials` : "";
  const more = [trials, beside].filter((part) => part !== "").join(", ");
  return html`<tr>
    <th scope="row">${what}</th>
    <td>${arm}</td>
    ${rateCells(rate)}
    <td class="quiet">${more}</td>
  </tr>`;
}

function repeatedRows(arm: string, { k, atLeastOne, all }: RepeatedRate): Markup[] {
  return [
    rateRow(`At least one of ${k} (pass@${k})`, arm, atLeastOne, ""),
    rateRow(`All of ${k} (pass^${k})`, arm, all, ""),
  ];
}

function checkedRow(
  what: string,
  { arm, passed, score, checks, errors, unjudged }: CheckedArm,
): Markup[] {
  if (checks === 0) return [];
  const mean =
    score === null ? "" : `mean score ${numberText(score)} of ${plural(checks, "check")}`;
  const beside = [mean, leftOut(errors, unjudged)].filter((part) => part !== "").join(", ");
  return [rateRow(what, armLabel(arm), passed, beside)];
}

function leftOut(errors: number, unjudged: number): string {
  const parts = [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
  ];
  return parts.join(", ");
}

function overallName({ second }: PairedComparison): string {
  return second === "without_skill" ? "Output" : "Everything";
}

function pairedTable(all: readonly { what: string; paired: PairedComparison }[]): Markup {
  if (all.length === 0) return html``;
  const rows = all.map(({ what, paired }) => {
    const { first, second, table, difference, test, pairsNeeded } = paired;
    const { value, low, high } = difference;
    const chart = intervalChart({ value, low, high, from: -1, to: 1, reference: 0 });
    const needed =
      pairsNeeded !== null && pairsNeeded > difference.n
        ? `${numberText(pairsNeeded)} cases would show it`
        : "";
    return html`<tr>
      <th scope="row">${what}</th>
      <td>${armLabel(first)} against ${armLabel(second)}</td>
      <td class="number">${table.both}</td>
      <td class="number strong">${table.onlyFirst}</td>
      <td class="number strong">${table.onlySecond}</td>
      <td class="number">${table.neither}</td>
      <td>
        ${chart}
        <span class="numbers"
          >${pointsText(value)} (${pointsText(low)} to ${pointsText(high)})</span
        >
      </td>
      <td class="numbers">
        ${formatProbability(test.p).replace("= ", "")}
        <span class="quiet">${test.name}, ${test.method}</span>
      </td>
      <td class="quiet">${needed}</td>
    </tr>`;
  });
  const sentences = all
    .slice(0, 1)
    .map(({ paired }) => html`<p class="lead">${paired.sentence}</p>`);
  const head = html`<thead>
    <tr>
      <th scope="col">Passed</th>
      <th scope="col">Arms</th>
      <th scope="col" class="number">both</th>
      <th scope="col" class="number">only first</th>
      <th scope="col" class="number">only second</th>
      <th scope="col" class="number">neither</th>
      <th scope="col">Difference in points, 95 % interval</th>
      <th scope="col">p</th>
      <th scope="col"></th>
    </tr>
  </thead>`;
  return html`<h3>The same cases in both arms</h3>
    ${sentences}${scrollable(
      "The same cases in both arms",
      html`<table class="data paired">
        ${head}
        <tbody>
          ${rows}
        </tbody>
      </table>`,
    )}`;
}

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
  high: number | null;
  n: number;
}) {
  return `× ${numberText(value)} (95 % interval ${numberText(low)} to ${high === null ? "any" : numberText(high)}, ${n} cases)`;
}
