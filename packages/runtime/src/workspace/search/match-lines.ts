import { setImmediate } from "node:timers/promises";
import type { Failure } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import { LineMatcher } from "./line-matcher.ts";
import type { FoundText } from "./walk-files.ts";

export interface SearchFilesResult {
  readonly ok: true;
  /** By folder, file and line. */
  readonly matches: readonly SearchMatch[];
  /** There may be more. */
  readonly truncated: boolean;
  /** The time was over before everything was searched. */
  readonly timedOut: boolean;
  /** How many files may not be read, up to the last match when there are more. */
  readonly leftOut: number;
}

/** Files as they are found, and at last how many may not be read. */
export type FoundFiles = Iterator<FoundText | undefined, number, undefined>;

interface SearchMatch {
  readonly path: string;
  readonly line: number;
  /** The line, or the part of a long one that matches. */
  readonly text: string;
}

export interface MatchOptions {
  readonly pattern: string;
  readonly flags: string;
  readonly maxResults: number;
  readonly maxBytes: number;
  readonly remaining: () => number;
  readonly signal?: AbortSignal;
}

const BATCH_CHARACTERS = 1024 * 1024;
/** Others of the process want to work, too. */
const MAX_BLOCKED_MILLISECONDS = 20;

/** Matches files as they are found, within the limits of time and output. */
export async function matchLines(
  files: FoundFiles,
  { pattern, flags, maxResults, maxBytes, remaining, signal }: MatchOptions,
): Promise<SearchFilesResult | Failure> {
  const matcher = new LineMatcher(pattern, flags);
  const matches: SearchMatch[] = [];
  let bytes = 0;
  let leftOut = 0;
  const batches = batchesOf(files);
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done === true) {
        leftOut = next.value;
        break;
      }
      const batch = next.value;
      const texts = batch.map(({ text }) => text);
      // One more than may be given tells whether there are more.
      const limit = maxResults - matches.length + 1;
      const result = await matcher.match(texts, limit, remaining(), signal);
      if (!result.ok) {
        const isPartial = result.code === "search-timeout" && matches.length > 0;
        return isPartial ? { ok: true, matches, truncated: true, timedOut: true, leftOut } : result;
      }
      for (const { index, line, text } of result.lines) {
        const { path = "", leftOut: before = leftOut } = batch[index] ?? {};
        bytes += Buffer.byteLength(path) + Buffer.byteLength(text) + 10;
        if (matches.length >= maxResults || bytes > maxBytes) {
          return { ok: true, matches, truncated: true, timedOut: false, leftOut };
        }
        leftOut = before;
        matches.push({ path: visibleLine(path), line, text });
      }
    }
    if (signal?.aborted === true) {
      return { ok: false, code: "cancelled", message: "the call was cancelled" };
    }
    const timedOut = remaining() <= 0;
    return { ok: true, matches, truncated: timedOut, timedOut, leftOut };
  } finally {
    await matcher.close();
  }
}

async function* batchesOf(
  files: FoundFiles,
): AsyncGenerator<readonly FoundText[], number, undefined> {
  let batch: FoundText[] = [];
  let characters = 0;
  let rested = performance.now();
  let next = files.next();
  for (; next.done !== true; next = files.next()) {
    const file = next.value;
    if (performance.now() - rested > MAX_BLOCKED_MILLISECONDS) {
      await setImmediate();
      rested = performance.now();
    }
    if (file === undefined) continue;
    batch.push(file);
    characters += file.text.length;
    if (characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
  return next.value;
}
