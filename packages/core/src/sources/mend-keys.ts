import { isKnownKey, meantKey } from "../format/fields/known-keys.ts";
import type { Finding } from "../format/reporter.ts";
import { misspeltKey } from "../format/rules/field-rules.ts";

/** A head as it was meant, and what there is to say about each thing that was mended. */
export interface MendedHead {
  readonly text: string;
  readonly findings: readonly Finding[];
}

const KEY = /(?<=\n)[A-Za-z][A-Za-z_-]*(?=:)/g;

/** Undefined when there is nothing to mend, or when it takes the parser to know how. */
export function mendKeys(text: string): MendedHead | undefined {
  const findings: Finding[] = [];
  const meantKeys = new Set<string>();
  const mended = text.replaceAll(KEY, (key: string, start: number) => {
    const meant = isKnownKey(key) ? undefined : meantKey(key).surely;
    if (meant === undefined) return key;
    // A second one, or one whose value is shown by its place, is none of the usual cases.
    if (meantKeys.has(meant) || text.includes(`\n${meant}:`)) meantKeys.add("");
    if (meant === "name" || meant === "description") meantKeys.add("");
    meantKeys.add(meant);
    findings.push(misspeltKey(key, meant, { start, end: start + key.length }));
    return meant;
  });
  return findings.length === 0 || meantKeys.has("") ? undefined : { text: mended, findings };
}
