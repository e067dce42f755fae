import { estimateTokens, knownTokens } from "../format/body/estimate-tokens.ts";
import { checkOptions, oneOf, type OptionKinds } from "../internal/options.ts";
import { plainLine } from "../internal/text.ts";
import { foldName, isVisibleToModel, type SkillRecord } from "../registry/skill-record.ts";
import {
  CATALOG_WRITERS,
  type CatalogOptions,
  type CatalogWriter,
  honestLevel,
  knownEntry,
  type Level,
} from "./catalog-entry.ts";

interface LevelOptions {
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
function chooseLevels(records: readonly SkillRecord[], options: LevelOptions): Level[] {
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

/** Every visible skill is in one of the four lists, by name. */
export interface Catalog {
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
  /** With the whole description. */
  readonly shown: readonly string[];
  /** With its first sentences. */
  readonly shortened: readonly string[];
  readonly nameOnly: readonly string[];
  readonly omitted: readonly string[];
}

const OPTIONS: OptionKinds<CatalogOptions> = {
  format: oneOf(...Object.keys(CATALOG_WRITERS)),
  budgetTokens: "number",
  rank: "strings",
  include: "function",
  searchTool: "string",
  locations: "boolean",
  template: "string",
};

/** Longer ones could not be repeated by a model anyway. */
const MAX_NAME_LENGTH = 256;

/** Tokens of a whole text are not quite the sum of its parts': then a little less is tried. */
const ATTEMPTS = 8;
const PLACE = "{skills}";

/**
 * Level 1: what a model sees of all skills. In the order of the records, whatever the rank, so that
 * the same skills always give the same bytes and a prompt cache holds.
 */
export function renderCatalog(
  records: readonly SkillRecord[],
  options: CatalogOptions = {},
): Catalog {
  checkOptions("catalog", options, OPTIONS);
  const { budgetTokens = Number.POSITIVE_INFINITY } = options;
  const visible = visibleSkills(records, options);
  let catalog = renderWithin(visible, budgetTokens, options);
  let smaller = budgetTokens;
  for (let attempt = 1; catalog.tokens > budgetTokens && attempt < ATTEMPTS; attempt++) {
    smaller -= (catalog.tokens - budgetTokens) * attempt;
    catalog = renderWithin(visible, smaller, options);
  }
  if (catalog.tokens <= budgetTokens) return catalog;
  catalog = renderLevels(visible, () => "omitted", options);
  return catalog.tokens <= budgetTokens ? catalog : withoutHint(catalog, options);
}

function renderWithin(
  visible: readonly SkillRecord[],
  budgetTokens: number,
  options: CatalogOptions,
): Catalog {
  const { format = "xml", rank = [], searchTool, template } = options;
  const writer = CATALOG_WRITERS[format];
  const [first = "", ...others] = template?.split(PLACE) ?? ["", ""];
  const around = estimateTokens(first + others.join(""));
  const frame = estimateTokens(writer.open + writer.close);
  const isBounded = budgetTokens !== Number.POSITIVE_INFINITY;
  const levels = chooseLevels(visible, {
    rank,
    // The list may stand in several places.
    budget: isBounded ? (budgetTokens - around) / Math.max(1, others.length) - frame : undefined,
    costOf: (record, level) => knownEntry(record, level, options).tokens,
    costOfMore: () => estimateTokens(writer.more(visible.length, searchTool)),
  });
  return renderLevels(visible, (i) => levels[i] ?? "omitted", options);
}

function renderLevels(
  visible: readonly SkillRecord[],
  chosen: (i: number) => Level,
  options: CatalogOptions,
): Catalog {
  const { format = "xml", searchTool, template } = options;
  const writer = CATALOG_WRITERS[format];
  const levelOf = (record: SkillRecord, i: number): Level => honestLevel(record, chosen(i));
  const namesAt = (level: Level) =>
    visible.filter((record, i) => levelOf(record, i) === level).map(({ name }) => name);
  const omitted = namesAt("omitted");
  const entries = visible.map((record, i) => knownEntry(record, chosen(i), options).text).join("");
  const more = omitted.length === 0 ? "" : writer.more(omitted.length, searchTool);
  const text = inTemplate(wrap(entries + more, writer), template, visible.length > 0);
  return {
    text,
    tokens: knownTokens(text),
    shown: namesAt("full"),
    shortened: namesAt("short"),
    nameOnly: namesAt("name"),
    omitted,
  };
}

/** When not even the line that tells of the others fits, only the template is left. */
function withoutHint(catalog: Catalog, { template }: CatalogOptions): Catalog {
  const text = inTemplate("", template, true);
  return { ...catalog, text, tokens: estimateTokens(text) };
}

/** What a model may know of; of several with one name the first, which is the one it would get. */
function visibleSkills(
  records: readonly SkillRecord[],
  { include = () => true }: CatalogOptions,
): SkillRecord[] {
  const names = new Set<string>();
  return records.filter((record) => {
    if (record.name.length > MAX_NAME_LENGTH || !isVisibleToModel(record)) return false;
    const name = foldName(plainLine(record.name));
    if (name === "" || names.has(name)) return false;
    names.add(name);
    return include(record);
  });
}

function wrap(entries: string, { open, close, empty }: CatalogWriter): string {
  if (entries === "") return empty;
  // The last element of a list in JSON has no comma behind it.
  const body = close === "]" ? entries.replace(/,\n$/, "\n") : entries;
  return `${open}${body}${close}`.trimEnd();
}

/** Taken literally: neither the list nor the template is a pattern for the other. */
function inTemplate(list: string, template: string | undefined, hasSkills: boolean): string {
  if (template === undefined || (list === "" && !hasSkills)) return list;
  return template.split(PLACE).join(list);
}

/** How much a catalog would say of one skill; undefined when the skill is kept from models. */
export function catalogLevel(
  name: string,
  records: readonly SkillRecord[],
  options: CatalogOptions = {},
): Level | undefined {
  const { shown, shortened, nameOnly, omitted } = renderCatalog(records, options);
  const wanted = foldName(name);
  const has = (names: readonly string[]) => names.some((other) => foldName(other) === wanted);
  if (has(shown)) return "full";
  if (has(shortened)) return "short";
  if (has(nameOnly)) return "name";
  return has(omitted) ? "omitted" : undefined;
}
