import { truncate, unifiedDiff } from "@skillwright/core/internal";

const MAX_LINES = 400;
/** Unchanged lines show only their beginning: other entries may hold keys. */
const CONTEXT_CHARACTERS = 40;
/** What is shown on either side of a change within a long line. */
const NEAR_CHARACTERS = 24;
/** Changed lines are whole up to here. */
const MAX_LINE = 160;

/** The change as `diff -u` prints it, fit to be printed, with little of what stays. */
export async function shownDiff(before: string, after: string): Promise<string[]> {
  const [old, next] = [before, after].map((text) => text.replaceAll("\r\n", "\n"));
  const { text } = await unifiedDiff("", old, next, { labels: null, maxLines: MAX_LINES });
  const lines = text.split("\n").slice(0, -1);
  const ofSign = (sign: string) => lines.filter((line) => line.startsWith(sign)).map(unsigned);
  const [gone, come] = [ofSign("-"), ofSign("+")];
  const changed = { "-": aroundChange(gone, come), "+": aroundChange(come, gone) };
  return lines.map((line) => {
    const [sign] = line;
    if (sign === "-" || sign === "+") return sign + (changed[sign].shift() ?? "");
    return sign === " " ? ` ${truncate(unsigned(line), CONTEXT_CHARACTERS)}` : line;
  });
}

function unsigned(line: string): string {
  return line.slice(1);
}

/** Long lines without the beginning and the end that both sides share. */
function aroundChange(lines: readonly string[], others: readonly string[]): string[] {
  const [text, other] = [lines.join("\n"), others.join("\n")];
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start++;
  let same = 0;
  while (same < most - start && text.at(-1 - same) === other.at(-1 - same)) same++;
  const from = start - NEAR_CHARACTERS;
  const to = text.length - same + NEAR_CHARACTERS;
  let at = 0;
  return lines.map((line) => {
    const first = Math.min(Math.max(0, from - at), line.length);
    const last = Math.max(first, Math.min(line.length, to - at));
    at += line.length + 1;
    if (line.length <= MAX_LINE) return line;
    return (first > 0 ? "…" : "") + line.slice(first, last) + (last < line.length ? "…" : "");
  });
}
