/** Takes secrets out of what is written down. Neither function throws. */
export interface Redactor {
  /** Any value as JSON can hold it, in the same shape, bounded, without secrets. */
  readonly redact: (value: unknown) => unknown;
  readonly redactText: (text: string) => string;
  /** What a redactor for streams needs to know. */
  readonly rules: RedactionRules;
}

/** Replaces what it finds in a text; the text around it that it needs to find it is part of a match. */
export interface TextRule {
  /** Global. Matches no more than `MAX_MATCH_LENGTH` characters, in linear time. */
  readonly expression: RegExp;
  /** A text without any of these has no match; looking for them first is faster. */
  readonly needs?: readonly string[] | undefined;
  /** With `$1` and the like. */
  readonly replacement: string;
}

interface RedactionRules {
  readonly texts: readonly TextRule[];
  /** Secrets that span lines: nothing may be passed on that could be their beginning. */
  readonly multiline: readonly string[];
  /** Of the longest secret that is looked for by its value. */
  readonly longestValue: number;
}

export const REDACTED = "[redacted]";

/** Leaves everything as it is, for a record that is redacted as a whole later. */
export const UNREDACTED: Redactor = {
  redact: (value) => value,
  redactText: (text) => text,
  rules: { texts: [], multiline: [], longestValue: 0 },
};

/** Longer than any secret that is looked for by its shape. */
export const MAX_MATCH_LENGTH = 65_536;

/** Whether the text may have a match. */
export function isPossible({ needs }: TextRule, text: string): boolean {
  return needs === undefined || needs.some((part) => text.includes(part));
}

export function applyRules(rules: readonly TextRule[], text: string): string {
  return rules.reduce(
    (result, rule) =>
      isPossible(rule, result) ? result.replace(rule.expression, rule.replacement) : result,
    text,
  );
}
