import { ColumnSummary } from "./column-summary.mjs";
import { readRows } from "./read-rows.mjs";

const SAMPLE_ROWS = 10;
const FEW = 20;
/** Numbers that nobody adds up. */
const NO_AMOUNT =
  /(?:^|[\s_-])(?:id|no|nr|code|zip|year|month|day|rank)$|[a-z]Id$|编号|序号|[年月日]$/i;

/** One pass for what every column holds. */
export async function lookAt(file, { delimiter, encoding }) {
  const summaries = [];
  const sample = [];
  let rows = 0;
  await readRows(file, {
    delimiter,
    encoding,
    onHeader: (names) => summaries.push(...names.map((name) => new ColumnSummary(name))),
    onRow(cells) {
      rows++;
      if (sample.length < SAMPLE_ROWS) sample.push(cells.slice(0, summaries.length));
      for (let i = 0; i < summaries.length; i++) summaries[i].add(cells[i]);
    },
  });
  return { rows, sample, columns: summaries.map((summary) => summary.result()) };
}

/** When nobody says by what: the first column whose few values come again. */
export function groupingColumn(columns) {
  const isFew = ({ distinct, filled }) => distinct > 1 && distinct <= FEW && distinct < filled;
  const byType = (wanted) => columns.find((column) => column.type === wanted && isFew(column));
  return (byType("text") ?? byType("date"))?.name;
}

/** When nobody says of what: the only column with amounts, if there is just one. */
export function summingColumn(columns, by = "") {
  const [only, another] = columns.filter(
    ({ name, type }) =>
      type === "number" && name.toLowerCase() !== by.toLowerCase() && !NO_AMOUNT.test(name),
  );
  return another === undefined ? only?.name : undefined;
}
