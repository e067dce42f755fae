#!/usr/bin/env node
// Rows that meet a condition, with some of the columns, as they come or sorted.
import { columnIndex, command, oneFile, UsageError } from "./lib/command.mjs";
import { parseCondition } from "./lib/condition.mjs";
import { readRows } from "./lib/read-rows.mjs";
import { SortedRows } from "./lib/sorted-rows.mjs";
import { RowWriter } from "./lib/write-rows.mjs";

const USAGE = `usage: node scripts/filter.mjs <file> --where "<condition>" [--columns <a,b>] [--sort <column>] [--ascending | --descending] [--limit <n>] [--out <file>]
condition: amount > 100 and region = "North"   (also: or, not, contains, starts, ends, empty, is, is not, brackets)
--sort puts the largest first (--descending), with --ascending the smallest; --top is the same as --limit.`;
const OPTIONS = {
  where: { type: "string" },
  columns: { type: "string" },
  sort: { type: "string" },
  ascending: { type: "boolean" },
  descending: { type: "boolean" },
  limit: { type: "string" },
  top: { type: "string" },
  out: { type: "string" },
  delimiter: { type: "string" },
};

await command(USAGE, OPTIONS, async (values, positionals) => {
  const { where, columns, sort, ascending = false, out, delimiter } = values;
  const file = oneFile(positionals);
  if (ascending && values.descending) {
    throw new UsageError("--ascending and --descending exclude each other");
  }
  const limit = values.limit ?? values.top;
  const most = limit === undefined ? Infinity : Number(limit);
  if (!(most > 0)) throw new UsageError(`--limit takes a number above 0, not ${limit}`);
  let writer;
  let test;
  let kept;
  let sorted;
  let found = 0;
  const write = (cells) => writer.write(kept?.map((i) => cells[i]) ?? cells);
  await readRows(file, {
    delimiter,
    onHeader(names) {
      test = where === undefined ? () => true : parseCondition(where, names);
      kept = columns?.split(",").map((name) => columnIndex(names, name.trim()));
      if (sort !== undefined) sorted = new SortedRows(columnIndex(names, sort), most, ascending);
      writer = new RowWriter(kept?.map((i) => names[i]) ?? names, out);
    },
    onRow(cells) {
      if (!test(cells)) return true;
      found++;
      if (sorted !== undefined) {
        sorted.add(cells);
        return true;
      }
      write(cells);
      return found < most;
    },
    onPause: () => writer?.drain(),
  });
  for (const cells of sorted?.rows() ?? []) write(cells);
  await writer.end();
  const count = Math.min(found, most);
  const rows = `${count} ${count === 1 ? "row" : "rows"}`;
  if (out === undefined) console.error(rows);
  else console.log(`${rows} written to ${out}`);
});
