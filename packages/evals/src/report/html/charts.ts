import type { Interval } from "../../statistics/rates.ts";
import type { CaseInArm } from "../../summary/eval-summary.ts";
import { html, type Markup } from "./markup.ts";

interface Histogram {
  readonly values: readonly number[];
  /** The end of the axis, which those side by side share. */
  readonly to: number;
  readonly p50: number;
  readonly p95: number;
}

const HISTOGRAM_WIDTH = 320;
const HISTOGRAM_HEIGHT = 56;
const BINS = 40;
const FOOT = 10;

/** How often how much, with the median and what only one in twenty exceeds. The numbers stand beside it. */
export function histogram({ values, to, p50, p95 }: Histogram): Markup {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const bin = to > 0 ? Math.min(BINS - 1, Math.floor((Math.max(value, 0) / to) * BINS)) : 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(...counts, 1);
  const width = HISTOGRAM_WIDTH / BINS;
  const bottom = HISTOGRAM_HEIGHT - FOOT;
  const bars = counts.map((count, bin) => {
    if (count === 0) return undefined;
    // A square root lets the rare ones be seen beside the usual.
    const height = Math.max(1.5, Math.sqrt(count / most) * (bottom - 4));
    return html`<rect
      class="bin"
      x="${(bin * width + 0.5).toFixed(1)}"
      y="${(bottom - height).toFixed(1)}"
      width="${(width - 1).toFixed(1)}"
      height="${height.toFixed(1)}"
    />`;
  });
  const at = (value: number) =>
    Math.min((to > 0 ? value / to : 0) * HISTOGRAM_WIDTH, HISTOGRAM_WIDTH - 1).toFixed(1);
  return html`<svg
    class="histogram"
    viewBox="0 0 ${HISTOGRAM_WIDTH} ${HISTOGRAM_HEIGHT}"
    aria-hidden="true"
  >
    <line class="axis" x1="0" x2="${HISTOGRAM_WIDTH}" y1="${bottom}" y2="${bottom}" />
    ${bars}
    <line class="p50" x1="${at(p50)}" x2="${at(p50)}" y1="0" y2="${bottom + 6}" />
    <line class="p95" x1="${at(p95)}" x2="${at(p95)}" y1="0" y2="${bottom + 6}" />
  </svg>`;
}

interface IntervalChart extends Interval {
  readonly value: number | null;
  /** The range of the axis; 0 to 1 unless told. */
  readonly from?: number;
  readonly to?: number;
  /** Where the axis has a mark, such as 0 for a difference. */
  readonly reference?: number;
}

const WIDTH = 132;
const HEIGHT = 18;
const PADDING = 6;

/** The value as a dot on its interval. The numbers stand beside it: to a screen reader it is nothing. */
export function intervalChart(chart: IntervalChart): Markup {
  const { value, low, high, from = 0, to = 1, reference } = chart;
  if (value === null) return html``;
  const x = (share: number) => {
    const inside = Math.min(Math.max((share - from) / (to - from), 0), 1);
    return (PADDING + inside * (WIDTH - 2 * PADDING)).toFixed(1);
  };
  const middle = HEIGHT / 2;
  const mark =
    reference === undefined
      ? undefined
      : html`<line
          class="reference"
          x1="${x(reference)}"
          x2="${x(reference)}"
          y1="1"
          y2="${HEIGHT - 1}"
        />`;
  return html`<svg
    class="interval"
    width="${WIDTH}"
    height="${HEIGHT}"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    aria-hidden="true"
  >
    <line class="axis" x1="${x(from)}" x2="${x(to)}" y1="${middle}" y2="${middle}" />
    ${mark}
    <line class="range" x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}" />
    <circle class="value" cx="${x(value)}" cy="${middle}" r="3.5" />
  </svg>`;
}

type AnyOutcome = CaseInArm["outcome"];

/** A sign and a word for each, so that nothing depends on a colour. */
export const OUTCOMES: Readonly<Record<AnyOutcome, { sign: string; word: string }>> = {
  pass: { sign: "✓", word: "passed" },
  fail: { sign: "✗", word: "failed" },
  flaky: { sign: "~", word: "sometimes" },
  error: { sign: "!", word: "error" },
  unjudged: { sign: "?", word: "not judged" },
};

export function outcomeMark(outcome: AnyOutcome, more = ""): Markup {
  const { sign, word } = OUTCOMES[outcome];
  return html`<span class="mark ${outcome}"
    ><b aria-hidden="true">${sign}</b> ${word}${more}</span
  >`;
}

export type OutcomeCounts = Readonly<Record<keyof typeof OUTCOMES, number>>;

const ORDER = ["pass", "flaky", "fail", "error", "unjudged"] as const;
const BAR_WIDTH = 600;
const BAR_HEIGHT = 14;

/** What share of the cases ended how; the words below it say the same. */
export function outcomeBar(counts: OutcomeCounts): Markup {
  const total = ORDER.reduce((sum, outcome) => sum + counts[outcome], 0);
  if (total === 0) return html``;
  const shown = ORDER.filter((outcome) => counts[outcome] > 0);
  let x = 0;
  const parts = shown.map((outcome) => {
    // One of two thousand is still to be seen.
    const width = Math.max((counts[outcome] / total) * BAR_WIDTH, 3);
    const part = html`<rect
      class="${outcome}"
      x="${x.toFixed(1)}"
      y="0"
      width="${Math.max(width - 1.5, 1.5).toFixed(1)}"
      height="${BAR_HEIGHT}"
    />`;
    x += width;
    return part;
  });
  const words = shown.map(
    (outcome) =>
      html`<li class="mark ${outcome}">
        <b aria-hidden="true">${OUTCOMES[outcome].sign}</b> ${counts[outcome]}
        ${outcome === "error" && counts.error !== 1 ? "errors" : OUTCOMES[outcome].word}
      </li>`,
  );
  return html`<svg
      class="bar"
      viewBox="0 0 ${Math.max(x, BAR_WIDTH).toFixed(1)} ${BAR_HEIGHT}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${parts}
    </svg>
    <ul class="counts">
      ${words}
    </ul>`;
}
