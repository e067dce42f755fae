import { parseSkill } from "../../packages/core/src/format/parse-skill.ts";
import {
  createSkillIndex,
  type SkillIndex,
} from "../../packages/core/src/search/create-skill-index.ts";
import type { SkillDocument } from "../../packages/core/src/search/document-features.ts";
import {
  decodeSkillIndex,
  encodeSkillIndex,
} from "../../packages/core/src/search/encode-skill-index.ts";
import { generateCorpus } from "../corpus.ts";

const COUNT = 15_000;
const SEED = 4;
const QUERIES = 1000;
const DECODE_ROUNDS = 11;

const MAX_BUILD_SECONDS = 9;
const MAX_QUERY_MILLISECONDS = 4;
const MIN_DECODE_RATIO = 50;

/** Builds, queries, saves and loads an index of many skills with bodies; true within the bars. */
export async function measureSearch(): Promise<boolean> {
  const documents = documentsOf(COUNT);
  const characters = documents.reduce((sum, { body = "" }) => sum + body.length, 0);
  console.log(`${COUNT} generated documents, ${(characters / 1e6).toFixed(0)} MB of bodies`);
  const { milliseconds: build, result: index } = timed(() => createSkillIndex(documents));
  const times = queryTimes(index, queriesOf(documents));
  const { milliseconds: encode, result: bytes } = timed(() => encodeSkillIndex(index));
  const decode = median(
    Array.from({ length: DECODE_ROUNDS }, () => timed(() => decodeSkillIndex(bytes)).milliseconds),
  );
  print("encode, ms", encode);
  print("saved, MB", bytes.length / 1e6);
  print("decode, ms", decode);
  print("query, median, ms", median(times));
  const checks = [
    print("query, p95, ms", quantile(times, 0.95), "≤", MAX_QUERY_MILLISECONDS),
    print("build, s", build / 1000, "≤", MAX_BUILD_SECONDS),
    print("decode beside build, times faster", build / decode, "≥", MIN_DECODE_RATIO),
  ];
  return checks.every(Boolean);
}

function documentsOf(count: number): SkillDocument[] {
  return generateCorpus({ count, seed: SEED }).map(({ text, directoryName }, i) => {
    const { skill } = parseSkill(text, { directoryName });
    // A few of the public files cannot be used; here they count by their text.
    const { name = directoryName, description = "", body = text } = skill ?? {};
    return { id: String(i), name, description, body };
  });
}

/** Sentences as people ask: parts of descriptions, some with a mistyped word or after small talk. */
function queriesOf(documents: readonly SkillDocument[]): string[] {
  const step = Math.floor(documents.length / QUERIES);
  return Array.from({ length: QUERIES }, (_, i) => {
    const words = documents[i * step]?.description.split(/\s+/) ?? [];
    const asked = words.slice(i % 5, (i % 5) + 4 + (i % 13));
    const mistyped = asked.map((word, at) => (at === i % 7 ? word.slice(0, -1) : word));
    return `${i % 3 === 0 ? "can you please help me to " : ""}${mistyped.join(" ")}`;
  });
}

function queryTimes(index: SkillIndex, queries: readonly string[]): number[] {
  for (const query of queries.slice(0, QUERIES / 10)) index.search(query);
  return queries.map((query) => timed(() => index.search(query)).milliseconds);
}

function print(name: string, value: number, sign?: "≤" | "≥", bar = 0): boolean {
  const ok = sign === undefined || (sign === "≤" ? value <= bar : value >= bar);
  const verdict = sign === undefined ? "" : `   bar ${sign} ${bar} ${ok ? "ok" : "MISS"}`;
  console.log(`${name.padEnd(40)}${value.toFixed(2).padStart(9)}${verdict}`);
  return ok;
}

function timed<Result>(work: () => Result): { milliseconds: number; result: Result } {
  const start = performance.now();
  const result = work();
  return { milliseconds: performance.now() - start, result };
}

function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((first, second) => first - second);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
