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
