import type { Diagnostic } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import { type LintedFile, messageWithHint } from "./linted-file.ts";
import { relativePath } from "../terminal/relative-path.ts";

const COMMAND: Record<Diagnostic["severity"], string> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

/** Workflow commands, one per line, which GitHub Actions shows as annotations. No final newline. */
export function formatGithub(
  files: readonly LintedFile[],
  { cwd }: { readonly cwd: string },
): string {
  return files
    .flatMap(({ diagnostics }) => diagnostics)
    .map((diagnostic) => formatCommand(diagnostic, cwd))
    .join("\n");
}

/** Of a command's data (its message). */
export function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Of a command's property values, which `:` and `,` would end. */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function formatCommand(diagnostic: Diagnostic, cwd: string): string {
  const properties = {
    file: visibleLine(relativePath(diagnostic.file, cwd)),
    ...position(diagnostic),
    title: visibleLine(diagnostic.code),
  };
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  const message = messageWithHint(diagnostic).split("\n").map(visibleLine).join("\n");
  return `::${COMMAND[diagnostic.severity]} ${list.join(",")}::${escapeData(message)}`;
}

/** The runner drops columns, both of them, from annotations of several lines. */
function position({ line, column, endLine, endColumn }: Diagnostic): Record<string, string> {
  if (endLine > line)
    return { line: `${line}`, endLine: `${endColumn <= 1 ? endLine - 1 : endLine}` };
  const end = Math.max(column, endColumn);
  return { line: `${line}`, col: `${column}`, endLine: `${line}`, endColumn: `${end}` };
}
