import { canonicalJson } from "@skillwright/core/internal";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A deep copy that cannot be changed, not even through the original. Throws what `canonicalJson` throws. */
export function frozenCopy(value: unknown): JsonValue {
  return freeze(JSON.parse(canonicalJson(value)) as JsonValue);
}

function freeze(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}
