import {
  type ActivateOptions,
  type Activation,
  type ActivationFailure,
  activateSkill,
} from "../activation/activate-skill.ts";
import { type ActiveSkill, Ledger, type SavedActivation } from "../activation/ledger.ts";
import { roleOf } from "../activation/role-of.ts";
import type { SkillMessage } from "../activation/skill-message.ts";
import { type Catalog, renderCatalog } from "../catalog/render-catalog.ts";
import type { CatalogOptions } from "../catalog/catalog-options.ts";
import { type FileList, listFiles } from "../files/list-files.ts";
import { readFile, type ReadFileOptions, type ReadFileResult } from "../files/read-file.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { SkillRegistry } from "../registry/skill-registry.ts";
import type { SearchHit, SkillSearch } from "../search/skill-search.ts";
import { changedFailure, type ViewFindFailure, type ViewFindResult } from "./view-find-result.ts";
import type { ViewOptions } from "./view-options.ts";
import { VisibleSkills } from "./visible-skills.ts";

export type ViewActivateOptions = ActivateOptions;

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

const MAX_BODIES = 2;

/**
 * The skills as one agent meets them in one conversation: which it may see, and what it has in
 * context. Two views of the same registry know nothing of each other.
 */
export class SkillsView {
  readonly ledger: Ledger;
  readonly #registry: SkillRegistry;
  readonly #search: SkillSearch;
  readonly #options: ViewOptions;
  readonly #visible: VisibleSkills;
  readonly #loading = new Map<string, Promise<Activation | ActivationFailure | ViewFindFailure>>();

  constructor(registry: SkillRegistry, search: SkillSearch, options: ViewOptions = {}) {
    this.#registry = registry;
    this.#search = search;
    this.#options = options;
    this.#visible = new VisibleSkills(registry, options);
    this.ledger = new Ledger(options.ledger);
  }

  /** What the model of this view may know of, in order of precedence. */
  get skills(): readonly SkillRecord[] {
    return this.#visible.all;
  }

  /** Like `SkillRegistry.find`, but what is kept from the model is not there. */
  find(name: string): ViewFindResult {
    return this.#visible.find(name);
  }

  /** Level 1. */
  catalog(options: CatalogOptions = {}): Catalog {
    const { include = () => true, rank = this.#recentlyUsed() } = options;
    const isIncluded = (record: SkillRecord) => this.#visible.includes(record) && include(record);
    return renderCatalog(this.#registry.all, { ...options, rank, include: isIncluded });
  }

  async search(query: string, { limit = 5 }: { limit?: number } = {}): Promise<ViewSearchHit[]> {
    await this.#registry.refreshIfStale();
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
    await this.#registry.refreshIfStale();
    const found = options.by === "person" ? this.#visible.findForPerson(name) : this.find(name);
    if (!found.ok) return found;
    const { skill } = found;
    const before = this.#loading.get(skill.id);
    const load = () => this.#activateFound(skill, name, options);
    // Nothing may come between the look and the entry, or calls at the same time would all pass.
    const loading = before === undefined ? load() : before.then(load, load);
    this.#loading.set(skill.id, loading);
    try {
      return await loading;
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
    await this.#registry.refreshIfStale();
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
    await this.#registry.refreshIfStale();
    const found = this.find(name);
    if (!found.ok) return found;
    const files = await listFiles(this.#filesOf(found.skill), options);
    return (await this.#isStillTrusted(found.skill)) ? files : changedFailure(found.skill);
  }

  /** Level 3. */
  async readFile(
    name: string,
    path: string,
    options: ReadFileOptions = {},
  ): Promise<ReadFileResult | ViewFindFailure> {
    await this.#registry.refreshIfStale();
    const found = this.find(name);
    if (!found.ok) return found;
    const maxBytes = this.#options.limits?.maxOutputSizeBytes;
    const file = await readFile(this.#filesOf(found.skill), path, {
      ...(maxBytes === undefined ? undefined : { maxBytes }),
      ...options,
    });
    return (await this.#isStillTrusted(found.skill)) ? file : changedFailure(found.skill);
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
    await this.#registry.refreshIfStale();
    for (const active of this.ledger.active) {
      const known = "message" in active ? active : await this.#loadSaved(active);
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

  async #activateFound(
    skill: SkillRecord,
    name: string,
    options: ViewActivateOptions,
  ): Promise<Activation | ActivationFailure | ViewFindFailure> {
    const activation = await this.#load(skill, this.ledger, options);
    if (activation.ok && options.by === "person") this.#visible.call(skill);
    const isHidden = !activation.ok && activation.code === "skill-hidden";
    return isHidden ? this.#visible.notFound(name) : activation;
  }

  #load(skill: SkillRecord, ledger: Ledger, { arguments: typed, ...options }: ActivateOptions) {
    const { limits = {}, requirements, rules, audience, locationOf, listsFile } = this.#options;
    const { maxBodyLines, maxOutputSizeBytes, longBody } = limits;
    const isForPerson = options.by === "person";
    const mayBeHidden = isForPerson || audience === "person" || this.#visible.wasCalled(skill);
    const all: ActivateOptions = {
      ...(maxBodyLines === undefined ? undefined : { maxBodyLines }),
      ...(maxOutputSizeBytes === undefined ? undefined : { maxBodyBytes: maxOutputSizeBytes }),
      ...(longBody === undefined ? undefined : { longBody }),
      ...(rules && { rules }),
      ...(locationOf && { locationOf }),
      ...(listsFile && { listsFile }),
      ...requirements,
      ...options,
      ...(isForPerson && typed !== undefined && { arguments: typed }),
      by: mayBeHidden ? "person" : "model",
    };
    const inline = this.#registry.inlineSkill(skill);
    return activateSkill(skill, inline, ledger, all, () => this.#contentOf(skill));
  }

  async #contentOf(skill: SkillRecord) {
    const content = await this.#registry.content(skill);
    if (!content.ok || (await this.#isStillTrusted(skill, content.digest))) return content;
    return changedFailure(skill);
  }

  /** To be asked between reading and disclosing. */
  async #isStillTrusted(skill: SkillRecord, digest?: string): Promise<boolean> {
    // A person also sees what is not trusted.
    if (this.#options.audience === "person") return true;
    return this.#registry.isStillTrusted(skill, digest);
  }

  /** Of a restored conversation only names and digests are known. */
  async #loadSaved({ id, name }: SavedActivation): Promise<ActiveSkill | undefined> {
    const skill = this.#registry.all.find((record) => record.id === id);
    if (skill === undefined || !this.#visible.has(skill)) return undefined;
    const activation = await this.#load(skill, new Ledger(), {});
    if (!activation.ok) return undefined;
    const { digest, message, tokens } = activation;
    const active = { id, name, digest, message, tokens };
    this.ledger.replace(active);
    return active;
  }

  #filesOf(skill: SkillRecord) {
    const inline = this.#registry.inlineSkill(skill);
    return inline === undefined ? { directory: skill.path } : { inline };
  }

  #recentlyUsed(): string[] {
    return this.ledger.active.map(({ id }) => id);
  }

  async #coordinatorsFirst(names: readonly string[]): Promise<string[]> {
    if (names.length < 2) return [...names];
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
