import { columnIndex } from "./command.mjs";
import { numberIn, Sum } from "./numbers.mjs";
import { detached } from "./plain-text.mjs";
import { readRows } from "./read-rows.mjs";

const MAX_GROUPS = 100_000;
const MAX_KEY = 200;
const DATE = /^\d{4}-\d{2}(?:-\d{2})?/;

/**
 * One entry for each value of `by`, in the order of the file: how many rows, and the sum of a column
 * when one is named. `value` is what a chart shows.
 */
export async function groupRows(file, { by, sum, delimiter, encoding }) {
  const groups = new Map();
  let names = { by, sum };
  let [keyIndex, sumIndex, empty] = [0, undefined, 0];
  await readRows(file, {
    delimiter,
    encoding,
    onHeader(columns) {
      keyIndex = columnIndex(columns, by);
      sumIndex = sum === undefined ? undefined : columnIndex(columns, sum);
      names = { by: columns[keyIndex], sum: columns[sumIndex] };
    },
    onRow(cells, number) {
      const group = groupOf(groups, cells[keyIndex], names.by);
      group.rows++;
      if (sumIndex === undefined) return;
      const cell = cells[sumIndex];
      if (cell.trim() === "") empty++;
      else group.sum.add(neededNumber(cell, number, names.sum));
    },
  });
  const entries = [...groups].map(([label, { rows, sum: total }]) => {
    const value = sumIndex === undefined ? rows : total.value;
    if (!Number.isFinite(value)) throw new Error(`the sum of ${names.sum} is too large`);
    return { label, rows, value };
  });
  return { ...names, entries, empty };
}

function groupOf(groups, cell, column) {
  const key = cell.length > MAX_KEY ? `${cell.slice(0, MAX_KEY)}…` : cell;
  const known = groups.get(key);
  if (known !== undefined) return known;
  if (groups.size === MAX_GROUPS)
    throw new Error(`${column} has more than ${MAX_GROUPS} different values; take another column`);
  const group = { rows: 0, sum: new Sum() };
  groups.set(detached(key), group);
  return group;
}

function neededNumber(cell, row, column) {
  const value = numberIn(cell);
  if (value === undefined)
    throw new Error(`row ${row}: "${cell.slice(0, 40)}" in ${column} is not a number`);
  return value;
}

/** `value`: the largest first; `name`: by the label; `file`: as they come. */
export function ordered(entries, order = usualOrder(entries)) {
  if (order === "file") return entries;
  if (order === "name") return [...entries].sort(byLabel);
  return [...entries].sort((a, b) => b.value - a.value || byLabel(a, b));
}

/** Numbers and dates have an order of their own. */
function usualOrder(entries) {
  return kindOf(entries) === "text" ? "value" : "name";
}

export function kindOf(entries) {
  if (entries.length === 0) return "text";
  if (entries.every(({ label }) => numberIn(label) !== undefined)) return "number";
  return entries.every(({ label }) => DATE.test(label) && !Number.isNaN(Date.parse(label)))
    ? "date"
    : "text";
}

function byLabel({ label: a }, { label: b }) {
  const [x, y] = [numberIn(a), numberIn(b)];
  if (x !== undefined && y !== undefined) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** So many at most; the last one stands for all the others. */
export function withOthers(entries, most) {
  if (entries.length <= most) return entries;
  const rest = entries.slice(most - 1);
  const [total, rows] = [new Sum(), new Sum()];
  for (const entry of rest) {
    total.add(entry.value);
    rows.add(entry.rows);
  }
  const others = { label: `${rest.length} others`, rows: rows.value, value: total.value };
  return [...entries.slice(0, most - 1), others];
}
