import { CONFIDENCE, type Interval } from "./interval.ts";
import { normalQuantile } from "./normal-distribution.ts";

const USUAL_Z = normalQuantile((1 + CONFIDENCE) / 2);

/** For a share of successes; both may be broken numbers, as when a case with three trials counts once. */
export function wilsonInterval(successes: number, n: number, confidence = CONFIDENCE): Interval {
  if (n <= 0) return { low: 0, high: 1 };
  const z = confidence === CONFIDENCE ? USUAL_Z : normalQuantile((1 + confidence) / 2);
  const share = successes / n;
  const center = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const spread = Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const half = (z * spread) / (1 + (z * z) / n);
  // Rounding must not leave a perfect score outside its own interval.
  return {
    low: successes <= 0 ? 0 : Math.min(share, Math.max(0, center - half)),
    high: successes >= n ? 1 : Math.max(share, Math.min(1, center + half)),
  };
}
