/** That at least one of k trials passes, without bias, from `passed` of `n` trials; k is at most n. */
export function passAtK(passed: number, n: number, k: number): number {
  return 1 - passAllK(n - passed, n, k);
}

/** That all of k trials pass ("pass^k"), without bias: C(passed, k) / C(n, k). */
export function passAllK(passed: number, n: number, k: number): number {
  if (!(k >= 1 && k <= n)) throw new RangeError(`Of ${n} trials k is 1 to ${n}, not ${k}`);
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, passed - i) / (n - i);
  return share;
}
