import type { ConfusionRow } from "../../../trigger/trigger-summary.ts";
import { html, type Markup } from "../markup.ts";
import { numberText } from "../../number-text.ts";
import { scrollable } from "./section.ts";

const MOST_ROWS = 30;
const NONE = "none";
const LEVELS = 5;

/** Rows are what was right, columns what was selected. Of many, those with mistakes. */
export function confusionTable(confusion: readonly ConfusionRow[]): Markup {
  const sorted = confusion.toSorted((a, b) => mistakesOf(b) - mistakesOf(a));
  const shown = new Set(sorted.slice(0, MOST_ROWS));
  const rows = confusion.filter((row) => shown.has(row));
  const columns = columnsOf(rows);
  const table = html`<table class="confusion">
    <thead>
      <tr>
        <td><small>expected ↓ selected →</small></td>
        ${columns.map((column) => html`<th scope="col"><span>${column ?? NONE}</span></th>`)}
        <th scope="col" class="number"><span>cases</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => matrixRow(row, columns))}
    </tbody>
  </table>`;
  const more = confusion.length - rows.length;
  return html`${scrollable("Expected and selected", table)}
    <p class="quiet">
      A cell is a number of cases; in a frame it is
      right.${more > 0 ? ` ${more} more rows with the fewest mistakes are not shown.` : ""}
    </p>`;
}

/** Skills in the order of the rows, so that what is right is the diagonal; none at the end. */
function columnsOf(rows: readonly ConfusionRow[]): (string | undefined)[] {
  const expected = rows.flatMap(({ expected: { skill } }) => skill ?? []);
  const selected = rows.flatMap((row) => row.selected.flatMap(({ skill }) => skill ?? []));
  return [...new Set([...expected, ...selected]), undefined];
}

function matrixRow(row: ConfusionRow, columns: readonly (string | undefined)[]): Markup {
  const { expected, n, selected } = row;
  const counts = new Map(selected.map(({ skill, cases }) => [skill, cases]));
  const cells = columns.map((column) => {
    const count = counts.get(column) ?? 0;
    const isRight = isRightColumn(row, column);
    const level = n === 0 || count === 0 ? 0 : Math.ceil((count / n) * LEVELS);
    const name = `${isRight ? "right" : "wrong"} level-${level}`;
    return html`<td class="${name}">${count === 0 ? "·" : numberText(count)}</td>`;
  });
  const name = expected.kind === "skill" ? (expected.skill ?? "") : expected.kind;
  return html`<tr>
    <th scope="row">${name}</th>
    ${cells}
    <td class="number">${numberText(n)}</td>
  </tr>`;
}

function isRightColumn({ expected, selected }: ConfusionRow, column: string | undefined): boolean {
  if (expected.kind === "skill") return expected.skill === column;
  if (column === undefined) return true;
  const cell = selected.find(({ skill }) => skill === column);
  return expected.kind === "open" && cell !== undefined && cell.wrong === undefined;
}

function mistakesOf(row: ConfusionRow): number {
  return row.selected.reduce((sum, { skill, cases, wrong }) => {
    return isRightColumn(row, skill) ? sum : sum + (wrong ?? cases);
  }, 0);
}
