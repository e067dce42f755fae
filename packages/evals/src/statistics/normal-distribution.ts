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
