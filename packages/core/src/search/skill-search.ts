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
import type { SearchHit } from "./segment.ts";

interface SavedSearch {
  readonly index: SkillIndex;
  readonly stamps: Map<string, string>;
}

/** An index together with the state of the files it was made of: a length, JSON, the index. */
function encodeSavedSearch(index: SkillIndex, stamps: ReadonlyMap<string, string>): Uint8Array {
  const head = Buffer.from(JSON.stringify([...stamps]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, encodeSkillIndex(index)]);
}

/** Undefined for what is damaged or of another version. */
function decodeSavedSearch(bytes: Uint8Array): SavedSearch | undefined {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = 4 + buffer.readUInt32LE(0);
    const stamps: unknown = JSON.parse(buffer.toString("utf8", 4, end));
    const index = decodeSkillIndex(buffer.subarray(end));
    if (index === undefined || !Array.isArray(stamps) || !stamps.every(isPair)) return undefined;
    return { index, stamps: new Map(stamps) };
  } catch {
    return undefined;
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
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

/** How many bodies are read at a time. */
const BATCH = 16;

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
    for (const id of gone) this.#stamps.delete(id);
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
    const body = await this.#bodyOf(record).catch(() => undefined);
    return body === undefined ? { id, name, description } : { id, name, description, body };
  }

  /** A skill of a server is read when it is used, never for a look at all of them. */
  async #bodyOf(record: SkillRecord): Promise<string | undefined> {
    if (record.source.startsWith("mcp:")) return undefined;
    const inline = this.#skills.inlineSkill(record);
    if (inline !== undefined) {
      const { instructions } = inline;
      return typeof instructions === "function" ? instructions() : instructions;
    }
    const read = await readSkillFile(record.path);
    if ("size" in read) return undefined;
    const { parseSkill } = await import("../format/parse-skill.ts");
    return parseSkill(read.text).skill?.body;
  }

  #load(): void {
    const saved = this.#options.searchStore?.read(this.#key());
    const restored = saved && decodeSavedSearch(saved);
    if (restored === undefined) return;
    this.#index = restored.index;
    this.#stamps = restored.stamps;
  }

  #save(): void {
    if (this.#index === undefined) return;
    const { searchStore } = this.#options;
    searchStore?.write(this.#key(), encodeSavedSearch(this.#index, this.#stamps));
  }

  #key(): string {
    return this.#skills.roots.join("\n");
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
