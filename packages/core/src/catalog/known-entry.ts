import { estimateTokens } from "../format/body/estimate-tokens.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import { renderEntry } from "./catalog-entry.ts";
import type { CatalogOptions } from "./catalog-options.ts";
import type { Level } from "./choose-levels.ts";

/** One skill in a catalog as text, and what that costs. */
export interface KnownEntry {
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
