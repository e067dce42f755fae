#!/usr/bin/env node
// Rows that meet a condition, with some of the columns.
import { columnIndex, command, oneFile, UsageError } from "./lib/command.mjs";
import { parseCondition } from "./lib/condition.mjs";
import { readRows } from "./lib/read-rows.mjs";
import { RowWriter } from "./lib/write-rows.mjs";

const USAGE = `usage: node scripts/filter.mjs <file> --where "<condition>" [--columns <a,b>] [--limit <n>] [--out <file>]
condition: amount > 100 and region = "North"   (also: or, not, contains, starts, ends, empty, brackets)`;
const OPTIONS = {
  where: { type: "string" },
  columns: { type: "string" },
  limit: { type: "string" },
  out: { type: "string" },
  delimiter: { type: "string" },
};

await command(USAGE, OPTIONS, async ({ where, columns, limit, out, delimiter }, positionals) => {
  const file = oneFile(positionals);
  const most = limit === undefined ? Infinity : Number(limit);
  if (!(most > 0)) throw new UsageError(`--limit takes a number above 0, not ${limit}`);
  let writer;
  let test;
  let kept;
  let found = 0;
  await readRows(file, {
    delimiter,
    onHeader(names) {
      test = where === undefined ? () => true : parseCondition(where, names);
      kept = columns?.split(",").map((name) => columnIndex(names, name.trim()));
      writer = new RowWriter(kept?.map((i) => names[i]) ?? names, out);
    },
    onRow(cells) {
      if (!test(cells)) return true;
      writer.write(kept?.map((i) => cells[i]) ?? cells);
      return ++found < most;
    },
    onPause: () => writer?.drain(),
  });
  await writer.end();
  console.error(`${found} rows${out === undefined ? "" : ` written to ${out}`}`);
});
