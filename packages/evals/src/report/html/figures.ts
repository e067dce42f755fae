import type { Interval } from "../../statistics/rates.ts";
import type { CaseInArm } from "../../summary/eval-summary.ts";
import { numberText, percentText, rangeText } from "../report-text.ts";
import { markup, type Markup } from "./markup.ts";

interface IntervalChart extends Interval {
  readonly value: number | null;
  /** The range of the axis; 0 to 1 unless told. */
  readonly from?: number;
  readonly to?: number;
  /** Where the axis has a mark, such as 0 for a difference. */
  readonly reference?: number;
}

const WIDTH = 132;
const PADDING = 6;

/** The value as a dot on its interval. The numbers stand beside it: to a screen reader it is nothing. */
export function intervalChart({
  value,
  low,
  high,
  from = 0,
  to = 1,
  reference,
}: IntervalChart): Markup {
  if (value === null) return markup``;
  const x = (share: number) => {
    const inside = Math.min(Math.max((share - from) / (to - from), 0), 1);
    return (PADDING + inside * (WIDTH - 2 * PADDING)).toFixed(1);
  };
  const line = (name: string, start: number, end: number) =>
    markup`<line class="${name}" x1="${x(start)}" x2="${x(end)}" y1="9" y2="9"/>`;
  const mark =
    reference === undefined
      ? undefined
      : markup`<line class="reference" x1="${x(reference)}" x2="${x(reference)}" y1="1" y2="17"/>`;
  return markup`<svg class="interval" width="${WIDTH}" height="18" viewBox="0 0 ${WIDTH} 18" aria-hidden="true">${line("axis", from, to)}${mark}${line("range", low, high)}<circle class="value" cx="${x(value)}" cy="9" r="3.5"/></svg>`;
}

/** A rate never stands without its interval and how many it rests on. */
export function rateCell(rate: Interval & { value: number | null; n: number }): Markup {
  if (rate.value === null) return markup`<span class="quiet">nothing to judge</span>`;
  return markup`${intervalChart(rate)} <b>${percentText(rate.value)}</b> <span class="numbers">${rangeText(rate)}, n = ${numberText(rate.n)}</span>`;
}

/** A sign and a word for each, so that nothing depends on a colour. */
export const OUTCOMES: Readonly<Record<CaseInArm["outcome"], { sign: string; word: string }>> = {
  pass: { sign: "✓", word: "passed" },
  flaky: { sign: "~", word: "sometimes" },
  fail: { sign: "✗", word: "failed" },
  error: { sign: "!", word: "error" },
  unjudged: { sign: "?", word: "not judged" },
};

export function outcomeMark(outcome: CaseInArm["outcome"], more = ""): Markup {
  const { sign, word } = OUTCOMES[outcome];
  return markup`<span class="mark ${outcome}"><b aria-hidden="true">${sign}</b> ${word}${more}</span>`;
}
