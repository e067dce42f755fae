import { estimateTokens } from "../format/body/estimate-tokens.ts";
import { knownTokens } from "../format/body/known-tokens.ts";
import { plainLine } from "../internal/text.ts";
import { foldName, isVisibleToModel, type SkillRecord } from "../registry/skill-record.ts";
import { CATALOG_WRITERS, type CatalogWriter } from "./catalog-format.ts";
import { chooseLevels, type Level } from "./choose-levels.ts";
import { honestLevel, knownEntry } from "./catalog-entry.ts";
import type { CatalogOptions } from "./catalog-options.ts";

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
  const { budgetTokens = Number.POSITIVE_INFINITY, format = "xml" } = options;
  if (Number.isNaN(budgetTokens)) throw new TypeError("budgetTokens is not a number");
  if (!Object.hasOwn(CATALOG_WRITERS, format)) {
    const formats = Object.keys(CATALOG_WRITERS).join(", ");
    throw new TypeError(`there is no format ${JSON.stringify(format)}; there are ${formats}`);
  }
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
