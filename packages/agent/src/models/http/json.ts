import { isNestedDeeper } from "@skillwright/core/internal";

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property of an object; undefined for anything else. */
export function property(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A number of tokens; 0 for what is none. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Deeper values can be read, but not written again: that would overflow the stack. */
const MAX_DEPTH = 64;

/** Undefined for what is no JSON, or nested beyond all sense; `null` in JSON is null. */
export function parseJson(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * JSON that any service takes. Half of a character, as it remains when a text was cut, is legal in
 * JSON text but refused by most parsers: it becomes the replacement character.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u([0-9a-f]{4})|.)/g, (escape, code?: string) =>
    code !== undefined && /^d[89a-f]/.test(code) ? "\uFFFD" : escape,
  );
}
