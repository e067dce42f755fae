/** What tests use of this folder; sources import the files themselves. */

export {
  binomialProbability,
  binomialTail,
  normalQuantile,
  normalUpperTail,
} from "./distributions.ts";
export {
  casesToShow,
  passAllK,
  passAtK,
  percentile,
  rateOf,
  rateOfCases,
  wilsonInterval,
} from "./rates.ts";
export { clusterBootstrap, sumsOfMeans } from "./cluster-bootstrap.ts";
export { createRandom, generator, type Random } from "./random.ts";
export { fisherExactTest } from "./fisher-exact-test.ts";
export { formatDifference, formatProbability } from "./format-numbers.ts";
export {
  mcnemarTest,
  type Pair,
  pairedDifference,
  pairsNeeded,
  signFlipTest,
} from "./paired.ts";
export { nonInferiorityGate } from "./non-inferiority-gate.ts";
