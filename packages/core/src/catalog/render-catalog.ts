import { estimateTokens } from "../format/body/estimate-tokens.ts";
import { foldName, isVisibleToModel, type SkillRecord } from "../registry/skill-record.ts";
import { CATALOG_WRITERS, type CatalogFormat, type CatalogWriter } from "./catalog-format.ts";
import { chooseLevels, type Level } from "./choose-levels.ts";
import { fullText, shortText } from "./catalog-text.ts";

export interface CatalogOptions {
  /** Default: "xml". */
  readonly format?: CatalogFormat;
  /** Without a budget every visible skill is there in full. */
  readonly budgetTokens?: number;
  /** Ids of the skills that matter most, such as the last used ones or what a query found. */
  readonly rank?: readonly string[];
  /** Which of the visible skills. */
  readonly include?: (record: SkillRecord) => boolean;
  /** Name of the tool that finds what is not listed. */
  readonly searchTool?: string;
  /** Also say where each skill is. Default: no. */
  readonly locations?: boolean;
  /** Text in which `{skills}` stands for the list. Default: the list alone. */
  readonly template?: string;
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

/** Longer ones could not be repeated by a model anyway. */
const MAX_NAME_LENGTH = 256;

/** Tokens of a whole text are not quite the sum of its parts': then a little less is tried. */
const ATTEMPTS = 4;

/**
 * Level 1: what a model sees of all skills. In the order of the records, whatever the rank, so that
 * the same skills always give the same bytes and a prompt cache holds.
 */
export function renderCatalog(
  records: readonly SkillRecord[],
  options: CatalogOptions = {},
): Catalog {
  const { budgetTokens } = options;
  const visible = visibleSkills(records, options);
  let catalog = renderWithin(visible, budgetTokens, options);
  if (budgetTokens === undefined) return catalog;
  let smaller = budgetTokens;
  for (let attempt = 1; catalog.tokens > budgetTokens && attempt < ATTEMPTS; attempt++) {
    smaller -= catalog.tokens - budgetTokens;
    catalog = renderWithin(visible, smaller, options);
  }
  return catalog;
}

function renderWithin(
  visible: readonly SkillRecord[],
  budgetTokens: number | undefined,
  { format = "xml", rank = [], locations = false, searchTool, template }: CatalogOptions,
): Catalog {
  const writer = CATALOG_WRITERS[format];
  const render = (record: SkillRecord, level: Level) =>
    level === "omitted" ? "" : writer.entry(entryOf(record, level, locations));
  const frame = estimateTokens((template ?? "") + writer.open + writer.close);
  const levels = chooseLevels(visible, {
    rank,
    budget: budgetTokens === undefined ? undefined : budgetTokens - frame,
    costOf: (record, level) => estimateTokens(render(record, level)),
    costOfMore: () => estimateTokens(writer.more(visible.length, searchTool)),
  });
  // A short description is whole as it is.
  const isWhole = ({ description }: SkillRecord) =>
    shortText(description) === fullText(description);
  const levelOf = (record: SkillRecord, i: number): Level => {
    const level = levels[i] ?? "omitted";
    return level === "short" && isWhole(record) ? "full" : level;
  };
  const namesAt = (level: Level) =>
    visible.filter((record, i) => levelOf(record, i) === level).map(({ name }) => name);
  const omitted = namesAt("omitted");
  const entries = visible.map((record, i) => render(record, levels[i] ?? "omitted")).join("");
  const more = omitted.length === 0 ? "" : writer.more(omitted.length, searchTool);
  const text = inTemplate(wrap(entries + more, writer), template, visible.length > 0);
  return {
    text,
    tokens: estimateTokens(text),
    shown: namesAt("full"),
    shortened: namesAt("short"),
    nameOnly: namesAt("name"),
    omitted,
  };
}

/** What a model may know of; of several with one name the first, which is the one it would get. */
function visibleSkills(
  records: readonly SkillRecord[],
  { include = () => true }: CatalogOptions,
): SkillRecord[] {
  const names = new Set<string>();
  return records.filter((record) => {
    if (record.name.length > MAX_NAME_LENGTH || !isVisibleToModel(record)) return false;
    const name = foldName(record.name);
    if (names.has(name)) return false;
    names.add(name);
    return include(record);
  });
}

function entryOf(record: SkillRecord, level: Level, locations: boolean) {
  const { name, source, description, path } = record;
  const text =
    level === "full"
      ? fullText(description)
      : level === "short"
        ? shortText(description)
        : undefined;
  return {
    name,
    source,
    ...(text === undefined ? undefined : { text }),
    ...(locations ? { location: path } : undefined),
  };
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
  return template.split("{skills}").join(list);
}
