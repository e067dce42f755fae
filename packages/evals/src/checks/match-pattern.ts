import type { Failure } from "@skillwright/core";
import { type Timed, withinTime } from "./within-time.ts";

export type CompiledPattern =
  | { readonly ok: true; readonly pattern: RegExp }
  | Failure<"pattern-invalid">;

/** What it matched and captured first; null when it did not. */
export type PatternMatch = Timed<readonly (string | undefined)[] | null>;

const LONGEST = 4000;
/** Without repetition nothing can run away, and starting the clock takes longer than the match. */
const REPEATS = /[*+{]|\\[1-9k]/;
const INLINE_FLAGS = /^\(\?([ims]+)\)/;

/** With the flags of JavaScript. `(?i)` at its beginning, as other dialects write it, is understood. */
export function compilePattern(source: string, flags = ""): CompiledPattern {
  if (source.length > LONGEST) {
    return invalid(`the pattern is longer than ${LONGEST} characters`);
  }
  const inline = INLINE_FLAGS.exec(source);
  const rest = source.slice(inline?.[0].length ?? 0);
  // What remembers a place between two matches would make the second one differ.
  const all = [...new Set(`${flags}${inline?.[1] ?? ""}`.replaceAll(/[gy]/g, ""))].join("");
  try {
    return { ok: true, pattern: new RegExp(rest, all) };
  } catch (error) {
    return invalid(error instanceof Error ? error.message : "the pattern cannot be read");
  }
}

export function matchPattern(pattern: RegExp, text: string): PatternMatch {
  if (!REPEATS.test(pattern.source)) return { ok: true, value: pattern.exec(text) };
  return withinTime(() => pattern.exec(text));
}

function invalid(message: string): Failure<"pattern-invalid"> {
  return { ok: false, code: "pattern-invalid", message };
}
