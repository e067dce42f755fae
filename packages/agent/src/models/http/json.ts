import { isNestedDeeper } from "@skillwright/core/internal";

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of own properties; undefined where the path breaks off. */
export function property(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** The text at a path; empty for anything else. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const text = property(value, ...path);
  return typeof text === "string" ? text : "";
}

/** Appends the texts of a piece to those that came before. */
export function appendText(
  record: Record<string, unknown>,
  piece: unknown,
  names: readonly string[],
): void {
  for (const name of names) {
    const text = textAt(piece, name);
    if (text !== "") record[name] = textAt(record, name) + text;
  }
}

/** The list at a path; empty for anything else. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = property(value, ...path);
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** A number of tokens; 0 for anything else. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

/** Deeper values can be parsed, but writing them again would overflow the stack. */
const MAX_DEPTH = 64;

/** Undefined for text that is not JSON or is nested too deeply; `null` in JSON is null. */
export function parseJson(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * JSON that every service accepts. A lone surrogate, as cutting a text leaves behind, is legal in JSON
 * but refused by most parsers: it becomes the replacement character.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u([0-9a-f]{4})|.)/g, (escape, code?: string) =>
    code !== undefined && /^d[89a-f]/.test(code) ? "\uFFFD" : escape,
  );
}
