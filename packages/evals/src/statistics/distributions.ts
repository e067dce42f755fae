const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
/** Up to here factorials are exact in a double. */
const EXACT_FACTORIAL = 20;

/**
 * That `count` of `n` succeed when each does with `probability`. By Loader's saddle point (2000), which
 * loses no digits for n in the millions, as differences of log-gammas do.
 */
export function binomialProbability(count: number, n: number, probability: number): number {
  if (count < 0 || count > n) return 0;
  if (probability <= 0) return count === 0 ? 1 : 0;
  if (probability >= 1) return count === n ? 1 : 0;
  if (count === 0) return powerOfRest(probability, n);
  if (count === n) return probability ** n;
  const rest = n - count;
  const exponent =
    stirlingError(n) -
    stirlingError(count) -
    stirlingError(rest) -
    deviance(count, n * probability) -
    deviance(rest, n * (1 - probability));
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * count * rest));
}

/** (1 − probability) to the n, also of a probability that vanishes beside 1. */
function powerOfRest(probability: number, n: number): number {
  return probability < 0.1 ? Math.exp(n * Math.log1p(-probability)) : (1 - probability) ** n;
}

/** log(n!) minus Stirling's formula for it. */
function stirlingError(n: number): number {
  if (n > EXACT_FACTORIAL) {
    const square = n * n;
    const series = 1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square;
    return (1 / 12 - (1 / 360 - series / square) / square) / n;
  }
  let factorial = 1;
  for (let i = 2; i <= n; i++) factorial *= i;
  return Math.log(factorial) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
}

/** x·log(x/mean) + mean − x, without loss when the two are close. */
function deviance(x: number, mean: number): number {
  const difference = x - mean;
  if (Math.abs(difference) >= 0.1 * (x + mean)) return x * Math.log(x / mean) - difference;
  const ratio = difference / (x + mean);
  const square = ratio * ratio;
  let sum = difference * ratio;
  let power = 2 * x * ratio;
  for (let i = 3; ; i += 2) {
    power *= square;
    const next = sum + power / i;
    if (next === sum) return sum;
    sum = next;
  }
}

/** A term this much smaller than the sum changes nothing any more. */
const NEGLIGIBLE = 1e-18;

/** That at most `count` of `n` succeed. */
export function binomialTail(count: number, n: number, probability: number): number {
  if (count < 0) return 0;
  if (count >= n || probability <= 0) return 1;
  if (probability >= 1) return 0;
  // Terms get smaller away from the mean: the tail is summed from its large end.
  if (count <= n * probability) return sumDown(count, n, probability);
  return 1 - sumDown(n - count - 1, n, 1 - probability);
}

function sumDown(from: number, n: number, probability: number): number {
  const odds = (1 - probability) / probability;
  let term = binomialProbability(from, n, probability);
  let sum = term;
  for (let i = from; i > 0 && term > sum * NEGLIGIBLE; i--) {
    term *= (i / (n - i + 1)) * odds;
    sum += term;
  }
  return Math.min(1, sum);
}

/** Beyond it the continued fraction converges fast and keeps all digits of the tail. */
const TAIL = 3;
const FRACTION_DEPTH = 120;

/** That a standard normal variable is more than `x`. */
export function normalUpperTail(x: number): number {
  if (x < 0) return 1 - normalUpperTail(-x);
  const density = normalDensity(x);
  if (x > TAIL) {
    let fraction = x;
    for (let i = FRACTION_DEPTH; i > 0; i--) fraction = x + i / fraction;
    return density / fraction;
  }
  let sum = 0;
  let term = x;
  for (let i = 1; sum + term !== sum; i++) {
    sum += term;
    term *= (x * x) / (2 * i + 1);
  }
  return 0.5 - density * sum;
}

/** The value that a standard normal variable stays below with this probability. */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) {
    throw new RangeError(`A probability between 0 and 1 is needed, not ${probability}`);
  }
  return probability < 0.5 ? -upperQuantile(probability) : upperQuantile(1 - probability);
}

function upperQuantile(tail: number): number {
  const root = Math.sqrt(-2 * Math.log(tail));
  // Abramowitz and Stegun 26.2.23 is right to 4.5e-4; three steps of Halley do the rest.
  let x =
    root -
    (2.515517 + root * (0.802853 + root * 0.010328)) /
      (1 + root * (1.432788 + root * (0.189269 + root * 0.001308)));
  for (let i = 0; i < 3; i++) {
    const step = (normalUpperTail(x) - tail) / normalDensity(x);
    x += step / (1 - (x * step) / 2);
  }
  return x;
}

function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
}

/** The same of Student's distribution: exact for 1 and 2 degrees of freedom, else by Cornish and Fisher, to 1 %. */
export function studentQuantile(probability: number, freedom: number): number {
  const z = normalQuantile(probability);
  const share = 2 * probability - 1;
  if (freedom === 1) return Math.tan((Math.PI * share) / 2);
  if (freedom === 2) return share * Math.sqrt(2 / (1 - share ** 2));
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}
