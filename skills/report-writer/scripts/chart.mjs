#!/usr/bin/env node
// A chart of a table: one value for each entry of a column. In letters, or as an SVG picture.
import { command, oneFile, oneOf, UsageError } from "./lib/command.mjs";
import { charted, chartKind, drawChart } from "./lib/draw-chart.mjs";
import { groupRows } from "./lib/group-rows.mjs";
import { lookAt, summingColumn } from "./lib/look-at.mjs";
import { textChart } from "./lib/text-chart.mjs";
import { checkOutput, writeOutput } from "./lib/write-output.mjs";

const USAGE = `usage: node scripts/chart.mjs <data file> --x <column> [--y <column> | --count] [--kind bar|line|pie] [--title "<title>"] [--order value|name|file] [--delimiter <mark>] [--encoding <name>] [--out <chart.svg>] [--svg]
Without --out the chart is printed in letters, with --svg as SVG text. --by and --sum are other names of --x and --y. Rows with the same x are added up; without --y those of the only column with amounts, or they are counted.`;
const OPTIONS = {
  ...Object.fromEntries(
    ["x", "y", "by", "sum", "kind", "title", "order", "delimiter", "encoding", "out"].map(
      (name) => [name, { type: "string" }],
    ),
  ),
  count: { type: "boolean" },
  svg: { type: "boolean" },
};

await command(USAGE, OPTIONS, async (values, positionals) => {
  const file = oneFile(positionals);
  const by = values.x ?? values.by;
  if (by === undefined) throw new UsageError("say which column with --x");
  const kind = chartKind("kind", values.kind) ?? "bar";
  const order = oneOf("order", values.order, ["value", "name", "file"]);
  const { title, out, delimiter, encoding } = values;
  checkOutput(out, [file]);
  const named = values.y ?? values.sum;
  if (named !== undefined && values.count) throw new UsageError("take --y or --count");
  const how = { delimiter, encoding };
  const sum =
    named ?? (values.count ? undefined : summingColumn((await lookAt(file, how)).columns, by));
  const groups = await groupRows(file, { by, sum, ...how });
  const isPicture = out !== undefined || values.svg === true;
  const text = isPicture
    ? drawChart(groups, { kind, order, title })
    : `${textChart(charted(groups, kind, order), kind)}\n`;
  await writeOutput(text, out);
  if (out !== undefined) console.log(`written: ${out}`);
  if (groups.entries.length === 0) console.error("the table has no rows");
});
