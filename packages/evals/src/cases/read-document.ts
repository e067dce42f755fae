import type { Failure } from "@skillwright/core";
import { type Event, EVENT_ID, getScalarValue, load, parseEvents, YAMLException } from "js-yaml";
import {
  DocumentProblem,
  FORBIDDEN_KEYS,
  jsonPlaces,
  MAX_DEPTH,
  type Place,
} from "./json-places.ts";

/** The value of a JSON or YAML file, and the lines of its parts. */
export interface DataDocument {
  readonly value: unknown;
  /** The line, from 1, of the value at a path, or of the nearest value around it. */
  lineOf(path: DocumentPath): number;
}

export type DocumentPath = readonly (string | number)[];

export type DocumentResult =
  | { readonly ok: true; readonly document: DataDocument }
  | (Failure<"file-invalid"> & { readonly line: number });

/** Reads any JSON or YAML text. A hostile one is a failure with its line. */
export function readDocument(source: string, format: "json" | "yaml"): DocumentResult {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  try {
    const places = format === "json" ? jsonPlaces(text) : yamlPlaces(text);
    const value: unknown =
      format === "json"
        ? JSON.parse(text)
        : text.trim() === ""
          ? null
          : load(text, { maxDepth: MAX_DEPTH, maxAliases: 0 });
    return { ok: true, document: placedDocument(text, value, places) };
  } catch (error) {
    if (error instanceof DocumentProblem) return invalid(text, error.message, error.offset);
    if (error instanceof YAMLException) {
      return invalid(text, error.reason, error.mark?.position ?? 0);
    }
    if (error instanceof SyntaxError) return invalid(text, error.message, 0);
    throw error;
  }
}

function placedDocument(text: string, value: unknown, root: Place): DataDocument {
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

function invalid(text: string, message: string, offset: number): DocumentResult {
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

const NOTHING: ReadonlyMap<string, Place> = new Map();

/** Where each value of a YAML text begins. Refuses aliases, tags and keys that are not scalars. */
function yamlPlaces(text: string): Place {
  const events = parseEvents(text, { maxDepth: MAX_DEPTH });
  // The first is the document itself.
  let next = 1;
  return events.length < 2 || events[1]?.type === EVENT_ID.POP
    ? { start: 0, inner: NOTHING }
    : node(0);

  function node(after: number): Place {
    const event = events[next++];
    const start = startOf(event, after);
    if (event?.type === EVENT_ID.MAPPING) return { start, inner: members(start) };
    if (event?.type === EVENT_ID.SEQUENCE) return { start, inner: items(start) };
    return { start, inner: NOTHING };
  }

  function members(start: number): Map<string, Place> {
    const inner = new Map<string, Place>();
    while (events[next] !== undefined && events[next]?.type !== EVENT_ID.POP) {
      const event = events[next++];
      const at = startOf(event, start);
      if (event?.type !== EVENT_ID.SCALAR) throw new DocumentProblem("a key must be a scalar", at);
      const key = event.valueStart === -1 ? "" : getScalarValue(text, event);
      if (FORBIDDEN_KEYS.has(key)) throw new DocumentProblem(`the key ${key} is not allowed`, at);
      inner.set(key, { start: at, inner: node(at).inner });
    }
    next++;
    return inner;
  }

  function items(start: number): Map<number, Place> {
    const inner = new Map<number, Place>();
    while (events[next] !== undefined && events[next]?.type !== EVENT_ID.POP) {
      inner.set(inner.size, node(start));
    }
    next++;
    return inner;
  }
}

function startOf(event: Event | undefined, after: number): number {
  if (event === undefined) return after;
  if (event.type === EVENT_ID.ALIAS) {
    throw new DocumentProblem("YAML aliases are not allowed", Math.max(0, event.anchorStart - 1));
  }
  if ("tagStart" in event && event.tagStart !== -1) {
    throw new DocumentProblem("YAML tags are not allowed", event.tagStart);
  }
  if (event.type === EVENT_ID.SCALAR) return event.valueStart === -1 ? after : event.valueStart;
  return "start" in event ? event.start : after;
}
