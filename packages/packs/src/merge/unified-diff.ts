import { diffIndices } from "node-diff3";
import { comparisonCost, MAX_COST } from "./comparison-cost.ts";
import { toLines } from "./merge-text.ts";
import { visibleLine } from "./visible-line.ts";

interface Edit {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

const CONTEXT = 3;
const MAX_LINES = 200;

/**
 * What differs between two texts, as `diff -u` shows it; undefined stands for no file. It is for
 * reading, not for applying: long lines are cut, hidden characters shown, and the end left out when
 * it is long, which the last line then says.
 */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
  labels: { readonly before: string; readonly after: string } = { before: "a", after: "b" },
): string {
  const name = (label: string, text: string | undefined) =>
    text === undefined ? "/dev/null" : `${label}/${visibleLine(path)}`;
  const head = [`--- ${name(labels.before, before)}`, `+++ ${name(labels.after, after)}`];
  const lines = hunksOf(editsOf(toLines(before ?? ""), toLines(after ?? "")));
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) shown.push(`… ${lines.length - MAX_LINES} more lines`);
  return `${[...head, ...shown].join("\n")}\n`;
}

function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const kept = (line: string): Edit => ({ sign: " ", line });
  return [
    ...before.slice(0, start).map(kept),
    ...middleEdits(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...before.slice(before.length - end).map(kept),
  ];
}

function middleEdits(before: readonly string[], after: readonly string[]): Edit[] {
  const removed = (line: string): Edit => ({ sign: "-", line });
  const added = (line: string): Edit => ({ sign: "+", line });
  if (comparisonCost(before, after) > MAX_COST) {
    return [...before.map(removed), ...after.map(added)];
  }
  const edits: Edit[] = [];
  let next = 0;
  for (const { buffer1, buffer2 } of diffIndices([...before], [...after])) {
    const [start, length] = buffer1;
    edits.push(...before.slice(next, start).map((line): Edit => ({ sign: " ", line })));
    edits.push(...before.slice(start, start + length).map(removed));
    edits.push(...after.slice(buffer2[0], buffer2[0] + buffer2[1]).map(added));
    next = start + length;
  }
  return [...edits, ...before.slice(next).map((line): Edit => ({ sign: " ", line }))];
}

/** Changes with the lines around them; those that touch are one. */
function hunksOf(edits: readonly Edit[]): string[] {
  const isNear = new Uint8Array(edits.length);
  edits.forEach(({ sign }, index) => {
    if (sign !== " ") isNear.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  const lines: string[] = [];
  let [oldLine, newLine] = [1, 1];
  edits.forEach((edit, index) => {
    if (isNear[index] === 1) {
      if (isNear[index - 1] !== 1) lines.push(headOf(edits, isNear, index, oldLine, newLine));
      lines.push(...textOf(edit));
    }
    if (edit.sign !== "+") oldLine++;
    if (edit.sign !== "-") newLine++;
  });
  return lines;
}

function headOf(
  edits: readonly Edit[],
  isNear: Uint8Array,
  start: number,
  oldLine: number,
  newLine: number,
): string {
  let [oldCount, newCount] = [0, 0];
  for (let index = start; isNear[index] === 1; index++) {
    if (edits[index]?.sign !== "+") oldCount++;
    if (edits[index]?.sign !== "-") newCount++;
  }
  return `@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@`;
}

/** A range without lines names the line before it. */
function range(start: number, count: number): string {
  return count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;
}

function textOf({ sign, line }: Edit): string[] {
  if (!line.endsWith("\n")) return [sign + visibleLine(line), "\\ No newline at end of file"];
  return [sign + visibleLine(line.slice(0, -1))];
}
