import type { Failure } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { FoundText } from "./walk-files.ts";

interface MatchedLine {
  /** Index of the text. */
  readonly index: number;
  readonly line: number;
  /** The line, or the part of a long one that matches. */
  readonly text: string;
}

type MatchResult =
  | { readonly ok: true; readonly lines: readonly MatchedLine[] }
  | Failure<"aborted" | "pattern-failed" | "search-timeout">;

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

/** Matches lines against a regular expression, in a thread that can be stopped. */
class LineMatcher {
  readonly #worker: Worker;

  constructor(source: string, flags: string) {
    const workerData = { source, flags, around: AROUND };
    // The thread needs nothing of ours, so it gets neither environment nor arguments.
    this.#worker = new Worker(PROGRAM, {
      eval: true,
      workerData,
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: MEMORY,
    });
    this.#worker.unref();
  }

  /** One call at a time. After a failure the matcher is of no more use. */
  async match(
    texts: readonly string[],
    limit: number,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<MatchResult> {
    const worker = this.#worker;
    return new Promise((resolve) => {
      const finish = (result: MatchResult): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        worker.off("message", onMessage).off("error", onError);
        resolve(result);
      };
      const onMessage = (answer: { lines?: readonly MatchedLine[]; problem?: string }): void =>
        finish(
          answer.lines === undefined
            ? failed(answer.problem ?? "unknown reason")
            : { ok: true, lines: answer.lines },
        );
      const onError = (error: unknown): void =>
        finish(failed(error instanceof Error ? error.message : "unknown reason"));
      const onAbort = (): void =>
        finish({ ok: false, code: "aborted", message: "the call was aborted" });
      const timer = setTimeout(() => finish(timedOut()), Math.max(1, milliseconds));
      worker.on("message", onMessage).on("error", onError);
      signal?.addEventListener("abort", onAbort);
      if (signal?.aborted === true) onAbort();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      else worker.postMessage({ texts, limit });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function failed(reason: string): MatchResult {
  return {
    ok: false,
    code: "pattern-failed",
    message: `the pattern cannot be used: ${reason}`,
    hint: "Use a simpler pattern.",
  };
}

function timedOut(): MatchResult {
  return {
    ok: false,
    code: "search-timeout",
    message: "the search took too long and was stopped",
    hint: "Use a simpler pattern without nested repetitions, or search fewer files with path or glob.",
  };
}

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

interface MatchOptions {
  readonly pattern: string;
  readonly flags: string;
  readonly maxResults: number;
  readonly maxBytes: number;
  readonly remaining: () => number;
  readonly signal?: AbortSignal;
}

const BATCH_CHARACTERS = 1024 * 1024;
/** Lets other work of the process run. */
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
      // One more than the limit shows whether there are more.
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
      return { ok: false, code: "aborted", message: "the call was aborted" };
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
