import { formatNumber, formatTick } from "./numbers.mjs";
import { fit, plainText } from "./plain-text.mjs";
import {
  COLORS,
  emptyBody,
  line,
  pixels,
  place,
  svgDocument,
  text,
  WIDTH,
} from "./svg-document.mjs";
import { scale, ticksFor } from "./ticks.mjs";

const TOP = 56;
const ROW = 26;
const BAR = 18;
const MAX_LABEL = 28;

/** Bars lie, so that names of any length can be read. */
export function barChart({ title, description, x, y, entries }) {
  if (entries.length === 0)
    return svgDocument({ height: 200, title, description, body: emptyBody(200) });
  const bottom = TOP + entries.length * ROW;
  const labels = entries.map(({ label }) => fit(plainText(label) || "(empty)", MAX_LABEL));
  const figures = entries.map(({ value }) => formatNumber(value));
  const left = 30 + Math.max(...labels.map(pixels));
  const right = WIDTH - 30 - Math.max(...figures.map(pixels));
  const values = entries.map(({ value }) => value);
  const ticks = ticksFor(Math.min(...values), Math.max(...values));
  const at = scale([ticks[0], ticks.at(-1)], [left, right]);
  const hasNegative = ticks[0] < 0;
  const body = [text(20, TOP - 8, fit(plainText(x), 60), { class: "m" })];
  for (const tick of ticks) {
    body.push(line(at(tick), TOP, at(tick), bottom, tick === 0 ? "a" : "g"));
    body.push(text(at(tick), bottom + 18, formatTick(tick), { class: "m", anchor: "middle" }));
  }
  entries.forEach(({ value }, i) => {
    const y0 = TOP + i * ROW + (ROW - BAR) / 2;
    const [from, to] = [at(0), at(value)].sort((a, b) => a - b);
    const base = y0 + BAR / 2 + 5;
    body.push(text(left - 10, base, labels[i], { anchor: "end" }));
    body.push(
      `<rect x="${place(from)}" y="${place(y0)}" width="${place(value === 0 ? 0 : Math.max(1, to - from))}" height="${BAR}" fill="${COLORS[value < 0 ? 6 : 0]}"/>`,
    );
    // Beside a bar to the left there are other names.
    const end = hasNegative && value < 0 ? at(0) : to;
    body.push(text(end + 6, base, figures[i]));
  });
  body.push(
    text((left + right) / 2, bottom + 38, fit(plainText(y), 60), { class: "m", anchor: "middle" }),
  );
  return svgDocument({ height: bottom + 50, title, description, body });
}
