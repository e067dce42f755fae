import { estimateTokens } from "../format/body/estimate-tokens.ts";
import { plainLine } from "../internal/text.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import { CATALOG_WRITERS } from "./catalog-format.ts";
import type { CatalogOptions } from "./catalog-options.ts";
import type { Level } from "./choose-levels.ts";

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
