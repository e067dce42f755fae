import type { ContentResult } from "../activation/skill-content.ts";
import { catalogLevel } from "../catalog/render-catalog.ts";
import { type Level } from "../catalog/catalog-entry.ts";
import { Conversation, type ConversationOptions } from "../conversation/conversation.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { nearNames } from "../format/names.ts";
import type { FoundSkill, InlineSkill, ScanCache, SkillSource } from "../sources/skill-source.ts";
import { buildSnapshot, EMPTY_SNAPSHOT, holds, type Snapshot } from "./snapshot.ts";
import { type ExplainOptions, type Explanation, explainSkill } from "./explain.ts";
import { memoryCache } from "./disk-cache.ts";
import type { OpenSkillsOptions } from "./registry-options.ts";
import { ChangeListeners, compareSnapshots, type SkillChange, skillsAt } from "./skill-change.ts";
import {
  createNameIndex,
  foldName,
  type NamedSkills,
  narrowSkills,
  type SkillRecord,
} from "./skill-record.ts";
import { SkillSearch } from "../search/skill-search.ts";
import type { FolderWatcher } from "./watch-folders.ts";

export type FindResult =
  | { readonly ok: true; readonly skill: SkillRecord }
  | {
      readonly ok: false;
      readonly code: "skill-not-found" | "skill-unusable";
      readonly message: string;
      readonly hint?: string;
      readonly candidates: readonly string[];
    };

export interface CacheStatistics {
  readonly hits: number;
  readonly misses: number;
  readonly hitRate: number;
}

export interface SkillExplanation extends Explanation {
  /** What the catalog holds of it: all, the start of its description, its name, or nothing. */
  readonly catalog?: Level;
}

const MAX_CONTENTS = 64;

/**
 * The registry: a snapshot of all skills, and the way to a newer one. One registry serves a whole
 * process; each conversation with a model takes its own `conversation()`.
 */
export class Skills {
  readonly #source: SkillSource;
  readonly #options: OpenSkillsOptions;
  readonly #search: SkillSearch;
  readonly #cache: ScanCache;
  readonly #clock: () => number;
  readonly #listeners: ChangeListeners;
  #snapshot: Snapshot = EMPTY_SNAPSHOT;
  /** Made when a name is first asked for. */
  #byName: ((name: string) => SkillRecord | undefined) | undefined;
  /** What was read of skills since the last look. */
  readonly #contents = new Map<SkillRecord, ContentResult>();
  #scannedAt = Number.NEGATIVE_INFINITY;
  /** Settles when the look that is under way is over; never rejects. */
  #lastLook: Promise<void> = Promise.resolve();
  #next: Promise<SkillChange> | undefined;
  #touched: string[] = [];
  #watcher: FolderWatcher | undefined;
  #hits = 0;
  #misses = 0;

  constructor(source: SkillSource, options: OpenSkillsOptions) {
    this.#source = source;
    this.#options = options;
    this.#cache = memoryCache(options.cache);
    this.#clock = options.clock ?? Date.now;
    this.#listeners = new ChangeListeners(options.logger);
    this.#search = new SkillSearch(this, options);
  }

  /**
   * One agent's way to the skills: what it may see, what it has in context, its tools. Two
   * conversations share nothing but this registry.
   */
  conversation(options: ConversationOptions = {}): Conversation {
    return new Conversation({ skills: this, search: this.#search, opened: this.#options }, options);
  }

  /** The skills in order of precedence; of several with one name, the first. */
  get all(): readonly SkillRecord[] {
    return this.#snapshot.all;
  }

  get shadowed(): readonly SkillRecord[] {
    return this.#snapshot.shadowed;
  }

  /** Folders with a SKILL.md that cannot be used. */
  get unusable(): readonly FoundSkill[] {
    return this.#snapshot.unusable;
  }

  get roots(): readonly string[] {
    return this.#source.roots;
  }

  /** By name, `name@source`, folder or id, without regard to case. */
  get(name: string): SkillRecord | undefined {
    this.#byName ??= createNameIndex(this.#snapshot);
    return this.#byName(name);
  }

  /** The skills for which `includes` holds, with precedence decided among them alone. */
  narrow(includes: (record: SkillRecord) => boolean): NamedSkills {
    return narrowSkills(this.#snapshot, includes);
  }

  /** Every usable skill, shadowed ones and copies with the same files included. */
  get everything(): readonly SkillRecord[] {
    return this.#snapshot.everything;
  }

  /** Like `get`, with an error a model or person can act on. */
  find(name: string): FindResult {
    const skill = this.get(name);
    if (skill !== undefined) return { ok: true, skill };
    const { places, reasons } = this.#explain(name);
    const unusable = places.find(({ outcome }) => outcome === "unusable");
    const candidates = this.#candidates(name);
    return {
      ok: false,
      code: unusable === undefined ? "skill-not-found" : "skill-unusable",
      message:
        unusable === undefined
          ? `there is no skill named ${JSON.stringify(name)}`
          : `the skill in ${unusable.path} cannot be used: ${unusable.reason}`,
      ...(unusable === undefined || reasons[0] === undefined ? undefined : { hint: reasons[0] }),
      candidates,
    };
  }

  /** What a skill consists of that is defined in code. */
  inlineSkill(skill: SkillRecord): InlineSkill | undefined {
    return this.#snapshot.inline.get(skill.id);
  }

  /** Changes whenever the skill's SKILL.md does. */
  stampOf(skill: SkillRecord): string {
    return this.#snapshot.stamps.get(skill.id) ?? "";
  }

  /**
   * Everything about a name, and how much a catalog within this budget would say of it. For a name
   * that is not there it also looks at files, where the skill might be all the same.
   */
  explain(name: string, budget: { readonly budgetTokens?: number } = {}): SkillExplanation {
    const explanation = this.#explain(name, (wanted) => this.#source.lookFor?.(wanted) ?? []);
    if (!explanation.visibleToModel) return explanation;
    const catalog = catalogLevel(explanation.name, this.all, budget);
    return catalog === undefined ? explanation : { ...explanation, catalog };
  }

  #explain(name: string, lookFor?: ExplainOptions["lookFor"]): Explanation {
    const record = this.get(name);
    const candidates = record === undefined ? this.#candidates(name) : [];
    return explainSkill(name, { snapshot: this.#snapshot, record, candidates, lookFor });
  }

  /**
   * Whether a skill is still trusted, for those whose trust rests on their content: to be asked after
   * something was read and before it is disclosed. When it is not, the registry looks again.
   * `digest` is that of the content which was read, where it is known.
   */
  async isStillTrusted(skill: SkillRecord, digest?: string): Promise<boolean> {
    const basis = this.#snapshot.trustBases.get(skill.id);
    if (basis === undefined) return true;
    // Of a large skill the digest of what was read is not one of its content.
    const isDigest = digest?.startsWith("sha256:") === true && "digest" in basis;
    const wasRead = !isDigest || basis.digest === digest;
    if (wasRead && (await holds(basis, skill))) return true;
    await this.refresh();
    return false;
  }

  /**
   * What a skill consists of at level 2. A host that gives a time to live has it read once within
   * that; without one, and where the trust rests on the content, it is read every time.
   */
  async content(skill: SkillRecord): Promise<ContentResult> {
    const known = this.#contents.get(skill);
    if (known !== undefined) return known;
    const content = await this.#readContent(skill);
    const isKept = this.#options.cacheSeconds !== undefined && content.ok;
    if (!isKept || this.#snapshot.trustBases.has(skill.id)) return content;
    if (this.#contents.size >= MAX_CONTENTS) this.#contents.clear();
    this.#contents.set(skill, content);
    return content;
  }

  async #readContent(skill: SkillRecord): Promise<ContentResult> {
    const { contentOf } = await import("../activation/skill-content.ts");
    return contentOf(skill, this.inlineSkill(skill));
  }

  diagnostics(): readonly Diagnostic[] {
    return this.#snapshot.diagnostics;
  }

  /** The digest of a skill's content, computed now: approvals must not trust a memory. */
  async digest(skill: SkillRecord): Promise<string> {
    const inline = this.#snapshot.inline.get(skill.id);
    if (inline !== undefined) {
      const { inlineDigest } = await import("../sources/inline-skills.ts");
      return inlineDigest(inline);
    }
    const { skillDigest } = await import("../directory/skill-files.ts");
    return skillDigest(skill.path);
  }

  /**
   * Looks at the files again, reading only what changed. A look that has begun may have missed what
   * was written since, so that calls during it share the next one.
   */
  refresh(): Promise<SkillChange> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#lastLook.then(() => {
      this.#next = undefined;
      const look = this.#scan();
      this.#lastLook = look.then(ignoreResult, ignoreResult);
      return look;
    });
    this.#next = next;
    return next;
  }

  /** `refresh`, once the time to live is over. */
  async refreshIfStale(): Promise<void> {
    const { cacheSeconds = 300 } = this.#options;
    const age = this.#clock() - this.#scannedAt;
    if (age >= 0 && age < cacheSeconds * 1000) {
      this.#hits++;
      return;
    }
    this.#misses++;
    await this.refresh();
  }

  /**
   * Calls the listener for every change that a look at the files finds; while watching, once the
   * files have settled. Returns how to stop listening.
   */
  onChange(listener: (change: SkillChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Starts watching the roots. The snapshot is new before a listener hears of it. */
  async watch(): Promise<void> {
    this.#listeners.begin(this.#snapshot);
    const { watchFolders } = await import("./watch-folders.ts");
    this.#watcher ??= await watchFolders({
      roots: this.#source.roots,
      onSettled: async (paths) => {
        for (const path of paths) this.#touched.push(path);
        await this.refresh();
        this.#listeners.announce(this.#snapshot);
      },
    });
  }

  /** Stops watching. */
  async close(): Promise<void> {
    await this.#watcher?.close();
    this.#watcher = undefined;
    this.#listeners.end();
  }

  cacheStatistics(): CacheStatistics {
    const total = this.#hits + this.#misses;
    return {
      hits: this.#hits,
      misses: this.#misses,
      hitRate: total === 0 ? 0 : this.#hits / total,
    };
  }

  async #scan(): Promise<SkillChange> {
    const touched = this.#touched.splice(0);
    const { isTrusted, disabled = [] } = this.#options;
    const off = new Set(disabled.map(foldName));
    const { skills, diagnostics } = await this.#source.scan({ cache: this.#cache });
    const next = await buildSnapshot(skills, diagnostics, {
      isTrusted,
      isEnabled: off.size === 0 ? undefined : (skill) => !isNamed(skill, off),
    });
    const skillsTouched = skillsAt(touched, next);
    this.#listeners.touch(skillsTouched);
    const change = compareSnapshots(this.#snapshot, next, skillsTouched);
    this.#logRoots(next);
    this.#snapshot = next;
    this.#contents.clear();
    this.#byName = undefined;
    const isFirst = this.#scannedAt === Number.NEGATIVE_INFINITY;
    this.#scannedAt = this.#clock();
    if (this.#watcher === undefined && !isFirst) this.#listeners.tell(change);
    return change;
  }

  /** Each finding about a root once. */
  #logRoots({ rootDiagnostics }: Snapshot): void {
    const known = new Set(
      this.#snapshot.rootDiagnostics.map(({ message, file }) => file + message),
    );
    for (const { code, message, file } of rootDiagnostics) {
      if (!known.has(file + message)) this.#options.logger?.warn(message, { code, file });
    }
  }

  #candidates(name: string): string[] {
    return nearNames(name, new Set(this.#snapshot.all.map((skill) => skill.name)), 5);
  }
}

/** By name or id. */
function isNamed({ source, relativePath, metadata }: FoundSkill, names: ReadonlySet<string>) {
  return (
    names.has(foldName(metadata?.name ?? "")) || names.has(foldName(`${source}:${relativePath}`))
  );
}

function ignoreResult(): void {}
