import { measureRouting, type Quality } from "./search/measure-routing.ts";
import { readRoutingData, routingDataFile } from "./search/routing-data.ts";

interface Bar {
  readonly first: number;
  readonly firstFive: number;
}

interface Baseline extends Bar {
  readonly reciprocalRank?: number;
}

/** Plain BM25 on the development data; other data have other baselines, and then no bar is checked. */
const BASELINES: Readonly<Record<string, { all: Baseline; chinese: Baseline }>> = {
  lean: {
    all: { first: 0.484, firstFive: 0.667, reciprocalRank: 0.572 },
    chinese: { first: 0.314, firstFive: 0.533 },
  },
  bodies: {
    all: { first: 0.504, firstFive: 0.699, reciprocalRank: 0.596 },
    chinese: { first: 0.394, firstFive: 0.577 },
  },
};
const BETTER = 0.06;
const BETTER_CHINESE = 0.1;
const DEVELOPMENT_QUERIES = 1034;

/** How well search finds the right skill, beside plain BM25. */
export async function run(): Promise<void> {
  const data = readRoutingData();
  if (data === undefined) {
    console.log(`skipped: there is no ${routingDataFile()}; SKILL_ROUTING_DATA names another file`);
    return;
  }
  let ok = true;
  for (const [kind, { all, chinese }] of Object.entries(BASELINES)) {
    const quality = measureRouting(data, kind === "bodies");
    const checked = quality.all.count === DEVELOPMENT_QUERIES;
    console.log(kind === "bodies" ? "\nname, description and body" : "name and description");
    console.log(`${"".padEnd(34)}   hit@1   hit@5     MRR`);
    ok = compare("all queries", quality.all, all, BETTER, checked) && ok;
    ok = compare("Chinese queries", quality.chinese, chinese, BETTER_CHINESE, checked) && ok;
    print(`average of ${quality.byRepository.count} repositories`, quality.byRepository);
    const { first, count } = quality.negatives;
    console.log(`wrong skill first, ${count} negatives`.padEnd(34) + number(first));
  }
  if (!ok) process.exitCode = 1;
}

function compare(
  name: string,
  quality: Quality,
  baseline: Baseline,
  better: number,
  checked: boolean,
): boolean {
  print(`${name} (${quality.count})`, quality);
  if (!checked) return true;
  const bar = { first: baseline.first + better, firstFive: baseline.firstFive + better };
  const ok = quality.first >= bar.first && quality.firstFive >= bar.firstFive;
  print("  plain BM25", baseline);
  print(`  bar: ${better * 100} points more`, bar, ok ? "ok" : "MISS");
  return ok;
}

function print(name: string, quality: Baseline, verdict = ""): void {
  const { first, firstFive, reciprocalRank } = quality;
  const last = reciprocalRank === undefined ? "" : number(reciprocalRank);
  console.log(name.padEnd(34) + number(first) + number(firstFive) + last.padEnd(8) + verdict);
}

function number(value: number): string {
  return value.toFixed(3).padStart(8);
}
