export type Severity = "error" | "warning" | "info";

/** What a finding of severity error does to the skill: not loaded at all, or loaded but kept from models. */
export type Effect = "skipped" | "hidden";

/** Replaces `text.slice(start, end)` of the normalised SKILL.md (LF newlines, no BOM). */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One finding about a skill, in the same shape for loader, linter, CLI and editors. */
export interface Diagnostic {
  /** Code of the rule, stable across versions; `docs/lint-rules.md` explains each. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  /** 1-based, as editors count; the end is exclusive. Columns are UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** What to do about it. */
  readonly hint?: string;
  readonly effect?: Effect;
  /** Edits that `lint --fix` applies. */
  readonly fix?: readonly TextEdit[];
}

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** By file, position, then weight: the order in which a person works through them. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (
    a.line - b.line ||
    a.column - b.column ||
    RANK[a.severity] - RANK[b.severity] ||
    (a.code < b.code ? -1 : Number(a.code > b.code))
  );
}

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
