import { judgeSelection } from "./judge-selection.ts";
import type { TriggerCase } from "./trigger-cases.ts";
import type { ConfusionRow } from "./trigger-summary.ts";

type Expected = ConfusionRow["expected"];

interface Row {
  readonly expected: Expected;
  n: number;
  /** Cases by what was selected; undefined is none. */
  readonly cells: Map<string | undefined, number>;
}

/** Rows in the order of their names, `none` and `open` last. A case with two expected skills is in two. */
export function confusionMatrix(cases: readonly TriggerCase[]): ConfusionRow[] {
  const rows = new Map<string, Row>();
  for (const { expected, trials } of cases) {
    for (const key of rowsOf(expected)) {
      const row = rowAt(rows, key);
      row.n++;
      for (const selected of trials) {
        const columns = columnsOf(key, judgeSelection(expected, selected));
        const share = 1 / trials.length / columns.length;
        for (const column of columns) row.cells.set(column, (row.cells.get(column) ?? 0) + share);
      }
    }
  }
  return [...rows.values()].sort(byExpected).map(({ expected, n, cells }) => {
    const selected = [...cells].map(([skill, count]) => ({
      ...(skill !== undefined && { skill }),
      cases: withoutDust(count),
    }));
    return { expected, n, selected: selected.sort(bySize) };
  });
}

function rowsOf({ used, only }: TriggerCase["expected"]): Expected[] {
  if (used.length > 0) return [...new Set(used)].map((skill) => ({ kind: "skill", skill }));
  return [{ kind: only ? "none" : "open" }];
}

/** The skill itself if it was selected, else what stands in its place; several share the case. */
function columnsOf(
  { skill }: Expected,
  { right, wrong }: ReturnType<typeof judgeSelection>,
): readonly (string | undefined)[] {
  if (skill !== undefined && right.includes(skill)) return [skill];
  return wrong.length > 0 ? wrong : [undefined];
}

function rowAt(rows: Map<string, Row>, expected: Expected): Row {
  const key = `${expected.kind} ${expected.skill ?? ""}`;
  const row = rows.get(key) ?? { expected, n: 0, cells: new Map<string | undefined, number>() };
  rows.set(key, row);
  return row;
}

/** Three thirds are one. */
function withoutDust(count: number): number {
  return Math.round(count * 1e9) / 1e9;
}

const KINDS = ["skill", "none", "open"];

function byExpected({ expected: a }: Row, { expected: b }: Row): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || compareTexts(a.skill, b.skill);
}

function bySize(a: ConfusionRow["selected"][number], b: ConfusionRow["selected"][number]): number {
  return b.cases - a.cases || compareTexts(a.skill, b.skill);
}

function compareTexts(a = "", b = ""): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
