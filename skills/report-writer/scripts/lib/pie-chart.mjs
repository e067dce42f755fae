import { formatNumber, formatShare, Sum } from "./numbers.mjs";
import { fit, plainText } from "./plain-text.mjs";
import { COLORS, emptyBody, place, svgDocument, text } from "./svg-document.mjs";

const HEIGHT = 340;
const CENTRE = [180, 190];
const RADIUS = 120;
const LEGEND = 350;
const ROW = 28;
const MAX_LABEL = 26;

/** Clockwise from the top, in the order of the legend, which also has the numbers. */
export function pieChart({ title, description, y, entries }) {
  const frame = { height: HEIGHT, title, description };
  const shown = entries.filter(({ value }) => value > 0);
  if (shown.length === 0) return svgDocument({ ...frame, body: emptyBody(HEIGHT) });
  // A share of the largest first: the sum itself may be too large.
  const largest = Math.max(...shown.map(({ value }) => value));
  const total = new Sum();
  for (const { value } of shown) total.add(value / largest);
  const first = CENTRE[1] - (shown.length * ROW) / 2 + 18;
  const body = [text(LEGEND, first - ROW, fit(plainText(y), 50), { class: "m" })];
  let done = 0;
  shown.forEach(({ label, value }, i) => {
    const share = value / largest / total.value;
    const color = COLORS[i % COLORS.length];
    body.push(slice(done, done + share, color));
    done += share;
    const base = first + i * ROW;
    const name = fit(plainText(label) || "(empty)", MAX_LABEL);
    body.push(
      `<rect x="${LEGEND}" y="${place(base - 11)}" width="13" height="13" rx="2" fill="${color}"/>`,
    );
    body.push(
      text(LEGEND + 22, base, `${name}: ${formatNumber(value)} (${formatShare(share, 1)})`),
    );
  });
  return svgDocument({ ...frame, body });
}

function slice(from, to, color) {
  const [x, y] = CENTRE;
  if (to - from > 0.9999) return `<circle cx="${x}" cy="${y}" r="${RADIUS}" fill="${color}"/>`;
  const [x1, y1] = onCircle(from);
  const [x2, y2] = onCircle(to);
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `<path class="s" fill="${color}" d="M${x} ${y}L${x1} ${y1}A${RADIUS} ${RADIUS} 0 ${isLarge} 1 ${x2} ${y2}Z"/>`;
}

function onCircle(share) {
  const angle = share * 2 * Math.PI;
  return [CENTRE[0] + RADIUS * Math.sin(angle), CENTRE[1] - RADIUS * Math.cos(angle)].map(place);
}
