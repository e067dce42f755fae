import { html, type Markup } from "../markup.ts";
import { OUTCOMES } from "../outcome-mark.ts";

export type OutcomeCounts = Readonly<Record<keyof typeof OUTCOMES, number>>;

const ORDER = ["pass", "flaky", "fail", "error", "unjudged"] as const;
const WIDTH = 600;
const HEIGHT = 14;

/** What share of the cases ended how; the words below it say the same. */
export function outcomeBar(counts: OutcomeCounts): Markup {
  const total = ORDER.reduce((sum, outcome) => sum + counts[outcome], 0);
  if (total === 0) return html``;
  const shown = ORDER.filter((outcome) => counts[outcome] > 0);
  let x = 0;
  const parts = shown.map((outcome) => {
    // One of two thousand is still to be seen.
    const width = Math.max((counts[outcome] / total) * WIDTH, 3);
    const part = html`<rect
      class="${outcome}"
      x="${x.toFixed(1)}"
      y="0"
      width="${Math.max(width - 1.5, 1.5).toFixed(1)}"
      height="${HEIGHT}"
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
      viewBox="0 0 ${Math.max(x, WIDTH).toFixed(1)} ${HEIGHT}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${parts}
    </svg>
    <ul class="counts">
      ${words}
    </ul>`;
}
