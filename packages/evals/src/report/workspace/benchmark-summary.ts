const MEASURES = ["pass_rate", "time_seconds", "tokens"] as const;

type Measure = (typeof MEASURES)[number];

export interface BenchmarkRun {
  readonly eval_id: number;
  readonly configuration: string;
  readonly result: Readonly<Record<Measure | "total", number>>;
}

/** Runs of evals that every arm with any run has: means over different evals say nothing about the arms. */
export function comparedRuns<Run extends BenchmarkRun>(
  runs: readonly Run[],
  arms: readonly string[],
): Run[] {
  const evals = arms.map((arm) => new Set(ofArm(runs, arm).map(({ eval_id }) => eval_id)));
  const used = evals.filter(({ size }) => size > 0);
  return runs.filter(({ eval_id }) => used.every((own) => own.has(eval_id)));
}

export function summaryOfRuns(runs: readonly BenchmarkRun[], arms: readonly string[]) {
  const judged = comparedRuns(
    runs.filter(({ result }) => result.total > 0),
    arms,
  );
  const statistics = arms.map((arm) => {
    const spreads = MEASURES.map((measure) => {
      const own = ofArm(measure === "pass_rate" ? judged : runs, arm);
      return [measure, spread(own.map(({ result }) => result[measure]))] as const;
    });
    return [arm, Object.fromEntries(spreads) as Record<Measure, Spread>] as const;
  });
  return { ...Object.fromEntries(statistics), ...deltaOf(statistics) };
}

function ofArm<Run extends BenchmarkRun>(runs: readonly Run[], arm: string): Run[] {
  return runs.filter(({ configuration }) => configuration === arm);
}

type Spread = ReturnType<typeof spread>;

function spread(values: readonly number[]) {
  if (values.length === 0) return { mean: 0, stddev: 0, min: 0, max: 0, n: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const stddev = values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
  // `Math.min(...values)` ends at some hundred thousand.
  const min = values.reduce((least, value) => Math.min(least, value), Infinity);
  const max = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return { mean, stddev, min, max, n: values.length };
}

/** The arm that is tested less the other one: what the skill adds, whatever the names. Of what was not measured in both, nothing. */
function deltaOf(statistics: readonly (readonly [string, Readonly<Record<Measure, Spread>>])[]) {
  const [tested, other] = statistics;
  if (tested === undefined || other === undefined) return undefined;
  const delta = MEASURES.flatMap((measure) => {
    const [own, second] = [tested[1][measure], other[1][measure]];
    if (own.n === 0 || second.n === 0) return [];
    return [[measure, signed(own.mean - second.mean, measure === "tokens" ? 0 : 2)] as const];
  });
  return { delta: Object.fromEntries(delta) as Partial<Record<Measure, string>> };
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(digits)}`;
}
