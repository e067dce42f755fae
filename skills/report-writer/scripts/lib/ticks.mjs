const STEPS = [1, 2, 2.5, 5, 10];

/** Round numbers that enclose a range; zero is one of them when it lies in or near it. */
export function ticksFor(least, most, { wanted = 5, withZero = true } = {}) {
  let low = withZero ? Math.min(0, least) : least;
  let high = withZero ? Math.max(0, most) : most;
  if (low === high) {
    const around = Math.abs(low) / 2 || 1;
    [low, high] = withZero ? [low, low + 1] : [low - around, high + around];
  }
  // Halves first: the difference of two huge numbers may be too large.
  const step = roundStep((high / 2 - low / 2) / (wanted / 2));
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const ticks = [];
  for (let i = first; i <= last; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks.filter(Number.isFinite);
}

function roundStep(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  if (power === 0) return Number.MIN_VALUE;
  return (STEPS.find((step) => step * power >= size) ?? 10) * power;
}

/** From a value to a place on the paper. */
export function scale([low, high], [from, to]) {
  const size = high / 2 - low / 2;
  return (value) => from + ((value / 2 - low / 2) / size) * (to - from);
}
