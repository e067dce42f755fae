import { kindOf } from "./group-rows.mjs";
import { formatTick, numberIn } from "./numbers.mjs";
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

const HEIGHT = 400;
const TOP = 64;
const BOTTOM = HEIGHT - 60;
const RIGHT = WIDTH - 40;
const MAX_POINTS = 600;
const MOST_MARKED = 60;
const MAX_LABEL = 14;

/** Numbers and dates stand where they belong; other names at equal distances. */
export function lineChart({ title, description, x, y, entries }) {
  const frame = { height: HEIGHT, title, description };
  if (entries.length === 0) return svgDocument({ ...frame, body: emptyBody(HEIGHT) });
  const values = entries.map(({ value }) => value);
  const ticks = ticksFor(least(values), most(values), { withZero: isNearZero(values) });
  const left = 34 + Math.max(...ticks.map((tick) => pixels(formatTick(tick))));
  const up = scale([ticks[0], ticks.at(-1)], [BOTTOM, TOP]);
  const body = ticks.flatMap((tick) => [
    line(left, up(tick), RIGHT, up(tick), tick === 0 ? "a" : "g"),
    text(left - 8, up(tick) + 4, formatTick(tick), { class: "m", anchor: "end" }),
  ]);
  const { along, labels } = axisOf(entries, left);
  const points = entries.map((entry, i) => [along(entry, i), up(entry.value)]);
  const drawn = thinned(points);
  const path = drawn.map(([px, py]) => `${place(px)} ${place(py)}`).join("L");
  body.push(
    `<path d="M${path}" fill="none" stroke="${COLORS[0]}" stroke-width="2.5" stroke-linejoin="round"/>`,
  );
  if (drawn.length <= MOST_MARKED)
    for (const [px, py] of drawn)
      body.push(`<circle cx="${place(px)}" cy="${place(py)}" r="3.5" fill="${COLORS[0]}"/>`);
  body.push(...labels);
  body.push(text(left, TOP - 14, fit(plainText(y), 60), { class: "m" }));
  body.push(
    text((left + RIGHT) / 2, HEIGHT - 14, fit(plainText(x), 60), { class: "m", anchor: "middle" }),
  );
  return svgDocument({ ...frame, body });
}

function axisOf(entries, left) {
  const kind = kindOf(entries);
  const valueOf = (label) => (kind === "number" ? numberIn(label) : Date.parse(label));
  if (kind === "number") {
    const all = entries.map(({ label }) => valueOf(label));
    const ticks = ticksFor(least(all), most(all), { withZero: false });
    const at = scale([ticks[0], ticks.at(-1)], [left, RIGHT]);
    const labels = ticks.map((tick) => below(at(tick), formatTick(tick)));
    return { along: ({ label }) => at(valueOf(label)), labels };
  }
  const ends =
    kind === "date"
      ? [valueOf(entries[0].label), valueOf(entries.at(-1).label)]
      : [0, entries.length - 1];
  const inner = [left + 24, RIGHT - 24];
  const at = ends[0] === ends[1] ? () => (left + RIGHT) / 2 : scale(ends, inner);
  const along = ({ label }, i) => at(kind === "date" ? valueOf(label) : i);
  return { along, labels: labelsWithoutOverlap(entries, along) };
}

function labelsWithoutOverlap(entries, along) {
  const labels = [];
  let free = -Infinity;
  entries.forEach((entry, i) => {
    const label = fit(plainText(entry.label) || "(empty)", MAX_LABEL);
    const half = pixels(label) / 2;
    const at = along(entry, i);
    if (at - half < free) return;
    free = at + half + 8;
    labels.push(below(at, label));
  });
  return labels;
}

function below(at, label) {
  return text(at, BOTTOM + 20, label, { class: "m", anchor: "middle" });
}

/** Of many points the lowest and the highest of each stretch, so that no peak is lost. */
function thinned(points) {
  if (points.length <= MAX_POINTS) return points;
  const size = (points.length * 2) / MAX_POINTS;
  const kept = [];
  for (let from = 0; from < points.length; from += size) {
    const stretch = points.slice(Math.floor(from), Math.floor(from + size));
    const low = stretch.reduce((best, point) => (point[1] < best[1] ? point : best));
    const high = stretch.reduce((best, point) => (point[1] > best[1] ? point : best));
    kept.push(...new Set(stretch.indexOf(low) < stretch.indexOf(high) ? [low, high] : [high, low]));
  }
  return kept;
}

/** Far from zero, small changes could not be seen with it. */
function isNearZero(values) {
  const [low, high] = [least(values), most(values)];
  return low <= 0 ? high >= 0 || high - low > -high / 2 : high - low > low / 2 || low === high;
}

/** `Math.min(...values)` has too many arguments for long lists. */
function least(values) {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values) {
  return values.reduce((a, b) => Math.max(a, b));
}
