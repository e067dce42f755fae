import { join } from "node:path";
import { readSkillFile } from "../directory/skill-files.ts";
import { readRegularFile, writeAtomic, zlib } from "../internal/files.ts";
import type { Logger } from "../logger.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import { createHybridIndex, type Embedder, type HybridIndex } from "./create-hybrid-index.ts";
import { createSkillIndex, type SkillIndex } from "./create-skill-index.ts";
import { decodeSkillIndex, encodeSkillIndex } from "./encode-skill-index.ts";
import type { SkillDocument } from "./document-features.ts";
import { estimateMargin, marginOf, type RouteMargin, sample } from "./route-margin.ts";
import type { SearchHit } from "./segment.ts";

interface SavedSearch {
  readonly index: SkillIndex;
  readonly stamps: Map<string, string>;
  /** Ids of skills that have examples. */
  readonly shown: Set<string>;
  readonly margin?: RouteMargin | undefined;
}

/** An index together with the state of the files it was made of: a length, JSON, the index. */
function encodeSavedSearch({ index, stamps, shown, margin }: SavedSearch): Uint8Array {
  const head = Buffer.from(JSON.stringify({ stamps: [...stamps], shown: [...shown], margin }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, encodeSkillIndex(index)]);
}

/** Undefined for what is damaged or of another version. */
function decodeSavedSearch(bytes: Uint8Array): SavedSearch | undefined {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = 4 + buffer.readUInt32LE(0);
    const head: unknown = JSON.parse(buffer.toString("utf8", 4, end));
    const { stamps, shown, margin } = Object(head) as Readonly<Record<string, unknown>>;
    const index = decodeSkillIndex(buffer.subarray(end));
    if (index === undefined || !Array.isArray(stamps) || !stamps.every(isPair)) return undefined;
    if (!Array.isArray(shown) || !shown.every((id) => typeof id === "string")) return undefined;
    const known = isMargin(margin) ? margin : undefined;
    return { index, stamps: new Map(stamps), shown: new Set(shown), margin: known };
  } catch {
    return undefined;
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}

function isMargin(value: unknown): value is RouteMargin {
  const { margin, examples, routed } = Object(value) as Partial<RouteMargin>;
  const isNumber = (one: unknown) => typeof one === "number" && Number.isFinite(one);
  return isNumber(examples) && isNumber(routed) && (margin === undefined || isNumber(margin));
}

/** Keeps a search index between processes. */
export interface SearchStore {
  read(key: string): Uint8Array | undefined;
  write(key: string, bytes: Uint8Array): void;
  /** How many of the skills that are new or changed were read. */
  progress?(done: number, total: number): void;
}

interface SkillSearchOptions {
  readonly searchStore?: SearchStore | undefined;
  /** Ranks by meaning beside the words. */
  readonly embedder?: Embedder | undefined;
  readonly logger?: Logger | undefined;
  /** Whether trigger examples of skills are searched. Default: yes. */
  readonly examples?: boolean | undefined;
}

/** The registry whose skills are searched. */
interface SearchedSkills {
  readonly everything: readonly SkillRecord[];
  readonly roots: readonly string[];
  stampOf(skill: SkillRecord): string;
  inlineSkill(skill: SkillRecord): InlineSkill | undefined;
}

interface FilteredSearchOptions {
  readonly limit: number;
  /** Which skills, by id. */
  readonly include: (id: string) => boolean;
}

/** The skill that fits a request best, and how clearly. */
export interface RoutedHits {
  /** The first two. */
  readonly hits: readonly SearchHit[];
  /** How far the first is ahead of the second: 0 to 1. */
  readonly margin: number;
  /** The words of the request that the first has. */
  readonly matches: readonly string[];
  /** What this catalog needs to be acted on, from its own examples. */
  readonly needed: RouteMargin;
  /** Whether the first has examples: only then was the margin measured for such as it. */
  readonly isShown: boolean;
}

/** How many bodies are read at a time. */
const BATCH = 16;
const STALE_SHARE = 0.1;
const NO_MARGIN: RouteMargin = { examples: 0, routed: 0 };

/**
 * The search index of a registry. Nothing is read before the first search; then bodies are, unless a
 * saved index knows them, and afterwards only those that changed.
 */
export class SkillSearch {
  readonly #skills: SearchedSkills;
  readonly #options: SkillSearchOptions;
  #index: SkillIndex | undefined;
  #hybrid: HybridIndex | undefined;
  /** The stamp under which each skill is in the index, by id. */
  #stamps = new Map<string, string>();
  /** Ids of skills that have examples. */
  #shown = new Set<string>();
  #margin: RouteMargin | undefined;
  /** The list of skills that the index was last compared with. */
  #seen: readonly SkillRecord[] | undefined;
  #updating: Promise<void> = Promise.resolve();

  constructor(skills: SearchedSkills, options: SkillSearchOptions = {}) {
    this.#skills = skills;
    this.#options = options;
  }

  async search(query: string, { limit, include }: FilteredSearchOptions): Promise<SearchHit[]> {
    const index = await this.#current();
    // Hidden skills take no place in the result: ask for more until enough are left.
    for (let wanted = limit; ; wanted *= 4) {
      const hits = await (this.#hybrid ?? index).search(query, { limit: wanted });
      const visible = hits.filter(({ id }) => include(id));
      if (visible.length >= limit || hits.length < wanted) return visible.slice(0, limit);
    }
  }

  /** Search for the skill that a whole request is about. */
  async route(query: string, include: (id: string) => boolean): Promise<RoutedHits> {
    const hits = await this.search(query, { limit: 2, include });
    const [first] = hits;
    const needed = first === undefined ? NO_MARGIN : await this.#neededMargin();
    const matches = first === undefined ? [] : await this.matches(query, first.id);
    const isShown = first !== undefined && this.#shown.has(first.id);
    return { hits, margin: marginOf(hits), matches, needed, isShown };
  }

  async matches(query: string, id: string): Promise<string[]> {
    return (await this.#current()).matches(query, id);
  }

  /** Estimated once for a catalog, and kept with its index. */
  async #neededMargin(): Promise<RouteMargin> {
    const index = await this.#current();
    if (this.#margin !== undefined) return this.#margin;
    const shown = this.#skills.everything.filter(({ id }) => this.#shown.has(id));
    const documents = await this.#read(sample(shown));
    const sampled = documents.filter(({ examples = [] }) => examples.length > 1);
    this.#margin = estimateMargin(index, sampled, (id) => this.#shown.has(id));
    this.#save();
    return this.#margin;
  }

  async #current(): Promise<SkillIndex> {
    const update = this.#updating.then(() => this.#update());
    this.#updating = update.catch(() => undefined);
    await update;
    if (this.#index === undefined) throw new Error("the index was not built");
    return this.#index;
  }

  async #update(): Promise<void> {
    const records = this.#skills.everything;
    if (this.#seen === records) return;
    if (this.#index === undefined) this.#load();
    const stale = records.filter((record) => !this.#isCurrent(record));
    const ids = new Set(records.map(({ id }) => id));
    const gone = [...this.#stamps.keys()].filter((id) => !ids.has(id));
    const documents = await this.#read(stale);
    if (this.#index === undefined) this.#index = createSkillIndex(documents);
    else for (const document of documents) this.#index.add(document);
    for (const id of gone) this.#index.remove(id);
    for (const id of gone) {
      this.#stamps.delete(id);
      this.#shown.delete(id);
    }
    for (const { id, examples = [] } of documents) {
      if (examples.length > 0) this.#shown.add(id);
      else this.#shown.delete(id);
    }
    // A few new skills do not move a margin that was estimated from hundreds.
    if (stale.length + gone.length > records.length * STALE_SHARE) this.#margin = undefined;
    for (const record of stale) this.#stamps.set(record.id, this.#skills.stampOf(record));
    this.#seen = records;
    this.#hybrid = this.#createHybrid(this.#index, records);
    if (stale.length + gone.length > 0) this.#save();
  }

  #createHybrid(index: SkillIndex, documents: readonly SkillRecord[]): HybridIndex | undefined {
    const { embedder, logger } = this.#options;
    if (embedder === undefined) return undefined;
    const onError = (error: unknown) =>
      logger?.warn("the embedder failed; search rests on words", { error: String(error) });
    return createHybridIndex({ index, documents, embedder, onError });
  }

  #isCurrent(record: SkillRecord): boolean {
    const stamp = this.#skills.stampOf(record);
    return stamp !== "" && this.#stamps.get(record.id) === stamp;
  }

  async #read(records: readonly SkillRecord[]): Promise<SkillDocument[]> {
    const documents: SkillDocument[] = [];
    for (let i = 0; i < records.length; i += BATCH) {
      const batch = records.slice(i, i + BATCH).map((record) => this.#documentOf(record));
      documents.push(...(await Promise.all(batch)));
      this.#options.searchStore?.progress?.(documents.length, records.length);
    }
    return documents;
  }

  async #documentOf(record: SkillRecord): Promise<SkillDocument> {
    const { id, name, description } = record;
    const read = await this.#partsOf(record).catch(() => undefined);
    return { id, name, description, ...read };
  }

  /** A skill of a server is read when it is used, never for a look at all of them. */
  async #partsOf(record: SkillRecord): Promise<Partial<SkillDocument> | undefined> {
    if (record.source.startsWith("mcp:")) return undefined;
    const inline = this.#skills.inlineSkill(record);
    if (inline !== undefined) {
      const { instructions } = inline;
      return { body: await (typeof instructions === "function" ? instructions() : instructions) };
    }
    const read = await readSkillFile(record.path);
    if ("size" in read) return undefined;
    const { parseSkill } = await import("../format/parse-skill.ts");
    const parsed = parseSkill(read.text);
    const body = parsed.skill === undefined ? undefined : { body: parsed.skill.body };
    if (this.#options.examples === false) return body;
    const { metadataTriggers, readExamples } = await import("./read-examples.ts");
    const { examples, negatives } = await readExamples(record.path, record.name);
    return { ...body, examples: [...metadataTriggers(parsed), ...examples], negatives };
  }

  #load(): void {
    const saved = this.#options.searchStore?.read(this.#key());
    const restored = saved && decodeSavedSearch(saved);
    if (restored === undefined) return;
    this.#index = restored.index;
    this.#stamps = restored.stamps;
    this.#shown = restored.shown;
    this.#margin = restored.margin;
  }

  #save(): void {
    const index = this.#index;
    if (index === undefined) return;
    const [stamps, shown, margin] = [this.#stamps, this.#shown, this.#margin];
    const { searchStore } = this.#options;
    searchStore?.write(this.#key(), encodeSavedSearch({ index, stamps, shown, margin }));
  }

  #key(): string {
    const kind = this.#options.examples === false ? ["", "without examples"] : [];
    return [...this.#skills.roots, ...kind].join("\n");
  }
}

const MAX_BYTES = 1024 * 1024 * 1024;

/** Keeps search indexes in the folder of `diskCache`. What cannot be read or written costs time. */
export function diskSearchStore(directory: string): SearchStore {
  const fileOf = (key: string) => join(directory, `${zlib().crc32(key).toString(16)}.search`);
  return {
    read(key) {
      try {
        return readRegularFile(fileOf(key), { maxBytes: MAX_BYTES, follow: true });
      } catch {
        return undefined;
      }
    },
    write(key, bytes) {
      try {
        writeAtomic(fileOf(key), bytes);
      } catch {
        // Without a stored index the next search builds it again.
      }
    },
  };
}
