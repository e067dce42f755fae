#!/usr/bin/env node
// What a table holds: rows, columns, types, ranges, gaps.
import { ColumnProfile } from "./lib/column-profile.mjs";
import { command, oneFile } from "./lib/command.mjs";
import { readRows } from "./lib/read-rows.mjs";
import { roundSum } from "./lib/round-sum.mjs";

const USAGE = `usage: node scripts/profile.mjs <file> [--delimiter <mark>] [--json]`;
const OPTIONS = { delimiter: { type: "string" }, json: { type: "boolean" } };

await command(USAGE, OPTIONS, async ({ delimiter, json }, positionals) => {
  const file = oneFile(positionals);
  const columns = [];
  let rows = 0;
  let ragged = 0;
  await readRows(file, {
    delimiter,
    onHeader: (names) => columns.push(...names.map((name) => new ColumnProfile(name))),
    onRow(cells) {
      rows++;
      if (cells.length !== columns.length) ragged++;
      for (let i = 0; i < columns.length; i++) columns[i].add(cells[i]);
      return true;
    },
  });
  const summaries = columns.map((column) => column.summary());
  if (json) console.log(JSON.stringify({ file, rows, ragged, columns: summaries }, null, 2));
  else print(file, rows, ragged, summaries);
});

function print(file, rows, ragged, columns) {
  console.log(`${file}: ${rows} rows, ${columns.length} columns`);
  if (ragged > 0) console.log(`${ragged} rows have more cells than the header`);
  for (const column of columns) {
    const { name, type, filled, empty, distinct, min, max, mean, sum, first, last, top } = column;
    const gaps = empty === 0 ? "" : `, ${empty} empty`;
    console.log(`- ${name}: ${type}, ${filled} filled${gaps}, ${distinct} distinct`);
    if (type === "number") {
      console.log(`  from ${min} to ${max}, mean ${roundSum(mean)}, sum ${roundSum(sum)}`);
    }
    if (type === "date") console.log(`  from ${first} to ${last}`);
    if (top !== undefined) console.log(`  most often: ${top.join(", ")}`);
  }
}
