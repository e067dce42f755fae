import type { Failure } from "@skillwright/core";
import { TimeSlice, visibleLine } from "@skillwright/core/internal";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { FoundText } from "./walk-files.ts";

/**
 * Kept as text, so that it works from source, from a build and from a bundle alike. A thread can be
 * stopped in the middle of a regular expression; nothing else can.
 */
const PROGRAM = `
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
const { source, flags, around } = workerData;
let expression;
parentPort.on("message", ({ texts, limit }) => {
  try {
    expression ??= new RegExp(source, flags);
    parentPort.postMessage({ lines: matches(texts, limit) });
  } catch (error) {
    parentPort.postMessage({ problem: String(error && error.message).slice(0, 200) });
  }
});
function matches(texts, limit) {
  const found = [];
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index];
    // Not split into a list: a file of nothing but newlines would take all the memory.
    for (let start = 0, number = 1; start < text.length; number++) {
      const newline = text.indexOf("\\n", start);
      const end = newline === -1 ? text.length : newline;
      const line = text.slice(start, end > start && text[end - 1] === "\\r" ? end - 1 : end);
      start = end + 1;
      const match = expression.exec(line);
      if (match === null) continue;
      const from = line.length <= 3 * around ? 0 : Math.max(0, match.index - around);
      found.push({ index, line: number, text: line.slice(from, from + 3 * around) });
      if (found.length >= limit) return found;
    }
  }
  return found;
}
`;

const AROUND = 100;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 };
const BATCH_CHARACTERS = 1024 * 1024;

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

interface SearchMatch {
  readonly path: string;
  readonly line: number;
  /** The line, or the part of a long one that matches. */
  readonly text: string;
}

interface MatchOptions {
  readonly pattern: string;
  readonly flags: string;
  readonly maxResults: number;
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly remaining: () => number;
  readonly signal: AbortSignal | undefined;
}

/** Matches files as they are found, within the limits of time and output. */
export async function matchLines(
  files: Iterable<FoundText>,
  { pattern, flags, maxResults, maxBytes, remaining, signal }: MatchOptions,
): Promise<SearchFilesResult | Failure> {
  // The thread needs nothing of ours, so it gets neither environment nor arguments.
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { source: pattern, flags, around: AROUND },
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: MEMORY,
  });
  const matches: SearchMatch[] = [];
  let bytes = 0;
  let leftOut = 0;
  let allLeftOut = 0;
  try {
    for await (const batch of batchesOf(files)) {
      const texts = batch.map(({ text }) => text);
      // One more than the limit shows whether there are more.
      const limit = maxResults - matches.length + 1;
      const lines = await matchedLines(worker, { texts, limit }, remaining(), signal);
      if ("code" in lines) {
        const isPartial = lines.code === "search-timeout" && matches.length > 0;
        return isPartial ? { ok: true, matches, truncated: true, timedOut: true, leftOut } : lines;
      }
      for (const { index, line, text } of lines) {
        const { path = "", leftOut: before = leftOut } = batch[index] ?? {};
        bytes += Buffer.byteLength(path) + Buffer.byteLength(text) + 10;
        if (matches.length >= maxResults || bytes > maxBytes) {
          return { ok: true, matches, truncated: true, timedOut: false, leftOut };
        }
        leftOut = before;
        matches.push({ path: visibleLine(path), line, text });
      }
      allLeftOut = batch.at(-1)?.leftOut ?? allLeftOut;
    }
  } finally {
    await worker.terminate();
  }
  if (signal?.aborted === true) return ABORTED;
  const timedOut = remaining() <= 0;
  return { ok: true, matches, truncated: timedOut, timedOut, leftOut: allLeftOut };
}

async function* batchesOf(files: Iterable<FoundText>): AsyncGenerator<readonly FoundText[]> {
  let batch: FoundText[] = [];
  let characters = 0;
  const slice = new TimeSlice();
  for (const file of files) {
    if (slice.isOver) await slice.rest();
    batch.push(file);
    characters += file.text.length;
    if (characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

interface MatchedLine {
  /** Index of the text. */
  readonly index: number;
  readonly line: number;
  readonly text: string;
}

type Answer = { readonly lines: readonly MatchedLine[] } | { readonly problem: string };

const ABORTED = { ok: false, code: "aborted", message: "the call was aborted" } as const;

async function matchedLines(
  worker: Worker,
  question: { readonly texts: readonly string[]; readonly limit: number },
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<readonly MatchedLine[] | Failure> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(milliseconds)));
  try {
    const answer = once(worker, "message", {
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(question);
    const [answered] = (await answer) as [Answer];
    return "lines" in answered ? answered.lines : failed(answered.problem);
  } catch (error) {
    if (signal?.aborted === true) return ABORTED;
    if (timeout.aborted) return TIMED_OUT;
    return failed(error instanceof Error ? error.message : "unknown reason");
  }
}

const TIMED_OUT: Failure<"search-timeout"> = {
  ok: false,
  code: "search-timeout",
  message: "the search took too long and was stopped",
  hint: "Use a simpler pattern without nested repetitions, or search fewer files with path or glob.",
};

function failed(reason: string): Failure<"pattern-failed"> {
  return {
    ok: false,
    code: "pattern-failed",
    message: `the pattern cannot be used: ${reason}`,
    hint: "Use a simpler pattern.",
  };
}
