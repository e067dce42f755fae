import { judgeSelection, type SelectionJudgment } from "./judge-selection.ts";
import { withoutDust } from "../statistics/rates.ts";
import type { ConfusionRow, TriggerCase } from "./trigger-summary.ts";

type Expected = ConfusionRow["expected"];

interface Row {
  readonly expected: Expected;
  n: number;
  /** By what was selected; undefined is none. */
  readonly cells: Map<string | undefined, Cell>;
}

interface Cell {
  cases: number;
  /** Of those, in which it was ruled out. */
  wrong: number;
}

/** Rows in the order of their names, `none` and `open` last. A case with two expected skills is in two. */
export function confusionMatrix(cases: readonly TriggerCase[]): ConfusionRow[] {
  const rows = new Map<string, Row>();
  for (const { expected, trials } of cases) {
    for (const key of rowsOf(expected)) {
      const row = rowAt(rows, key);
      row.n++;
      for (const selected of trials) {
        const judgment = judgeSelection(expected, selected);
        const columns = columnsOf(key, judgment, selected);
        const share = 1 / trials.length / columns.length;
        for (const column of columns) {
          const { cases: before, wrong } = row.cells.get(column) ?? { cases: 0, wrong: 0 };
          const isWrong = column !== undefined && judgment.wrong.includes(column);
          row.cells.set(column, { cases: before + share, wrong: wrong + (isWrong ? share : 0) });
        }
      }
    }
  }
  return [...rows.values()].sort(byExpected).map(({ expected, n, cells }) => {
    const selected = [...cells].map(([skill, cell]) => ({
      ...(skill !== undefined && { skill }),
      cases: withoutDust(cell.cases),
      // In the other rows the column tells it.
      ...(expected.kind === "open" && cell.wrong > 0 && { wrong: withoutDust(cell.wrong) }),
    }));
    return { expected, n, selected: selected.sort(bySize) };
  });
}

function rowsOf({ used, only }: TriggerCase["expected"]): Expected[] {
  if (used.length > 0) return [...new Set(used)].map((skill) => ({ kind: "skill", skill }));
  return [{ kind: only ? "none" : "open" }];
}

/**
 * The skill itself if it was selected, else what stands in its place; where none is named, all that was
 * selected. Several share the case.
 */
function columnsOf(
  { kind, skill }: Expected,
  { right, wrong }: SelectionJudgment,
  selected: ReadonlySet<string>,
): readonly (string | undefined)[] {
  if (skill !== undefined && right.includes(skill)) return [skill];
  const columns = kind === "open" ? [...selected] : wrong;
  return columns.length > 0 ? columns : [undefined];
}

function rowAt(rows: Map<string, Row>, expected: Expected): Row {
  const key = `${expected.kind} ${expected.skill ?? ""}`;
  const row = rows.get(key) ?? { expected, n: 0, cells: new Map<string | undefined, Cell>() };
  rows.set(key, row);
  return row;
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
