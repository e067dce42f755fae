import type { Failure } from "@skillwright/core";

/** What a JSON or YAML file holds, and where. */
export interface DataDocument {
  readonly value: unknown;
  /** The line, from 1, of what stands at a path; of the nearest thing around it when nothing does. */
  lineOf(path: DocumentPath): number;
}

export type DocumentPath = readonly (string | number)[];

export type DocumentResult =
  | { readonly ok: true; readonly document: DataDocument }
  | DocumentFailure;

export interface DocumentFailure extends Failure<"file-invalid"> {
  readonly line: number;
}

/** Where something stands in the text, and what stands in it. */
export interface Place {
  readonly start: number;
  readonly inner: ReadonlyMap<string | number, Place>;
}

/** Keys that would reach `Object.prototype` in careless code; no case needs one. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

export const MAX_DEPTH = 40;
/** Each takes memory beside the text. */
export const MAX_VALUES = 2_000_000;

/** Thrown while a text is read, and caught where that began. */
export class DocumentProblem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export function placedDocument(text: string, value: unknown, root: Place): DataDocument {
  const starts = lineStarts(text);
  return {
    value,
    lineOf(path) {
      let place = root;
      for (const key of path) {
        const inner = place.inner.get(key);
        if (inner === undefined) break;
        place = inner;
      }
      return lineAt(starts, place.start);
    },
  };
}

export function documentFailure(text: string, message: string, offset: number): DocumentFailure {
  return { ok: false, code: "file-invalid", message, line: lineAt(lineStarts(text), offset) };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
