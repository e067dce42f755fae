const SURROGATES = /[\ud800-\udfff]/;

/** Sorts as the UTF-8 bytes of two texts do. Only surrogates stand elsewhere in JavaScript's order. */
export function byteOrder(a: string, b: string): number {
  if (SURROGATES.test(a) || SURROGATES.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
