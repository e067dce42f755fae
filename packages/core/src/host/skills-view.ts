import {
  type ActivateOptions,
  type Activation,
  type ActivationFailure,
  activateSkill,
} from "../activation/activate-skill.ts";
import { Ledger, type SavedActivation } from "../activation/ledger.ts";
import { roleOf } from "../activation/role-of.ts";
import type { SkillMessage } from "../activation/skill-message.ts";
import { type Catalog, type CatalogOptions, renderCatalog } from "../catalog/render-catalog.ts";
import type { Failure } from "../failure.ts";
import { type FileList, listFiles } from "../files/list-files.ts";
import { readFile, type ReadFileOptions, type ReadFileResult } from "../files/read-file.ts";
import { nearNames } from "../format/text/near-names.ts";
import { foldName, isVisibleToModel, type SkillRecord } from "../registry/skill-record.ts";
import type { SkillRegistry } from "../registry/skill-registry.ts";
import type { SearchHit, SkillSearch } from "../search/skill-search.ts";

export interface ViewOptions {
  /** A person also sees what is kept from models or not trusted. Default: "model". */
  readonly audience?: "model" | "person";
  /** Only these skills. */
  readonly names?: readonly string[];
  /** Only skills for which this holds. */
  readonly include?: (record: SkillRecord) => boolean;
  /** What is in context already, from an earlier conversation. */
  readonly ledger?: readonly SavedActivation[];
  readonly limits?: ViewLimits;
}

export interface ViewLimits {
  /** Bytes that one read gives at most. Default 51,200. */
  readonly maxOutputSizeBytes?: number;
  /** Lines of a body that are shown at once. Default 500. */
  readonly maxBodyLines?: number;
  readonly longBody?: "outline" | "reject";
}

export interface ViewActivateOptions extends ActivateOptions {
  /** Who asks. A person may also call skills that are kept from models. Default: "model". */
  readonly by?: "model" | "person";
}

export type ViewFindResult =
  | { readonly ok: true; readonly skill: SkillRecord }
  | Failure<"skill-not-found" | "skill-unusable">;

export interface ViewSearchHit {
  readonly name: string;
  readonly description: string;
  readonly score: number;
  readonly source: string;
}

export interface SeveralActivations {
  readonly activations: readonly (Activation | ActivationFailure | ViewFindFailure)[];
  /** Names that have to wait for the next round. */
  readonly postponed: readonly string[];
}

type ViewFindFailure = Extract<ViewFindResult, { ok: false }>;

const MAX_BODIES = 2;
const MAX_CANDIDATES = 5;

/**
 * The skills as one agent meets them in one conversation: which it may see, and what it has in
 * context. Two views of the same registry know nothing of each other.
 */
export class SkillsView {
  readonly ledger: Ledger;
  readonly #registry: SkillRegistry;
  readonly #search: SkillSearch;
  readonly #options: ViewOptions;
  readonly #names: ReadonlySet<string> | undefined;
  /** Ids of skills that a person called although they are kept from models. */
  readonly #called = new Set<string>();
  readonly #loading = new Map<string, Promise<unknown>>();

  constructor(registry: SkillRegistry, search: SkillSearch, options: ViewOptions = {}) {
    this.#registry = registry;
    this.#search = search;
    this.#options = options;
    this.#names = options.names === undefined ? undefined : new Set(options.names.map(foldName));
    this.ledger = new Ledger(options.ledger);
  }

  /** What the model of this view may know of, in order of precedence. */
  get skills(): readonly SkillRecord[] {
    return this.#registry.all.filter((record) => this.#isVisible(record));
  }

  /** Like `SkillRegistry.find`, but what is kept from the model is not there. */
  find(name: string): ViewFindResult {
    const found = this.#registry.find(name);
    if (found.ok && this.#isVisible(found.skill)) return found;
    if (!found.ok && found.code === "skill-unusable" && this.#mayHearOf(name)) {
      return { ...found, candidates: this.#candidates(name) };
    }
    return this.#notFound(name);
  }

  /** Level 1. */
  catalog(options: CatalogOptions = {}): Catalog {
    const { include = () => true, rank = this.#recentlyUsed() } = options;
    const isIncluded = (record: SkillRecord) => this.#isIncluded(record) && include(record);
    return renderCatalog(this.#registry.all, { ...options, rank, include: isIncluded });
  }

  async search(query: string, { limit = 5 }: { limit?: number } = {}): Promise<ViewSearchHit[]> {
    const visible = new Map(this.skills.map((record) => [record.id, record]));
    const hits: readonly SearchHit[] = await this.#search.search(query, {
      limit,
      include: (id) => visible.has(id),
    });
    return hits.flatMap(({ id, score }) => {
      const record = visible.get(id);
      if (record === undefined) return [];
      const { name, description, source } = record;
      return [{ name, description, score, source }];
    });
  }

  /** Level 2. Calls for the same skill at the same time load it once. */
  async activate(
    name: string,
    options: ViewActivateOptions = {},
  ): Promise<Activation | ActivationFailure | ViewFindFailure> {
    const found = options.by === "person" ? this.#findForPerson(name) : this.find(name);
    if (!found.ok) return found;
    const { skill } = found;
    await this.#loading.get(skill.id);
    const { maxBodyLines, maxOutputSizeBytes, longBody } = this.#options.limits ?? {};
    const loading = activateSkill(skill, this.#registry.inlineSkill(skill), this.ledger, {
      ...(maxBodyLines === undefined ? undefined : { maxBodyLines }),
      ...(maxOutputSizeBytes === undefined ? undefined : { maxBodyBytes: maxOutputSizeBytes }),
      ...(longBody === undefined ? undefined : { longBody }),
      ...options,
    });
    this.#loading.set(skill.id, loading);
    try {
      const activation = await loading;
      if (activation.ok && options.by === "person") this.#called.add(skill.id);
      return activation;
    } finally {
      if (this.#loading.get(skill.id) === loading) this.#loading.delete(skill.id);
    }
  }

  /** Several at once: coordinating skills first, and no more bodies than one round should bring. */
  async activateSeveral(
    names: readonly string[],
    { maxBodies = MAX_BODIES, ...options }: ViewActivateOptions & { maxBodies?: number } = {},
  ): Promise<SeveralActivations> {
    const activations: (Activation | ActivationFailure | ViewFindFailure)[] = [];
    const postponed: string[] = [];
    let bodies = 0;
    for (const name of await this.#coordinatorsFirst([...new Set(names)])) {
      if (bodies >= maxBodies) {
        postponed.push(name);
        continue;
      }
      const activation = await this.activate(name, options);
      if (activation.ok && !activation.alreadyActive) bodies++;
      activations.push(activation);
    }
    return { activations, postponed };
  }

  async listFiles(name: string, options?: { under?: string }): Promise<FileList | ViewFindFailure> {
    const found = this.find(name);
    return found.ok ? listFiles(this.#filesOf(found.skill), options) : found;
  }

  /** Level 3. */
  async readFile(
    name: string,
    path: string,
    options: ReadFileOptions = {},
  ): Promise<ReadFileResult | ViewFindFailure> {
    const found = this.find(name);
    if (!found.ok) return found;
    const maxBytes = this.#options.limits?.maxOutputSizeBytes;
    return readFile(this.#filesOf(found.skill), path, {
      ...(maxBytes === undefined ? undefined : { maxBytes }),
      ...options,
    });
  }

  /**
   * The active skills again, for a conversation that was compacted: the most recent first, as far as
   * they fit. What does not fit is no longer in context, and will be delivered anew when asked for.
   */
  async reattach({ budgetTokens = 25_000 }: { budgetTokens?: number } = {}): Promise<{
    readonly messages: readonly SkillMessage[];
    readonly dropped: readonly string[];
  }> {
    const messages: SkillMessage[] = [];
    const dropped: string[] = [];
    let left = budgetTokens;
    for (const active of this.ledger.active) {
      const known = "message" in active ? active : await this.#load(active);
      if (known === undefined || known.tokens > left) {
        this.ledger.remove(active.id);
        dropped.push(active.name);
        continue;
      }
      left -= known.tokens;
      messages.push(known.message);
    }
    return { messages: messages.reverse(), dropped };
  }

  /** Of a restored conversation only names and digests are known. */
  async #load({ id }: SavedActivation) {
    const skill = this.#registry.all.find((record) => record.id === id);
    if (skill === undefined || !this.#isVisible(skill)) return undefined;
    const fresh = new Ledger();
    const activation = await activateSkill(skill, this.#registry.inlineSkill(skill), fresh);
    return activation.ok ? activation : undefined;
  }

  #filesOf(skill: SkillRecord) {
    const inline = this.#registry.inlineSkill(skill);
    return inline === undefined ? { directory: skill.path } : { inline };
  }

  #isVisible(record: SkillRecord): boolean {
    const isOffered =
      this.#options.audience === "person"
        ? record.enabled
        : isVisibleToModel(record) || this.#called.has(record.id);
    return isOffered && this.#isIncluded(record);
  }

  #isIncluded(record: SkillRecord): boolean {
    if (this.#names !== undefined && !this.#names.has(foldName(record.name))) return false;
    return this.#options.include?.(record) ?? true;
  }

  /** Of a skill that cannot be read only its name is known, so that a filter cannot be asked. */
  #mayHearOf(name: string): boolean {
    if (this.#options.include !== undefined) return false;
    return this.#names === undefined || this.#names.has(foldName(name));
  }

  #candidates(name: string): string[] {
    const names = new Set(this.skills.map((skill) => skill.name));
    return nearNames(name, names, MAX_CANDIDATES);
  }

  #findForPerson(name: string): ViewFindResult {
    const found = this.#registry.find(name);
    if (!found.ok) return found;
    const { trusted, enabled, userInvocable } = found.skill;
    if (trusted && enabled && userInvocable && this.#isIncluded(found.skill)) return found;
    return this.#notFound(name);
  }

  #notFound(name: string): ViewFindFailure {
    const message = `there is no skill named ${JSON.stringify(name)}`;
    return { ok: false, code: "skill-not-found", message, candidates: this.#candidates(name) };
  }

  #recentlyUsed(): string[] {
    return this.ledger.active.map(({ id }) => id);
  }

  async #coordinatorsFirst(names: readonly string[]): Promise<string[]> {
    const roles = await Promise.all(
      names.map(async (name) => {
        const found = this.find(name);
        if (!found.ok) return false;
        const { skill } = found;
        return (await roleOf(skill, this.#registry.inlineSkill(skill))) === "coordinator";
      }),
    );
    return [...names.filter((_, i) => roles[i]), ...names.filter((_, i) => !roles[i])];
  }
}
