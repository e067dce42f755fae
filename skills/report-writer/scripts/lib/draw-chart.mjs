import { barChart } from "./bar-chart.mjs";
import { oneOf } from "./command.mjs";
import { kindOf, ordered, withOthers } from "./group-rows.mjs";
import { lineChart } from "./line-chart.mjs";
import { formatNumber } from "./numbers.mjs";
import { fit, plainText } from "./plain-text.mjs";
import { pieChart } from "./pie-chart.mjs";

const DRAW = { bar: barChart, line: lineChart, pie: pieChart };
const MOST = { bar: 30, line: Infinity, pie: 9 };
const CHINESE = { 柱状图: "bar", 条形图: "bar", 折线图: "line", 饼图: "pie" };
const KINDS = [...Object.keys(DRAW), ...Object.keys(CHINESE)];
const MOST_ORDERED_BARS = 200;
const MOST_TOLD = 12;

/** `bar`, `line` or `pie`, also by their names in Chinese. */
export function chartKind(option, given) {
  const kind = oneOf(option, given, KINDS);
  return CHINESE[kind] ?? kind;
}

/** The groups that a chart of this kind shows, in its order. */
export function charted({ entries }, kind, order) {
  if (kind === "pie" && entries.some(({ value }) => value < 0))
    throw new Error("a pie cannot show values below zero; take a bar chart");
  const hasOrder = kindOf(entries) !== "text";
  // A line goes on from point to point: names that have no order stay as they came.
  const usual = kind === "line" && !hasOrder ? "file" : undefined;
  const most = kind === "bar" && hasOrder ? MOST_ORDERED_BARS : MOST[kind];
  return withOthers(ordered(entries, order ?? usual), most);
}

/** A line for what has an order, otherwise bars. */
export function usualKind({ entries }) {
  return kindOf(entries) === "text" ? "bar" : "line";
}

export function drawChart(groups, { kind, order, title }) {
  const entries = charted(groups, kind, order);
  const y = measureOf(groups);
  const described = { title: title ?? `${y} by ${groups.by}`, x: groups.by, y, entries };
  return DRAW[kind]({ ...described, description: describe(kind, described) });
}

export function measureOf({ sum }) {
  return sum === undefined ? "rows" : `sum of ${sum}`;
}

/** What somebody who cannot see the picture should know. */
function describe(kind, { x, y, entries }) {
  const told = entries
    .slice(0, MOST_TOLD)
    .map(({ label, value }) => `${fit(plainText(label) || "(empty)", 40)} ${formatNumber(value)}`);
  const rest = entries.length > MOST_TOLD ? ` and ${entries.length - MOST_TOLD} more` : "";
  const what = told.length === 0 ? "no data" : `${told.join(", ")}${rest}`;
  return `A ${kind} chart of ${y} by ${x}: ${what}.`;
}
