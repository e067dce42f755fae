import { truncate } from "@skillwright/core/internal";
/** What a check came to. `undecided`: it could not be told, which is neither a pass nor a fail. */
export type CheckVerdict =
  | {
      readonly kind: "decided";
      readonly passed: boolean;
      readonly score: number;
      readonly evidence: string;
      /** There was nothing to look at: turned round, it still fails. */
      readonly isVacuous?: true;
    }
  | { readonly kind: "undecided"; readonly evidence: string };

const MAX_SHOWN = 500;

export function decided(passed: boolean, evidence: string): CheckVerdict {
  return { kind: "decided", passed, score: passed ? 1 : 0, evidence };
}

export function nothingThere(evidence: string): CheckVerdict {
  return { kind: "decided", passed: false, score: 0, evidence, isVacuous: true };
}

export function undecided(evidence: string): CheckVerdict {
  return { kind: "undecided", evidence };
}

/** The beginning of a text, in quotes. */
export function shown(text: string, length = MAX_SHOWN): string {
  return JSON.stringify(truncate(text, length));
}

/** What stands around a place in a text. */
export function around(text: string, start: number, end: number): string {
  const from = Math.max(0, start - 60);
  const piece = text.slice(from, Math.min(text.length, end + 60, start + MAX_SHOWN));
  return `${from > 0 ? "…" : ""}${piece}${from + piece.length < text.length ? "…" : ""}`;
}
