#!/usr/bin/env node
// Groups rows and adds up columns.
import { columnIndex, command, oneFile, UsageError } from "./lib/command.mjs";
import { compareCells, parseCondition } from "./lib/condition.mjs";
import { formatDecimal, meanOf } from "./lib/decimal.mjs";
import { ExactSum } from "./lib/exact-sum.mjs";
import { Extremes } from "./lib/extremes.mjs";
import { numberOf } from "./lib/read-number.mjs";
import { readRows } from "./lib/read-rows.mjs";
import { RowWriter } from "./lib/write-rows.mjs";

const USAGE = `usage: node scripts/aggregate.mjs <file> [--by <column,…>] [--sum <column,…>] [--mean <column,…>] [--min <column,…>] [--max <column,…>] [--where "<condition>"] [--sort <column>] [--top <n>] [--out <file>]
Without --sum and the like, the rows of each group are counted. --sum all takes every column that holds only numbers.
--top gives the groups with the largest results first.`;
const KINDS = ["sum", "mean", "min", "max"];
const OPTIONS = Object.fromEntries(
  ["by", ...KINDS, "where", "sort", "top", "out", "delimiter"].map((name) => [
    name,
    { type: "string" },
  ]),
);
const ALL = "all";
const MAX_GROUPS = 1_000_000;

await command(USAGE, OPTIONS, async (values, positionals) => {
  const file = oneFile(positionals);
  if (values.top !== undefined && values.by === undefined) {
    throw new UsageError("--top chooses among groups and needs --by");
  }
  const groups = new Map();
  let keys;
  let measures;
  let test;
  await readRows(file, {
    delimiter: values.delimiter,
    onHeader(names) {
      const list = (text) => text?.split(",").map((name) => columnIndex(names, name.trim())) ?? [];
      test = values.where === undefined ? () => true : parseCondition(values.where, names);
      keys = list(values.by).map((index) => ({ index, name: names[index] }));
      measures = KINDS.flatMap((kind) => {
        const isAll = values[kind] === ALL && !names.includes(ALL);
        const indexes = isAll ? others(names, keys) : list(values[kind]);
        return indexes.map((index) => ({ kind, index, isAll, name: `${kind}_${names[index]}` }));
      });
    },
    onRow(cells, number) {
      if (!test(cells)) return true;
      const key = keys.map(({ index }) => cells[index]);
      const id = JSON.stringify(key);
      let group = groups.get(id);
      if (group === undefined) {
        if (groups.size === MAX_GROUPS) throw new Error(`there are more than ${MAX_GROUPS} groups`);
        group = {
          // Read from the text: a cell itself would keep the megabyte that it was cut from.
          key: JSON.parse(id),
          rows: 0,
          totals: measures.map(({ kind }) => newTotal(kind)),
        };
        groups.set(id, group);
      }
      group.rows++;
      measures.forEach((measure, i) => {
        if (measure.isText) return;
        if (measure.isAll && isText(cells[measure.index])) measure.isText = true;
        else add(group.totals[i], cells[measure.index], number);
      });
      return true;
    },
  });
  const shown = measures.flatMap((measure, i) => (measure.isText ? [] : [{ ...measure, i }]));
  const header = [...keys.map(({ name }) => name), "rows", ...shown.map(({ name }) => name)];
  const rows = [...groups.values()].map(({ key, rows: count, totals }) => [
    ...key,
    String(count),
    ...shown.map(({ kind, i }) => result(totals[i], kind)),
  ]);
  // Of a top list the first result decides, or else the number of rows.
  const order = values.sort ?? (values.top === undefined ? undefined : (shown[0]?.name ?? "rows"));
  const writer = new RowWriter(header, values.out);
  for (const row of topOf(sorted(rows, header, keys.length, order), values.top)) writer.write(row);
  await writer.end();
  if (values.out !== undefined) console.log(`${rows.length} groups written to ${values.out}`);
});

/** All columns but those that make the groups. */
function others(names, keys) {
  return [...names.keys()].filter((index) => !keys.some((key) => key.index === index));
}

function isText(cell) {
  return cell !== "" && Number.isNaN(numberOf(cell));
}

function newTotal(kind) {
  const isRange = kind === "min" || kind === "max";
  return { count: 0, ...(isRange ? { range: new Extremes() } : { sum: new ExactSum() }) };
}

function add(total, cell, number) {
  if (cell === "") return;
  const value = numberOf(cell);
  if (Number.isNaN(value)) throw new Error(`row ${number}: "${cell.slice(0, 40)}" is not a number`);
  total.count++;
  total.sum?.add(cell, value);
  total.range?.add(value, () => cell);
}

function result({ count, sum, range }, kind) {
  if (count === 0) return kind === "sum" ? "0" : "";
  if (range !== undefined) return formatDecimal(range[kind]);
  return formatDecimal(kind === "sum" ? sum.value : meanOf(sum.value, count));
}

function sorted(rows, header, keyCount, by) {
  if (by !== undefined) {
    const index = columnIndex(header, by);
    return rows.sort((a, b) => compareCells(b[index], a[index]));
  }
  return rows.sort((a, b) => {
    for (let i = 0; i < keyCount; i++) {
      const order = compareCells(a[i], b[i]);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function topOf(rows, top) {
  if (top === undefined) return rows;
  const most = Number(top);
  if (!(most > 0)) throw new UsageError(`--top takes a number above 0, not ${top}`);
  return rows.slice(0, most);
}
