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
export { createRandom, generator } from "./random.ts";
export { formatDifference, formatProbability } from "./format-numbers.ts";
export {
  fisherExactTest,
  mcnemarTest,
  nonInferiorityGate,
  type Pair,
  pairedDifference,
  pairsNeeded,
  signFlipTest,
} from "./paired.ts";
