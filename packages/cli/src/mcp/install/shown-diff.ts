const CONTEXT = 3;

/** What changes in one place of a text, with some lines around it. */
export function shownDiff(before: string, after: string): string[] {
  const old = linesOf(before);
  const next = linesOf(after);
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let same = 0;
  const most = Math.min(old.length, next.length) - start;
  while (same < most && old.at(-1 - same) === next.at(-1 - same)) same++;
  const mark = (sign: string, lines: readonly string[]) => lines.map((line) => `${sign} ${line}`);
  return [
    ...mark(" ", old.slice(Math.max(0, start - CONTEXT), start)),
    ...mark("-", old.slice(start, old.length - same)),
    ...mark("+", next.slice(start, next.length - same)),
    ...mark(" ", old.slice(old.length - same, old.length - same + CONTEXT)),
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
