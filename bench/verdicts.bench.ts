import {
  compareResults,
  type ComparisonStatus,
  type EvalResults,
  planRetries,
  type TrialResult,
} from "../packages/evals/src/index.ts";
import { createRandom, type Random } from "../packages/evals/src/statistics/random.ts";
import { bareTrial, exampleResults } from "../test/support/example-results.ts";
import { check } from "./scan/bars.ts";

const RUNS = 1000;
const MOST_ALARMS = 0.05;
const LEAST_FOUND = 0.75;

/** Pass rates of cases, drawn anew for each run. */
type Rates = (random: Random) => number;

const always =
  (rate: number): Rates =>
  () =>
    rate;
/** Most cases settled, some of them unsteady. */
const mixed: Rates = (random) => [0, 1, 1, random.next(), 0.8][random.below(5)] ?? 1;
const mostlyGood: Rates = (random) => random.next() ** 0.2;

interface Setting {
  readonly name: string;
  readonly cases: number;
  readonly trials: number;
  readonly rates: Rates;
  /** Default: 0.05. */
  readonly margin?: number;
}

/** Nothing changes between the two evals. */
const UNCHANGED: readonly Setting[] = [
  { name: "rate .5", cases: 30, trials: 1, rates: always(0.5) },
  { name: "rate .5", cases: 30, trials: 5, rates: always(0.5) },
  { name: "rate .5", cases: 100, trials: 5, rates: always(0.5) },
  { name: "rate .7", cases: 60, trials: 3, rates: always(0.7) },
  { name: "rate .8", cases: 30, trials: 5, rates: always(0.8) },
  { name: "rate .8", cases: 100, trials: 1, rates: always(0.8) },
  { name: "rate .8", cases: 100, trials: 5, rates: always(0.8) },
  { name: "rate .8", cases: 100, trials: 20, rates: always(0.8) },
  { name: "rate .9", cases: 10, trials: 5, rates: always(0.9) },
  { name: "rate .9", cases: 30, trials: 5, rates: always(0.9) },
  { name: "rate .9", cases: 30, trials: 20, rates: always(0.9) },
  { name: "rate .9", cases: 200, trials: 3, rates: always(0.9) },
  { name: "rate .99", cases: 100, trials: 3, rates: always(0.99) },
  { name: "all kinds", cases: 30, trials: 5, rates: mixed },
  { name: "all kinds", cases: 80, trials: 3, rates: mixed },
  { name: "all kinds", cases: 100, trials: 10, rates: mixed },
  { name: "mostly good", cases: 50, trials: 8, rates: mostlyGood },
  { name: "rate .8, no margin", cases: 30, trials: 5, rates: always(0.8), margin: 0 },
  { name: "all kinds, no margin", cases: 60, trials: 5, rates: mixed, margin: 0 },
  { name: "mostly good, no margin", cases: 30, trials: 1, rates: mostlyGood, margin: 0 },
];

/**
 * How often a comparison is right, through the public interface: what looks worse is tried again on the new version,
 * as `skillwright eval` does against a saved baseline.
 */
export async function run(): Promise<void> {
  console.log(
    `${RUNS} runs a setting; what is neither a regression nor the same is inconclusive\n`,
  );
  const alarms = UNCHANGED.map((setting) => {
    const { name, cases, trials, rates } = setting;
    const counts = simulate(setting, rates, (rate) => rate);
    const doubt = `   inconclusive ${percent(counts.inconclusive)}`;
    const share = counts.regression / RUNS;
    return check(`false alarms: ${name}, ${cases} x ${trials}`, share, MOST_ALARMS, doubt);
  });
  const fell = simulate(
    { name: "", cases: 30, trials: 5, rates: always(0.9) },
    always(0.9),
    () => 0.7,
  );
  const few = simulate(
    { name: "", cases: 100, trials: 5, rates: always(1) },
    always(1),
    (rate, i) => (i < 5 ? 0 : rate),
  );
  const found = [
    checkFound("from .9 to .7 in 30 x 5 is found", fell.regression, LEAST_FOUND),
    checkFound("5 of 100 cases from 5/5 to 0/5 are found", few.regression, 1),
  ];
  if (![...alarms, ...found].every(Boolean)) process.exitCode = 1;
}

function checkFound(name: string, count: number, least: number): boolean {
  return check(`missed: ${name}`, 1 - count / RUNS, 1 - least);
}

type Counts = Record<ComparisonStatus, number>;

function simulate(
  { cases, trials, margin }: Setting,
  rates: Rates,
  change: (rate: number, place: number) => number,
): Counts {
  const random = createRandom(cases * 1000 + trials);
  const counts = { same: 0, better: 0, regression: 0, inconclusive: 0, errors: 0, "no-data": 0 };
  const options = margin === undefined ? {} : { margin };
  for (let done = 0; done < RUNS; done++) {
    const before = Array.from({ length: cases }, () => rates(random));
    const now = before.map(change);
    const baseline = draw(before, trials, random);
    const first = draw(now, trials, random);
    const compared = compareResults(baseline, first, options);
    if (!compared.ok) throw new Error(compared.message);
    const retries = planRetries(compared.cases, { isBaselineSaved: true }).flatMap((retry) => {
      const rate = now[Number(retry.caseId)] ?? 0;
      return drawCase(retry.caseId, rate, retry.trials, random).map((one) => ({
        ...one,
        isRetry: true as const,
      }));
    });
    const settled = compareResults(
      baseline,
      { ...first, trials: [...first.trials, ...retries] },
      options,
    );
    if (!settled.ok) throw new Error(settled.message);
    counts[settled.status]++;
  }
  return counts;
}

function draw(rates: readonly number[], trials: number, random: Random): EvalResults {
  const all = rates.flatMap((rate, i) => drawCase(`${i}`, rate, trials, random));
  return exampleResults(all, { model: "simulated:coin", isDeterministic: false, trials });
}

function drawCase(caseId: string, rate: number, trials: number, random: Random): TrialResult[] {
  return Array.from({ length: trials }, (_, i) =>
    bareTrial(caseId, { trial: i + 1, outcome: random.next() < rate ? "pass" : "fail" }),
  );
}

function percent(count: number): string {
  return `${Math.round((100 * count) / RUNS)} %`;
}
