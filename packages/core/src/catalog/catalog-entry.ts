import { estimateTokens } from "../format/body/estimate-tokens.ts";
import { escapeXml, plainLine } from "../internal/text.ts";
import type { SkillRecord } from "../registry/skill-record.ts";

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

/** How much a catalog says of a skill. */
export type Level = "full" | "short" | "name" | "omitted";

export type CatalogFormat = "xml" | "markdown" | "json";

/** What one skill says of itself in a catalog; without a text only its name. */
interface CatalogEntry {
  readonly name: string;
  readonly source: string;
  readonly text?: string;
  /** Only when it was asked for. */
  readonly location?: string;
}

/** How a catalog is written. Text of skills can neither end its place nor start another. */
export interface CatalogWriter {
  readonly open: string;
  readonly close: string;
  entry(entry: CatalogEntry): string;
  /** Tells of the skills that are not listed. */
  more(count: number, searchTool: string | undefined): string;
  readonly empty: string;
}

export const CATALOG_WRITERS: Readonly<Record<CatalogFormat, CatalogWriter>> = {
  xml: {
    open: "<available_skills>\n",
    close: "</available_skills>",
    entry({ name, source, text, location }) {
      const place = location === undefined ? "" : ` location="${escapeXml(location)}"`;
      // Where only names fit, a source for each would take the place of as many names again.
      if (text === undefined) return `<skill name="${escapeXml(name)}"${place}/>\n`;
      const head = `<skill name="${escapeXml(name)}" source="${escapeXml(source)}"${place}`;
      return `${head}>${escapeXml(text)}</skill>\n`;
    },
    more: (count, searchTool) => `<more>${moreText(count, searchTool)}</more>\n`,
    empty: "",
  },
  markdown: {
    open: "",
    close: "",
    entry({ name, text, location }) {
      const place = location === undefined ? "" : ` (${escapeMarkdown(location)})`;
      const head = `- **${escapeMarkdown(name)}**${place}`;
      return text === undefined ? `${head}\n` : `${head}: ${escapeMarkdown(text)}\n`;
    },
    more: (count, searchTool) => `\n*${moreText(count, searchTool)}*\n`,
    empty: "*No skills available.*",
  },
  json: {
    open: "[\n",
    close: "]",
    entry({ name, source, text, location }) {
      return `${escapeJson({ name, description: text, source, location })},\n`;
    },
    more: (count, searchTool) => `${escapeJson({ more: moreText(count, searchTool) })},\n`,
    empty: "",
  },
};

function moreText(count: number, searchTool: string | undefined): string {
  const skills = count === 1 ? "1 more skill is" : `${count} more skills are`;
  const hint = searchTool === undefined ? "." : `; find them with ${searchTool}.`;
  return `${skills} not listed here${hint}`;
}

/** An item is one line, and no markup of HTML; what Markdown has besides ends with the line. */
function escapeMarkdown(text: string): string {
  return text.replace(/[<>]/g, escapeXml);
}

/** Markup in a text must not end what a host puts around the JSON. */
function escapeJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** No description may take more of a prompt than the specification lets it have. */
const MAX_DESCRIPTION_LENGTH = 1024;
/** How long the short form may be; a first sentence that is longer is cut. */
const MAX_SHORT_LENGTH = 100;
const ELLIPSIS = "…";

/** A description as it stands in a list: on one line, and bounded. */
export function fullText(description: string): string {
  return cutAtWord(plainLine(description), MAX_DESCRIPTION_LENGTH);
}

/** Whether `fullText` says all of it. */
function isCut(description: string): boolean {
  return (
    description.length > MAX_DESCRIPTION_LENGTH &&
    plainLine(description).length > MAX_DESCRIPTION_LENGTH
  );
}

/** Its first sentence, and further ones while they fit. */
export function shortText(description: string): string {
  const text = plainLine(description);
  if (text.length <= MAX_SHORT_LENGTH) return text;
  let end = 0;
  for (const { index } of text.slice(0, MAX_SHORT_LENGTH + 1).matchAll(SENTENCE_END)) {
    if (index < MAX_SHORT_LENGTH) end = index + 1;
  }
  return end === 0 ? cutAtWord(text, MAX_SHORT_LENGTH) : text.slice(0, end).trimEnd();
}

/** A mark that ends a sentence: before a blank or the end, or a Chinese one; not that of "e.g.". */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no|incl))[.!?](?=\s|$)|[。！？]/gi;

function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const blank = cut.lastIndexOf(" ");
  const end = blank > length / 2 ? cut.slice(0, blank) : withoutHalfPair(cut);
  return end.trimEnd() + ELLIPSIS;
}

function withoutHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** One skill in a catalog. Records may be made by hand, so that nothing is taken for clean. */
function renderEntry(
  record: SkillRecord,
  level: Level,
  { format = "xml", locations = false }: CatalogOptions,
): string {
  if (level === "omitted") return "";
  const { name, source, description, path, uri } = record;
  const text =
    level === "full"
      ? fullText(description)
      : level === "short"
        ? shortText(description)
        : undefined;
  return CATALOG_WRITERS[format].entry({
    name: plainLine(name),
    source: plainLine(source),
    ...(text === undefined ? undefined : { text }),
    ...(locations ? { location: plainLine(uri ?? path) } : undefined),
  });
}

/** A short description is whole as it is, and one that is too long is not. */
export function honestLevel({ description }: SkillRecord, level: Level): Level {
  if (level === "full") return isCut(description) ? "short" : level;
  const isWhole = level === "short" && shortText(description) === fullText(description);
  return isWhole && !isCut(description) ? "full" : level;
}

/** One skill in a catalog as text, and what that costs. */
interface KnownEntry {
  readonly text: string;
  readonly tokens: number;
}

interface Remembered extends KnownEntry {
  /** What it was made of: records may be made by hand, and changed. */
  readonly of: readonly string[];
}

const KNOWN = new WeakMap<SkillRecord, Map<string, Remembered>>();

/** The same record gives the same entry in every catalog, such as those of many runs: it is made once. */
export function knownEntry(record: SkillRecord, level: Level, options: CatalogOptions): KnownEntry {
  const { format = "xml", locations = false } = options;
  const { name, source, description, path } = record;
  const key = `${level} ${format} ${locations ? "located" : ""}`;
  const entries = KNOWN.get(record) ?? new Map<string, Remembered>();
  const known = entries.get(key);
  const of = [name, source, description, path];
  if (known !== undefined && known.of.every((part, i) => part === of[i])) return known;
  const text = renderEntry(record, level, options);
  const entry = { text, tokens: estimateTokens(text), of };
  entries.set(key, entry);
  KNOWN.set(record, entries);
  return entry;
}
