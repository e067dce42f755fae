#!/usr/bin/env node
// Joins two tables on a column. The second one is kept in memory, the first one may be of any size.
import { columnIndex, command, UsageError } from "./lib/command.mjs";
import { readRows } from "./lib/read-rows.mjs";
import { uniqueNames } from "./lib/unique-names.mjs";
import { RowWriter } from "./lib/write-rows.mjs";

const USAGE = `usage: node scripts/join.mjs <left file> <right file> --on <column>[=<right column>] [--kind inner|left] [--out <file>] [--delimiter <mark>]`;
const OPTIONS = {
  on: { type: "string" },
  kind: { type: "string", default: "inner" },
  out: { type: "string" },
  delimiter: { type: "string" },
};
const MAX_RIGHT_CELLS = 10_000_000;

await command(USAGE, OPTIONS, async ({ on, kind, out, delimiter }, positionals) => {
  if (positionals.length !== 2) throw new UsageError("give two files");
  if (on === undefined) throw new UsageError("say which column with --on");
  if (!["inner", "left"].includes(kind))
    throw new UsageError(`--kind is inner or left, not ${kind}`);
  const [leftName, rightName = leftName] = on.split("=");
  const [left, right] = positionals;
  const rightRows = new Map();
  let kept = 0;
  let rightKey;
  let rightNames;
  await readRows(right, {
    delimiter,
    onHeader(names) {
      rightNames = names;
      rightKey = columnIndex(names, rightName);
    },
    onRow(cells) {
      kept += cells.length;
      if (kept > MAX_RIGHT_CELLS) {
        throw new Error(
          `${right} has more than ${MAX_RIGHT_CELLS} cells, too many to keep: give the larger file first, or filter it before`,
        );
      }
      const rest = cells.filter((_, i) => i !== rightKey);
      const rows = rightRows.get(cells[rightKey]);
      if (rows === undefined) rightRows.set(cells[rightKey], [rest]);
      else rows.push(rest);
      return true;
    },
  });
  const added = rightNames.filter((_, i) => i !== rightKey);
  const blank = added.map(() => "");
  let leftKey;
  let writer;
  let joined = 0;
  let alone = 0;
  await readRows(left, {
    delimiter,
    onHeader(names) {
      leftKey = columnIndex(names, leftName);
      const taken = new Set(names);
      const others = added.map((name) => (taken.has(name) ? `${name}_right` : name));
      writer = new RowWriter(uniqueNames([...names, ...others]), out);
    },
    onRow(cells) {
      const matches = rightRows.get(cells[leftKey]);
      if (matches === undefined) alone++;
      if (matches === undefined && kind === "left") writer.write([...cells, ...blank]);
      for (const match of matches ?? []) {
        joined++;
        writer.write([...cells, ...match]);
      }
      return true;
    },
    onPause: () => writer?.drain(),
  });
  await writer.end();
  const said = `${joined} rows joined, ${alone} of the left file without a partner`;
  if (out === undefined) console.error(said);
  else console.log(`${said}; written to ${out}`);
});
