/** What tests use of this folder; sources import the files themselves. */

export { binomialProbability } from "./binomial-probability.ts";
export { binomialTail } from "./binomial-tail.ts";
export { casesToShow } from "./cases-to-show.ts";
export { clusterBootstrap, sumsOfMeans } from "./cluster-bootstrap.ts";
export { createRandom, generator, type Random } from "./create-random.ts";
export { fisherExactTest } from "./fisher-exact-test.ts";
export { formatDifference, formatProbability } from "./format-numbers.ts";
export { holmAdjust } from "./holm-adjust.ts";
export { mcnemarPower } from "./mcnemar-power.ts";
export { mcnemarTest } from "./mcnemar-test.ts";
export { nonInferiorityGate } from "./non-inferiority-gate.ts";
export { normalQuantile, normalUpperTail } from "./normal-distribution.ts";
export { type Pair, pairedDifference } from "./paired-difference.ts";
export { pairsNeeded } from "./pairs-needed.ts";
export { passAllK, passAtK } from "./pass-at-k.ts";
export { percentile } from "./percentile.ts";
export { rateOf, rateOfCases } from "./rate.ts";
export { signFlipTest } from "./sign-flip-test.ts";
export { wilsonInterval } from "./wilson-interval.ts";
