const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The same text, as long as before, with code blocks and code spans blanked out. */
export function withoutCode(body: string): string {
  let fence = "";
  return body
    .split("\n")
    .map((line) => {
      const wasOpen = fence !== "";
      fence = fenceAfter(line, fence);
      return wasOpen || fence !== "" ? " ".repeat(line.length) : withoutSpans(line);
    })
    .join("\n");
}

/** The fence that is open after this line; empty when none is. */
export function fenceAfter(line: string, open: string): string {
  const match = FENCE.exec(line);
  if (match === null) return open;
  const [, marks = "", info = ""] = match;
  if (open === "") return marks.startsWith("`") && info.includes("`") ? "" : marks;
  const closes = marks.startsWith(open) && info.trim() === "";
  return closes ? "" : open;
}

/** A code span starts with some backticks and ends with exactly as many. */
function withoutSpans(line: string): string {
  if (!line.includes("`")) return line;
  const runs = [...line.matchAll(/`+/g)];
  let result = "";
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const opening = runs[i];
    const closing = runs.findIndex((run, j) => j > i && run[0].length === opening?.[0].length);
    const end = runs[closing];
    if (opening === undefined || end === undefined) continue;
    const stop = end.index + end[0].length;
    result += line.slice(from, opening.index) + " ".repeat(stop - opening.index);
    from = stop;
    i = closing;
  }
  return result + line.slice(from);
}
