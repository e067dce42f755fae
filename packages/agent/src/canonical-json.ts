import { canonicalJson as canonical, isNestedDeeper } from "@skillwright/core/internal";

const MAX_DEPTH = 64;

/** Canonical JSON of what models and tools give, which may be anything. Never throws for what JSON can write. */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  // Records cut what is nested this deep, so the order of its names is never compared.
  return isNestedDeeper(text, MAX_DEPTH) ? text : canonical(JSON.parse(text));
}
