/** A sum of shares without what binary fractions leave behind: three thirds are one. */
export function withoutDust(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}
