import type { Diagnostic } from "@skillwright/core";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { Colors } from "../terminal/colors.ts";
import { codeFrame } from "./code-frame.ts";
import { pointsIntoText } from "./linted-file.ts";
import type { LintedFile } from "./linted-file.ts";

export interface FormatHumanOptions {
  readonly colors: Colors;
  /** Columns of the terminal; source lines are cut to it. */
  readonly width: number;
}

/** Enough to start fixing; more would not be read. */
const MAX_SHOWN = 100;

/** For people: grouped by file, each finding with the source it is about. No final newline. */
export function formatHuman(files: readonly LintedFile[], options: FormatHumanOptions): string {
  return files
    .filter(({ diagnostics }) => diagnostics.length > 0)
    .map((linted) => formatFile(linted, options))
    .join("\n\n");
}

function formatFile(linted: LintedFile, options: FormatHumanOptions): string {
  const { colors } = options;
  const lines = linted.text.split("\n");
  const blocks = linted.diagnostics
    .slice(0, MAX_SHOWN)
    .map((diagnostic) => formatDiagnostic(linted, lines, diagnostic, options));
  const more = linted.diagnostics.length - MAX_SHOWN;
  if (more > 0) blocks.push(colors.dim(`… and ${plural(more, "more finding")} in this skill`));
  return [colors.bold(colors.underline(visibleLine(linted.file))), ...blocks].join("\n\n");
}

function formatDiagnostic(
  linted: LintedFile,
  lines: readonly string[],
  diagnostic: Diagnostic,
  { colors, width }: FormatHumanOptions,
): string {
  const { severity, code, message, line, column, hint, fix } = diagnostic;
  const paint = severityColor(severity, colors);
  const inText = pointsIntoText(linted, diagnostic);
  const file = visibleLine(inText ? linted.file : diagnostic.file);
  const frame = codeFrame(inText ? lines : [], diagnostic, { colors, width, paint });
  const margin = " ".repeat(frame.gutter);
  const note = (label: string, text: string): string =>
    `${margin} ${colors.dim("=")} ${colors.bold(label)}${text}`;

  const title = paint(`${severity}[${visibleLine(code)}]`);
  const output = [
    `${colors.bold(title)}: ${colors.bold(visibleLine(message))}`,
    `${margin}${colors.dim("-->")} ${file}:${line}:${column}`,
    ...frame.lines,
  ];
  if (hint !== undefined)
    output.push(note("hint", `: ${visibleLine(hint.replace(/[ \t]*\n[ \t]*/g, " "))}`));
  if (fix !== undefined && fix.length > 0) output.push(note("fixable", " with --fix"));
  return output.join("\n");
}

function severityColor(severity: Diagnostic["severity"], colors: Colors): (text: string) => string {
  if (severity === "error") return colors.red;
  return severity === "warning" ? colors.yellow : colors.cyan;
}
