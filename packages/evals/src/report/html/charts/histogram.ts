import { html, type Markup } from "../markup.ts";

interface Histogram {
  readonly values: readonly number[];
  /** The end of the axis, which those side by side share. */
  readonly to: number;
  readonly p50: number;
  readonly p95: number;
}

const WIDTH = 320;
const HEIGHT = 56;
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
  const width = WIDTH / BINS;
  const bottom = HEIGHT - FOOT;
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
  const at = (value: number) => Math.min((to > 0 ? value / to : 0) * WIDTH, WIDTH - 1).toFixed(1);
  return html`<svg class="histogram" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <line class="axis" x1="0" x2="${WIDTH}" y1="${bottom}" y2="${bottom}" />
    ${bars}
    <line class="p50" x1="${at(p50)}" x2="${at(p50)}" y1="0" y2="${bottom + 6}" />
    <line class="p95" x1="${at(p95)}" x2="${at(p95)}" y1="0" y2="${bottom + 6}" />
  </svg>`;
}
