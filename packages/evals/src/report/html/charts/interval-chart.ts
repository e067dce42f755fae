import type { Interval } from "../../../statistics/interval.ts";
import { html, type Markup } from "../markup.ts";

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
