import { type Edit, lineEdits } from "./line-edits.ts";

const CONTEXT = 3;

interface Hunk {
  readonly edits: Edit[];
  oldStart: number;
  newStart: number;
}

/** What changes between two texts, as `diff -u` shows it; empty when they are the same. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return "";
  const edits = lineEdits(toLines(before ?? ""), toLines(after));
  const head = [`--- ${before === undefined ? "/dev/null" : `a/${path}`}`, `+++ b/${path}`];
  const lines = hunksOf(edits).flatMap((hunk) => [headOf(hunk), ...hunk.edits.map(lineOf)]);
  return `${[...head, ...lines].join("\n")}\n`;
}

/** Each with its newline, so that a missing one at the end is a difference. */
function toLines(text: string): string[] {
  const lines = text.split("\n").map((line) => `${line}\n`);
  const last = lines.pop()?.slice(0, -1) ?? "";
  return last === "" ? lines : [...lines, last];
}

/** Changes with the lines around them; those that touch are one. */
function hunksOf(edits: readonly Edit[]): Hunk[] {
  const hunks: Hunk[] = [];
  let oldLine = 1;
  let newLine = 1;
  let lastShown = -1;
  const shown = new Set<number>();
  edits.forEach(({ kind }, i) => {
    if (kind === "same") return;
    for (let near = i - CONTEXT; near <= i + CONTEXT; near++) shown.add(near);
  });
  edits.forEach((edit, i) => {
    if (shown.has(i)) {
      if (lastShown !== i - 1 || hunks.length === 0) {
        hunks.push({ edits: [], oldStart: oldLine, newStart: newLine });
      }
      hunks.at(-1)?.edits.push(edit);
      lastShown = i;
    }
    if (edit.kind !== "added") oldLine++;
    if (edit.kind !== "removed") newLine++;
  });
  return hunks;
}

function headOf({ edits, oldStart, newStart }: Hunk): string {
  const oldCount = edits.filter(({ kind }) => kind !== "added").length;
  const newCount = edits.filter(({ kind }) => kind !== "removed").length;
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@`;
}

/** A range without lines names the line before it. */
function range(start: number, count: number): string {
  return count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;
}

function lineOf({ kind, line }: Edit): string {
  const sign = kind === "same" ? " " : kind === "added" ? "+" : "-";
  if (line.endsWith("\n")) return `${sign}${line.slice(0, -1)}`;
  return `${sign}${line}\n\\ No newline at end of file`;
}
