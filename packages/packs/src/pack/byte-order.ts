/** Compares two texts by their UTF-8 bytes: the same order in every locale. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
