import type { SkillRecord } from "../registry/skill-record.ts";

/** How much a catalog says of a skill. */
export type Level = "full" | "short" | "name" | "omitted";

export interface LevelOptions {
  /** Ids of those that matter most, best first; the others follow in their order. */
  readonly rank: readonly string[];
  /** Tokens; undefined for as many as it takes. */
  readonly budget: number | undefined;
  readonly costOf: (record: SkillRecord, level: Level) => number;
  /** What it costs to say that there are more. */
  readonly costOfMore: () => number;
}

/** No text has fewer tokens than one for so many characters. */
const MAX_CHARACTERS_PER_TOKEN = 12;

/**
 * A level for each skill, as good as the budget allows. A model can only choose what it has heard of,
 * so all get a little before any gets more: first names for all, then short texts for all, then whole
 * descriptions, each in order of rank. When not even the names fit, those that were ranked by hand
 * get short texts from half of the budget.
 */
export function chooseLevels(records: readonly SkillRecord[], options: LevelOptions): Level[] {
  const { rank, budget, costOf, costOfMore } = options;
  const at = (level: Level): Level[] => records.map(() => level);
  if (budget === undefined) return at("full");
  const order = inOrder(records, rank);
  for (const [better, worse] of [
    ["full", "short"],
    ["short", "name"],
  ] as const) {
    const costs = costsWithin(records, better, budget, costOf);
    if (costs !== undefined) return at(better);
    const floor = costsWithin(records, worse, budget, costOf);
    if (floor === undefined) continue;
    const left = budget - sum(floor);
    return upgrade(at(worse), { better, order, left, floor, records, costOf });
  }
  return someNames(records, order, { ...options, budget: budget - costOfMore() });
}

/** Undefined as soon as they are too much, or surely will be. */
function costsWithin(
  records: readonly SkillRecord[],
  level: Level,
  budget: number,
  costOf: LevelOptions["costOf"],
): number[] | undefined {
  const length = (record: SkillRecord) =>
    record.name.length + (level === "full" ? Math.min(record.description.length, 1024) : 0);
  let characters = 0;
  for (const record of records) characters += length(record);
  if (characters > budget * MAX_CHARACTERS_PER_TOKEN) return undefined;
  const costs: number[] = [];
  let total = 0;
  for (const record of records) {
    const cost = costOf(record, level);
    costs.push(cost);
    total += cost;
    if (total > budget) return undefined;
  }
  return costs;
}

interface UpgradeOptions {
  readonly better: Level;
  readonly order: readonly number[];
  readonly left: number;
  readonly floor: readonly number[];
  readonly records: readonly SkillRecord[];
  readonly costOf: LevelOptions["costOf"];
}

function upgrade(levels: Level[], options: UpgradeOptions): Level[] {
  const { better, order, floor, records, costOf } = options;
  let { left } = options;
  for (const i of order) {
    const record = records[i];
    if (record === undefined) continue;
    const extra = costOf(record, better) - (floor[i] ?? 0);
    if (extra > left) continue;
    levels[i] = better;
    left -= extra;
  }
  return levels;
}

function someNames(
  records: readonly SkillRecord[],
  order: readonly number[],
  { rank, budget = 0, costOf }: LevelOptions,
): Level[] {
  const levels: Level[] = records.map(() => "omitted");
  const ranked = new Set(rank);
  let left = budget;
  let leftForTexts = budget / 2;
  for (const i of order) {
    const record = records[i];
    if (record === undefined) continue;
    const text = ranked.has(record.id) ? costOf(record, "short") : Number.POSITIVE_INFINITY;
    const level = text <= leftForTexts ? "short" : "name";
    const cost = level === "short" ? text : costOf(record, "name");
    // The others are longer or come later: the first that does not fit ends the list.
    if (cost > left) break;
    levels[i] = level;
    left -= cost;
    if (level === "short") leftForTexts -= text;
  }
  return levels;
}

/** Numbers of the records: ranked ones first, then as they come. */
function inOrder(records: readonly SkillRecord[], rank: readonly string[]): number[] {
  const all = records.map((_, i) => i);
  if (rank.length === 0) return all;
  const places = new Map(rank.map((id, place) => [id, place]));
  const placeOf = (i: number) => places.get(records[i]?.id ?? "") ?? rank.length;
  return all.sort((a, b) => placeOf(a) - placeOf(b) || a - b);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
