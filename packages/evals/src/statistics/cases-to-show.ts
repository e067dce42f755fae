import { normalQuantile } from "./normal-distribution.ts";
import { CONFIDENCE } from "./interval.ts";

/** Cases that must all pass before the Wilson interval lies above this rate. */
export function casesToShow(rate: number, confidence = CONFIDENCE): number {
  if (!(rate >= 0 && rate < 1)) throw new RangeError(`A rate below 1 is needed, not ${rate}`);
  const z = normalQuantile((1 + confidence) / 2);
  return Math.floor((z * z * rate) / (1 - rate)) + 1;
}
