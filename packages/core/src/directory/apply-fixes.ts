import type { Diagnostic, TextEdit } from "../format/diagnostic.ts";

export interface FixResult {
  readonly text: string;
  /** How many diagnostics were mended. */
  readonly fixed: number;
}

/**
 * Applies the fixes that diagnostics carry to the text they were made for. A fix that overlaps an
 * earlier one is left for the next round.
 */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]): FixResult {
  const accepted: TextEdit[] = [];
  let fixed = 0;
  for (const { fix } of diagnostics) {
    if (fix === undefined || fix.some((edit) => accepted.some((other) => overlap(edit, other)))) {
      continue;
    }
    accepted.push(...fix);
    fixed++;
  }
  return { text: applyEdits(text, accepted), fixed };
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, text: added } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, start) + added;
    from = end;
  }
  return result + text.slice(from);
}

function overlap(a: TextEdit, b: TextEdit): boolean {
  return a.start < b.end && b.start < a.end ? true : a.start === b.start && a.end === b.end;
}
