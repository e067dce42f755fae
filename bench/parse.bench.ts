import { load } from "js-yaml";
import { parseSkill } from "../packages/core/src/format/parse-skill.ts";
import { headOf } from "../packages/core/src/format/draft.ts";
import { parseHead } from "../packages/core/src/sources/read-skill-head.ts";
import { type GeneratedSkill, generateCorpus } from "./corpus.ts";
import { corpusStatistics } from "./parse/corpus-statistics.ts";
import { measureHostile } from "./parse/measure-hostile.ts";
import { type Contender, measureRounds, ratioOf, type Times } from "./parse/measure-rounds.ts";

const COUNT = 10_000;
const SEED = 1;
const ROUNDS = 11;

const MAX_PARSE_RATIO = 1.4;
const MAX_HEAD_RATIO = 0.3;
const MAX_HOSTILE_MILLISECONDS = 50;
const SLOWEST = 5;

const CONTENDERS: readonly Contender<GeneratedSkill>[] = [
  { name: "js-yaml alone", run: ({ frontmatter }) => tryLoad(frontmatter) },
  {
    name: "parseSkill",
    run: ({ text, directoryName }) => void parseSkill(text, { directoryName }),
  },
  {
    name: "parseHead, as in a scan",
    run: ({ text, directoryName }) =>
      void parseHead({ text: headOf(text), isAscii: false }, { file: "SKILL.md", directoryName }),
  },
];

/** Compares the parser with js-yaml on a corpus like the public one, then tries hostile texts. */
export async function run(): Promise<void> {
  const skills = generateCorpus({ count: COUNT, seed: SEED });
  console.log(`${COUNT} generated skills, seed ${SEED}`);
  console.log(corpusStatistics(skills).join("\n"));
  const speed = compareSpeed(skills);
  const hostile = checkHostile();
  if (!speed || !hostile) process.exitCode = 1;
}

function compareSpeed(skills: readonly GeneratedSkill[]): boolean {
  const times = measureRounds({ contenders: CONTENDERS, items: skills, rounds: ROUNDS });
  const [yaml, full, head] = times;
  if (yaml === undefined || full === undefined || head === undefined) return false;
  console.log(`\nmicroseconds per file, median of ${ROUNDS} rounds`);
  for (const { name, median } of times) {
    console.log(`${name.padEnd(28)}${((median * 1000) / COUNT).toFixed(2).padStart(8)}`);
  }
  console.log("\ntime beside js-yaml");
  const fullIsFast = checkRatio(full, yaml, MAX_PARSE_RATIO);
  const headIsFast = checkRatio(head, yaml, MAX_HEAD_RATIO);
  return fullIsFast && headIsFast;
}

function tryLoad(frontmatter: string): void {
  try {
    load(frontmatter, { maxDepth: 20, maxAliases: 0 });
  } catch {
    // The corpus has broken files, as the public one has; finding that out is part of the work.
  }
}

function checkRatio(times: Times, base: Times, bar: number): boolean {
  const { median, min, max } = ratioOf(times, base);
  const ok = median <= bar;
  const range = `rounds ${min.toFixed(3)} to ${max.toFixed(3)}`;
  const verdict = `bar ≤ ${bar.toFixed(2)} ${ok ? "ok" : "MISS"}`;
  console.log(`${times.name.padEnd(28)}${median.toFixed(3).padStart(8)}   ${range}   ${verdict}`);
  return ok;
}

function checkHostile(): boolean {
  const times = measureHostile();
  const ok = times.every(({ milliseconds }) => milliseconds <= MAX_HOSTILE_MILLISECONDS);
  console.log(`\n16 KiB of hostile text, slowest ${SLOWEST} of ${times.length}, milliseconds`);
  for (const { input, reader, milliseconds } of times.slice(0, SLOWEST)) {
    console.log(`${milliseconds.toFixed(1).padStart(8)}   ${reader.padEnd(18)} ${input}`);
  }
  console.log(`bar ≤ ${MAX_HOSTILE_MILLISECONDS} ms ${ok ? "ok" : "MISS"}`);
  return ok;
}
