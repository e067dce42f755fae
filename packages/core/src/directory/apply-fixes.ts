import type { Diagnostic, TextEdit } from "../format/diagnostic.ts";

export interface FixResult {
  readonly text: string;
  /** How many diagnostics were mended. */
  readonly fixed: number;
}

/**
 * Applies the fixes that diagnostics carry to the file they were made for, as it is on disk: edits
 * count in normalised text, and BOM and newlines outside of them stay as they are. A fix that
 * overlaps an earlier one is left for the next round.
 */
export function applyFixes(original: string, diagnostics: readonly Diagnostic[]): FixResult {
  const accepted: TextEdit[] = [];
  let fixed = 0;
  for (const { fix } of diagnostics) {
    if (fix === undefined || fix.some((edit) => accepted.some((other) => overlap(edit, other)))) {
      continue;
    }
    accepted.push(...fix);
    fixed++;
  }
  return { text: applyEdits(original, accepted), fixed };
}

function applyEdits(original: string, edits: readonly TextEdit[]): string {
  const toOriginal = createOffsetMap(original);
  let result = "";
  let from = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    result += original.slice(from, toOriginal(start)) + text;
    from = toOriginal(end);
  }
  return result + original.slice(from);
}

/** From offsets in the normalised text to those in the original; to be asked in ascending order. */
function createOffsetMap(original: string): (offset: number) => number {
  let inOriginal = original.startsWith("\uFEFF") ? 1 : 0;
  let inNormalized = 0;
  return (offset) => {
    for (; inNormalized < offset; inNormalized++) {
      inOriginal += original.startsWith("\r\n", inOriginal) ? 2 : 1;
    }
    return inOriginal;
  };
}

function overlap(a: TextEdit, b: TextEdit): boolean {
  return (a.start < b.end && b.start < a.end) || (a.start === b.start && a.end === b.end);
}
