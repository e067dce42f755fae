#!/usr/bin/env node
// A Markdown report from a table: numbers, groups and a chart, put into a template.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { command, oneFile, oneOf, UsageError } from "./lib/command.mjs";
import { charted, chartKind, drawChart, measureOf, usualKind } from "./lib/draw-chart.mjs";
import { escapeMarkdownBlock } from "./lib/escape-markdown.mjs";
import { groupRows, ordered, withOthers } from "./lib/group-rows.mjs";
import { groupingColumn, lookAt, summingColumn } from "./lib/look-at.mjs";
import { formatNumber } from "./lib/numbers.mjs";
import { renderTemplate } from "./lib/render-template.mjs";
import { groupTable, sampleTable, summaryOf } from "./lib/report-parts.mjs";
import { fenced, textChart } from "./lib/text-chart.mjs";
import { checkOutput, writeOutput } from "./lib/write-output.mjs";

const USAGE = `usage: node scripts/report.mjs <data file> [--title "<title>"] [--template <template file>] [--by <column>] [--sum <column> | --count] [--chart bar|line|pie] [--order value|name|file] [--delimiter <mark>] [--encoding <name>] [--out <report.md> [--svg]]
Without --out the report is printed. The chart is one in letters, inside the report; with --svg it is a picture, in a file beside the report.`;
const OPTIONS = {
  ...Object.fromEntries(
    ["title", "template", "by", "sum", "chart", "order", "delimiter", "encoding", "out"].map(
      (name) => [name, { type: "string" }],
    ),
  ),
  count: { type: "boolean" },
  svg: { type: "boolean" },
};
const TABLE_ROWS = 50;
const MAX_TEMPLATE = 1024 * 1024;

await command(USAGE, OPTIONS, async (values, positionals) => {
  const file = oneFile(positionals);
  if (/\.(?:md|markdown|html?|docx?|pdf)$/i.test(file))
    throw new UsageError(
      `${basename(file)} is a document; a report is made from a table, such as a CSV file`,
    );
  if (values.sum !== undefined && values.count) throw new UsageError("take --sum or --count");
  const { out, delimiter, encoding } = values;
  const order = oneOf("order", values.order, ["value", "name", "file"]);
  const chosen = chartKind("chart", values.chart);
  const templateFile = findTemplate(values.template);
  const template = await readTemplate(templateFile);
  const picture = pictureFor(out, values.svg);
  for (const written of [out, picture]) checkOutput(written, [file, templateFile]);
  const { rows, columns, sample } = await lookAt(file, { delimiter, encoding });
  const by = values.by ?? groupingColumn(columns);
  if (by === undefined && (chosen !== undefined || values.sum !== undefined))
    throw new Error("no column has a few values to group by; name one with --by");
  const sum = values.sum ?? (values.count ? undefined : summingColumn(columns, by));
  const groups = by && (await groupRows(file, { by, sum, delimiter, encoding }));
  const title = values.title ?? titleOf(file, groups);
  const chart = groups && { kind: chosen ?? usualKind(groups), order, title: chartTitle(groups) };
  const hasPicture = chart && picture !== undefined && /\{\{\s*chart\s*\}\}/.test(template);
  const svg = hasPicture ? drawChart(groups, chart) : undefined;
  const source = escapeMarkdownBlock(basename(file));
  const text = renderTemplate(template, {
    title: escapeMarkdownBlock(title),
    source,
    rows: formatNumber(rows),
    columns: formatNumber(columns.length),
    summary: summaryOf({ source, rows, columns, groups }),
    table:
      groups === undefined
        ? sampleTable(
            columns.map(({ name }) => name),
            sample,
          )
        : groupTable(groups, withOthers(ordered(groups.entries, order), TABLE_ROWS)),
    chart: chart === undefined ? "" : chartPart(groups, chart, picture),
    column: columns.map(placeholders),
    number: columns.filter(({ type }) => type === "number").map(placeholders),
  });
  if (svg !== undefined) await writeOutput(svg, picture);
  await writeOutput(text, out);
  if (out !== undefined) console.log(`written: ${out}${svg === undefined ? "" : `, ${picture}`}`);
});

/** Beside the report, under its name, and only when it was asked for. */
function pictureFor(out, isWanted = false) {
  if (isWanted && out === undefined)
    throw new UsageError("--svg needs --out: a picture cannot be printed inside a report");
  if (out !== undefined && extname(out).toLowerCase() === ".svg")
    throw new UsageError(
      "--out names the report, such as report.md; chart.mjs writes charts alone",
    );
  return isWanted ? `${withoutExtension(out)}.svg` : undefined;
}

/** As named from here, or one of the skill's own. */
function findTemplate(name = "assets/report.md") {
  const own = fileURLToPath(new URL(`../${name}`, import.meta.url));
  return !existsSync(name) && /^assets\/[\w.-]+$/.test(name) ? own : name;
}

async function readTemplate(file) {
  const text = await readFile(file, "utf8");
  if (text.length > MAX_TEMPLATE) throw new Error(`the template ${file} is too large`);
  return text.replace(/^\uFEFF/, "");
}

function titleOf(file, groups) {
  const name = basename(withoutExtension(file)) || basename(file);
  return groups === undefined ? `Report on ${name}` : `Report on ${name} by ${groups.by}`;
}

function chartTitle(groups) {
  return `${measureOf(groups)} by ${groups.by}`;
}

function chartPart(groups, chart, picture) {
  if (picture === undefined)
    return fenced(textChart(charted(groups, chart.kind, chart.order), chart.kind));
  const address = encodeURIComponent(basename(picture)).replaceAll(
    /[()!'*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `![${escapeMarkdownBlock(chart.title)}](${address})`;
}

function placeholders({ name, type, filled, empty, distinct, sum, mean, min, max }) {
  return {
    name: escapeMarkdownBlock(name),
    type,
    filled: formatNumber(filled),
    empty: formatNumber(empty),
    distinct: Number.isFinite(distinct) ? formatNumber(distinct) : "more than 100",
    ...(type === "number" && {
      sum: formatNumber(sum),
      mean: formatNumber(Number(mean.toPrecision(8))),
      min: formatNumber(min),
      max: formatNumber(max),
    }),
  };
}

function withoutExtension(file) {
  const extension = extname(file);
  return extension === "" ? file : file.slice(0, -extension.length);
}
