import { describe, expect, it } from "vitest";
import { bareTrial, exampleResults } from "../../../../test/support/example-results.ts";
import { compareResults, type EvalResults } from "../index.ts";
import { createRandom, type Random } from "../statistics/index.ts";

const RUNS = 60;
/** 5 in 100. */
const MOST_ALARMS = 0.05 * RUNS;

type Rates = (random: Random) => number;

const always =
  (rate: number): Rates =>
  () =>
    rate;
/** Some never, some always, some anything. */
const mixed: Rates = (random) => [0, 1, 1, random.next(), 0.8][random.below(5)] ?? 1;

function draw(rates: readonly number[], trials: number, random: Random): EvalResults {
  const all = rates.flatMap((rate, i) =>
    Array.from({ length: trials }, (_, number) =>
      bareTrial(`${i}`, {
        trial: number + 1,
        outcome: random.next() < rate ? "pass" : "fail",
      }),
    ),
  );
  return exampleResults(all, { isDeterministic: false, trials });
}

/** How often it is a regression, and what the differences are on average. */
function simulate(cases: number, trials: number, before: Rates, now?: Rates, runs = RUNS) {
  const random = createRandom(cases * 100 + trials);
  let alarms = 0;
  let sum = 0;
  for (let run = 0; run < runs; run++) {
    const old = Array.from({ length: cases }, () => before(random));
    const own = now === undefined ? old : old.map(() => now(random));
    const compared = compareResults(draw(old, trials, random), draw(own, trials, random));
    if (!compared.ok) throw new Error(compared.message);
    if (compared.status === "regression") alarms++;
    sum += compared.gate?.difference.value ?? 0;
  }
  return { alarms, mean: sum / runs };
}

describe("E-04 the same rates in both runs", () => {
  it.each([
    ["0.8", 150, 3, always(0.8)],
    ["0.9", 150, 1, always(0.9)],
    ["0.5", 60, 1, always(0.5)],
    ["0.9", 100, 5, always(0.9)],
    ["0.6", 40, 5, always(0.6)],
    ["all kinds", 80, 3, mixed],
    ["all kinds", 50, 8, mixed],
  ] as const)("of %s: %d cases with %d trials give no false alarms", (_, cases, trials, rates) => {
    const { alarms, mean } = simulate(cases, trials, rates);
    expect(alarms).toBeLessThanOrEqual(MOST_ALARMS);
    // Nothing was left out for having been unlucky in one of them.
    expect(Math.abs(mean)).toBeLessThan(0.015);
  });
});

describe("E-04 a rate that really fell", () => {
  it.each([
    [100, 1],
    [60, 3],
    [40, 5],
  ])("from 0.9 to 0.6 in %d cases with %d trials is found", (cases, trials) => {
    const runs = 20;
    const { alarms } = simulate(cases, trials, always(0.9), always(0.6), runs);
    expect(alarms).toBeGreaterThanOrEqual(0.8 * runs);
  });
});
