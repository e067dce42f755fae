import { isPossible, MAX_MATCH_LENGTH, type Redactor } from "./redactor.ts";

/** Redacts a text that comes in pieces and returns it without secrets. */
export interface StreamRedactor {
  /** What can be passed on now, usually complete lines. */
  write(text: string): string;
  /** The rest. */
  end(): string;
}

const KEY_BEGINS =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[^]){0,64000}$/;

/**
 * Holds back what could be the beginning of a secret: the last line, an unfinished private key, the
 * start of a known value that spans lines. A line longer than any secret is passed on in parts.
 */
export function createStreamRedactor({ redactText, rules }: Redactor): StreamRedactor {
  const window = Math.max(MAX_MATCH_LENGTH, rules.longestValue);
  let held = "";
  const release = (end: number): string => {
    const ready = held.slice(0, end);
    held = held.slice(end);
    return redactText(ready);
  };
  return {
    write(text) {
      held += text;
      let end = Math.max(held.lastIndexOf("\n"), held.lastIndexOf("\r")) + 1;
      const begun = unfinished(held.slice(0, end), rules.multiline);
      if (begun < end) end = startOfMatches(held, lineStart(held, begun));
      if (held.length - end > 2 * window) end = endOfMatches(held, held.length - window);
      return release(end);
    },
    end: () => release(held.length),
  };

  /** The last start of a line at or before this one that lies within no match. */
  function startOfMatches(text: string, from: number): number {
    const matches = matchesIn(text).sort((a, b) => b.start - a.start);
    return matches.reduce((place, { start, end }) => {
      return start < place && place < end ? lineStart(text, start) : place;
    }, from);
  }

  /** The first place at or after this one that lies within no match. */
  function endOfMatches(text: string, from: number): number {
    const matches = matchesIn(text).sort((a, b) => a.start - b.start);
    return matches.reduce((place, { start, end }) => {
      return start < place && place < end ? end : place;
    }, from);
  }

  function matchesIn(text: string): { readonly start: number; readonly end: number }[] {
    const possible = rules.texts.filter((rule) => isPossible(rule, text));
    return possible.flatMap(({ expression }) =>
      [...text.matchAll(expression)].map(({ index, 0: { length } }) => {
        return { start: index, end: index + length };
      }),
    );
  }
}

/** Lines stay together, since a match may depend on all of a line. */
function lineStart(text: string, index: number): number {
  const before = text.slice(0, index);
  return Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
}

/** Where the first secret begins that the text, which is whole lines, does not hold to its end. */
function unfinished(text: string, multiline: readonly string[]): number {
  const recent = text.slice(-2 * MAX_MATCH_LENGTH);
  const key = recent.search(KEY_BEGINS);
  let first = key === -1 ? text.length : text.length - recent.length + key;
  for (const value of multiline) {
    for (const { index } of value.matchAll(/[\r\n]/g)) {
      const lines = value.slice(0, index + 1);
      if (text.endsWith(lines)) first = Math.min(first, text.length - lines.length);
    }
  }
  return first;
}
