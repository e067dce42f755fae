import { createHash } from "node:crypto";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

const MAX_DEPTH = 100;

/**
 * The one text for a value: names sorted by code unit, no space, lone surrogates escaped. Values that
 * JSON takes for equal have equal texts, all others different ones. A property that is undefined is
 * absent. Throws a `TypeError` for what JSON cannot hold and for nesting beyond 100 levels.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** `sha256:` and the hash of the canonical text. */
export function digestOf(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}

/** A copy that nobody can change, also not through what it was made from. */
export function frozenCopy(value: unknown): JsonValue {
  return freeze(JSON.parse(canonicalJson(value)) as JsonValue);
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item: unknown) => write(item, depth + 1)).join(",")}]`;
  }
  if (!isPlainObject(value)) throw new TypeError(`JSON cannot hold ${describe(value)}`);
  const parts: string[] = [];
  for (const name of Object.keys(value).sort()) {
    // Read once: a getter could answer differently the second time.
    const item = value[name];
    if (item !== undefined) parts.push(`${JSON.stringify(name)}:${write(item, depth + 1)}`);
  }
  return `{${parts.join(",")}}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  return typeof value === "number" ? String(value) : `a value of type ${typeof value}`;
}

function freeze(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}
