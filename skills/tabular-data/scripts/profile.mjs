#!/usr/bin/env node
// What a table holds: rows, columns, types, ranges, gaps.
import { command, oneFile } from "./lib/command.mjs";
import { profileTable } from "./lib/profile-table.mjs";

const USAGE = `usage: node scripts/profile.mjs <file> [--delimiter <mark>] [--json]`;
const OPTIONS = { delimiter: { type: "string" }, json: { type: "boolean" } };

await command(USAGE, OPTIONS, async ({ delimiter, json }, positionals) => {
  const profile = await profileTable(oneFile(positionals), delimiter);
  if (json) console.log(JSON.stringify(profile, null, 2));
  else print(profile);
});

function print({ file, rows, shorter, longer, columns }) {
  console.log(`${file}: ${rows} rows, ${columns.length} columns`);
  if (shorter > 0) console.log(`${shorter} rows have fewer cells than the header`);
  if (longer > 0) console.log(`${longer} rows have more cells than the header`);
  for (const column of columns) {
    const { name, type, filled, empty, distinct, numbers, top } = column;
    const gaps = empty === 0 ? "" : `, ${empty} empty`;
    const mixed = numbers === undefined ? "" : `, ${numbers} of them numbers`;
    console.log(`- ${name}: ${type}, ${filled} filled${mixed}${gaps}, ${distinct} distinct`);
    if (type === "number") {
      const { min, max, mean, sum } = { ...column, ...column.exact };
      console.log(`  from ${min} to ${max}, mean ${mean}, sum ${sum}`);
    }
    if (type === "date") console.log(`  from ${column.first} to ${column.last}`);
    if (top !== undefined) console.log(`  most often: ${top.join(", ")}`);
  }
}
