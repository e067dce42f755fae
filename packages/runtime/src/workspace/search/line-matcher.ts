import { Worker } from "node:worker_threads";
import type { Failure } from "@skillwright/core";

interface MatchedLine {
  /** Index of the text. */
  readonly index: number;
  readonly line: number;
  /** The line, or the part of a long one that matches. */
  readonly text: string;
}

export type MatchResult =
  | { readonly ok: true; readonly lines: readonly MatchedLine[] }
  | Failure<"cancelled" | "pattern-failed" | "search-timeout">;

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

/** Looks for a regular expression in lines, in a thread of its own that can be stopped. */
export class LineMatcher {
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
        finish({ ok: false, code: "cancelled", message: "the call was cancelled" });
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
