#!/usr/bin/env node
// Joins two tables on a column. The second one is kept in memory, the first one may be of any size.
import { columnIndex, command, UsageError } from "./lib/command.mjs";
import { readRows } from "./lib/read-rows.mjs";
import { RowWriter } from "./lib/write-rows.mjs";

const USAGE = `usage: node scripts/join.mjs <left file> <right file> --on <column>[=<right column>] [--kind inner|left] [--out <file>]`;
const OPTIONS = {
  on: { type: "string" },
  kind: { type: "string", default: "inner" },
  out: { type: "string" },
};

await command(USAGE, OPTIONS, async ({ on, kind, out }, positionals) => {
  if (positionals.length !== 2) throw new UsageError("give two files");
  if (on === undefined) throw new UsageError("say which column with --on");
  if (!["inner", "left"].includes(kind))
    throw new UsageError(`--kind is inner or left, not ${kind}`);
  const [leftName, rightName = leftName] = on.split("=");
  const [left, right] = positionals;
  const rightRows = new Map();
  let rightKey;
  let rightNames;
  await readRows(right, {
    onHeader(names) {
      rightNames = names;
      rightKey = columnIndex(names, rightName);
    },
    onRow(cells) {
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
    onHeader(names) {
      leftKey = columnIndex(names, leftName);
      const taken = new Set(names);
      writer = new RowWriter(
        [...names, ...added.map((name) => (taken.has(name) ? `${name}_right` : name))],
        out,
      );
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
  });
  await writer.end();
  console.error(`${joined} rows joined, ${alone} of the left file without a partner`);
});
