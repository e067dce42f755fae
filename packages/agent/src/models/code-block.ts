/**
 * Output of several lines as a code block, since Markdown would read marks into plain text. Output that is
 * Markdown itself stays as it is.
 */
export function codeBlock(output: string): string {
  const lines = output.split("\n");
  if (lines.length === 1 || /^# \S/.test(output)) return output;
  const columns = lines.map((line) => line.split(",").length);
  const isTable = (columns[0] ?? 0) > 1 && columns.every((count) => count === columns[0]);
  const runs = output.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}${isTable ? "csv" : ""}\n${output}\n${fence}`;
}
