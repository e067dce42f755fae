import type { Diagnostic, Severity } from "../format/diagnostic.ts";
import type { Mutable } from "../format/parsed-skill.ts";

/** A diagnostic without the names of its fields, and without a file when that is the skill's own. */
export type StoredDiagnostic = [
  code: string,
  severity: Severity,
  message: string,
  lines: [line: number, column: number, endLine: number, endColumn: number],
  more?: Pick<Diagnostic, "hint" | "effect" | "fix"> & { readonly file?: string },
];

export function encodeDiagnostic(diagnostic: Diagnostic, ownFile: string): StoredDiagnostic {
  const { code, severity, message, line, column, endLine, endColumn, file, ...rest } = diagnostic;
  const more = file === ownFile ? rest : { ...rest, file };
  const lines: StoredDiagnostic[3] = [line, column, endLine, endColumn];
  if (Object.keys(more).length === 0) return [code, severity, message, lines];
  return [code, severity, message, lines, more];
}

export function decodeDiagnostic(stored: StoredDiagnostic, ownFile: string): Diagnostic {
  const [code, severity, message, lines, more] = stored;
  const [line, column, endLine, endColumn] = lines;
  const file = more?.file ?? ownFile;
  const own = { code, severity, message, file, line, column, endLine, endColumn };
  const diagnostic: Mutable<Diagnostic> = own;
  if (more?.hint !== undefined) diagnostic.hint = more.hint;
  if (more?.effect !== undefined) diagnostic.effect = more.effect;
  if (more?.fix !== undefined) diagnostic.fix = more.fix;
  return diagnostic;
}
