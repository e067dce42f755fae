import { measureOf } from "./draw-chart.mjs";
import { escapeMarkdown } from "./escape-markdown.mjs";
import { formatNumber, formatShare, Sum } from "./numbers.mjs";
import { fit, plainText } from "./plain-text.mjs";

const MAX_CELL = 80;
const MAX_COLUMNS = 12;

/** One line for each group, and one for all of them. */
export function groupTable(groups, shown) {
  const { by, sum, entries } = groups;
  const total = totalOf(entries);
  const hasShares = canShare(entries, total);
  const lineOf = (label, { rows, value }) => [
    label,
    formatNumber(rows),
    ...(sum === undefined ? [] : [formatNumber(value)]),
    ...(hasShares ? [formatShare(value, total.value)] : []),
  ];
  const head = [cell(by), "rows"];
  if (sum !== undefined) head.push(cell(measureOf(groups)));
  if (hasShares) head.push("share");
  const lines = shown.map((entry) => lineOf(cell(entry.label) || "(empty)", entry));
  return table(head, [...lines, lineOf("**all**", total)], 1);
}

/** The first rows of the file as they are. */
export function sampleTable(names, rows) {
  const few = (cells) => cells.slice(0, MAX_COLUMNS).map(cell);
  if (names.length === 0) return "";
  const more = names.length - MAX_COLUMNS;
  const note = more > 0 ? `\n\n${more} more columns are not shown.` : "";
  return `${table(few(names), rows.map(few))}${note}`;
}

function table(head, rows, textColumns = head.length) {
  const rule = head.map((_, i) => (i < textColumns ? "---" : "--:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cell(text) {
  return escapeMarkdown(fit(plainText(text), MAX_CELL));
}

/** Only what is in the data: sizes, gaps, the largest group. */
export function summaryOf({ source, rows, columns, groups }) {
  const said = [
    `${source} has ${count(rows, "row")} and ${count(columns.length, "column")}.`,
    gapsOf(columns),
  ];
  if (groups !== undefined && groups.entries.length > 0) said.push(...saidOfGroups(groups));
  return said.filter((sentence) => sentence !== "").join(" ");
}

function gapsOf(columns) {
  const gaps = columns.filter(({ empty }) => empty > 0);
  if (gaps.length === 0) return "No cell is empty.";
  const cells = gaps.reduce((all, { empty }) => all + empty, 0);
  const named = gaps.slice(0, 5).map(({ name, empty }) => `${cell(name)} (${formatNumber(empty)})`);
  const more = gaps.length > 5 ? ` and ${gaps.length - 5} more` : "";
  return `Empty: ${count(cells, "cell")}, in ${named.join(", ")}${more}.`;
}

function saidOfGroups(groups) {
  const { by, entries, empty, sum } = groups;
  const total = totalOf(entries);
  const largest = entries.reduce((best, entry) => (entry.value > best.value ? entry : best));
  const share = canShare(entries, total) ? ` (${formatShare(largest.value, total.value)})` : "";
  const measure = cell(measureOf(groups));
  const name = cell(largest.label) || "(empty)";
  const said = [
    `By ${cell(by)} there ${entries.length === 1 ? "is 1 group" : `are ${formatNumber(entries.length)} groups`}.`,
  ];
  if (entries.length > 1)
    said.push(
      sum === undefined
        ? `The largest is ${name} with ${count(largest.value, "row")}${share}.`
        : `The largest ${measure} is that of ${name}: ${formatNumber(largest.value)}${share}.`,
    );
  if (sum !== undefined) said.push(`The ${measure} over all rows is ${formatNumber(total.value)}.`);
  if (empty > 0) said.push(`${count(empty, "empty cell")} of ${cell(sum)} added nothing.`);
  return said;
}

function totalOf(entries) {
  const [rows, value] = [new Sum(), new Sum()];
  for (const entry of entries) {
    rows.add(entry.rows);
    value.add(entry.value);
  }
  return { rows: rows.value, value: value.value };
}

function canShare(entries, total) {
  return (
    total.value > 0 && Number.isFinite(total.value) && entries.every(({ value }) => value >= 0)
  );
}

function count(number, what) {
  return `${formatNumber(number)} ${what}${number === 1 ? "" : "s"}`;
}
