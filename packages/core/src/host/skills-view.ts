import {
  type ActivateOptions,
  activateSkill,
  type Activation,
  type ActivationFailure,
  type SkillMessage,
} from "../activation/activate-skill.ts";
import type { RequirementOptions } from "../activation/check-requirements.ts";
import { type ActiveSkill, Ledger, type SavedActivation } from "../activation/ledger.ts";
import { roleOf } from "../activation/skill-content.ts";
import type { CatalogOptions } from "../catalog/catalog-options.ts";
import { type Catalog, renderCatalog } from "../catalog/render-catalog.ts";
import type { Failure } from "../failure.ts";
import { type FileList, listFiles } from "../files/list-files.ts";
import { readFile, type ReadFileOptions, type ReadFileResult } from "../files/read-file.ts";
import { resolveFileName } from "../files/skill-path.ts";
import type { SkillFiles } from "../files/skill-files.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import { nearNames } from "../format/text/skill-name.ts";
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
  /** What requirements of skills are checked against. Default: the variables of the process. */
  readonly requirements?: Partial<RequirementOptions>;
  /** Where a skill is, as its instructions say; undefined says nothing. Default: its folder. */
  readonly locationOf?: (record: SkillRecord) => string | undefined;
  /** Which files of a skill its instructions list, by path. Default: all. */
  readonly listsFile?: (path: string) => boolean;
  /** The rules by which the registry reads skills, where they are not the usual ones. */
  readonly rules?: RuleSettings;
}

export interface ViewLimits {
  /** Bytes that one read gives at most. Default 51,200. */
  readonly maxOutputSizeBytes?: number;
  /** Tokens that one activation may take, for models with a small context. Default: no limit. */
  readonly roomTokens?: number;
  /** Lines that are shown of a body that does not fit. Default 500. */
  readonly maxBodyLines?: number;
  readonly longBody?: "outline" | "reject";
}

export type ViewFindResult =
  | { readonly ok: true; readonly skill: SkillRecord }
  | Failure<"skill-not-found" | "skill-unusable">;

type ViewFindFailure = Extract<ViewFindResult, { ok: false }>;

/** Of a name that does not exist. */
const MAX_ECHOED = 100;

function notFoundFailure(name: string, candidates: readonly string[]): ViewFindFailure {
  const message = `there is no skill named ${JSON.stringify(name.slice(0, MAX_ECHOED))}`;
  return { ok: false, code: "skill-not-found", message, candidates };
}

function disabledFailure({ name }: SkillRecord): ViewFindFailure {
  const message = `the skill ${JSON.stringify(name)} is disabled`;
  return { ok: false, code: "skill-not-found", message, hint: "It has to be enabled first." };
}

function changedFailure({ name }: SkillRecord): Failure<"skill-unusable"> {
  const message = `the skill ${name} has changed since it was trusted`;
  return { ok: false, code: "skill-unusable", message, hint: "It has to be trusted anew." };
}

function notActiveFailure(
  name: string,
  candidates: readonly string[],
): Failure<"skill-not-active"> {
  const message = `the skill ${JSON.stringify(name.slice(0, MAX_ECHOED))} is not active`;
  return { ok: false, code: "skill-not-active", message, candidates };
}

const MAX_CANDIDATES = 5;

/** Which skills the agent of a view may know of; the others are not there for it. */
class VisibleSkills {
  readonly #registry: SkillRegistry;
  readonly #options: ViewOptions;
  readonly #names: ReadonlySet<string> | undefined;
  /** Ids of skills that a person called although they are kept from models. */
  readonly #called = new Set<string>();

  constructor(registry: SkillRegistry, options: ViewOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#names = options.names === undefined ? undefined : new Set(options.names.map(foldName));
    for (const { id, byPerson } of options.ledger ?? []) {
      if (byPerson === true) this.#called.add(id);
    }
  }

  /** In order of precedence. */
  get all(): readonly SkillRecord[] {
    const isPerson = this.#options.audience === "person";
    // A model could not tell two skills of one name apart.
    return this.#registry.all.filter(
      (record) => this.has(record) && (isPerson || record.shadowedBy === undefined),
    );
  }

  find(given: string): ViewFindResult {
    const name = given.trim();
    const found = this.#registry.find(name);
    if (found.ok && this.has(found.skill)) return found;
    if (!found.ok && found.code === "skill-unusable" && this.#mayHearOf(name)) {
      return { ...found, candidates: this.#candidates(name) };
    }
    return found.ok && this.#isOnlyDisabled(found.skill)
      ? disabledFailure(found.skill)
      : this.notFound(name);
  }

  /** Also what is kept from models, when the person may call it. */
  findForPerson(given: string): ViewFindResult {
    const name = given.trim();
    const found = this.#registry.find(name);
    if (!found.ok) return found;
    const { trusted, enabled, userInvocable } = found.skill;
    if (trusted && enabled && userInvocable && this.includes(found.skill)) return found;
    return this.notFound(name);
  }

  notFound(name: string): ViewFindFailure {
    return notFoundFailure(name, this.#candidates(name));
  }

  has(record: SkillRecord): boolean {
    const isOffered =
      this.#options.audience === "person"
        ? record.enabled
        : isVisibleToModel(record) ||
          (this.#called.has(record.id) && record.trusted && record.enabled);
    return isOffered && this.includes(record);
  }

  /** Whether it is one of those that the view is about, seen or not. */
  includes(record: SkillRecord): boolean {
    if (this.#names !== undefined && !this.#names.has(foldName(record.name))) return false;
    return this.#options.include?.(record) ?? true;
  }

  /** A person called it: from now on the model may know of it. */
  call({ id }: SkillRecord): void {
    this.#called.add(id);
  }

  /** The call is over. */
  forget(id: string): void {
    this.#called.delete(id);
  }

  wasCalled({ id }: SkillRecord): boolean {
    return this.#called.has(id);
  }

  /** What a model may not know of for another reason it hears nothing about. */
  #isOnlyDisabled(record: SkillRecord): boolean {
    return !record.enabled && this.has({ ...record, enabled: true });
  }

  /** Of a skill that cannot be read only its name is known, so that a filter cannot be asked. */
  #mayHearOf(name: string): boolean {
    if (this.#options.include !== undefined) return false;
    return this.#names === undefined || this.#names.has(foldName(name));
  }

  #candidates(name: string): string[] {
    const names = new Set(this.all.map((skill) => skill.name));
    return nearNames(name, names, MAX_CANDIDATES);
  }
}

export type ViewActivateOptions = ActivateOptions;

export interface ViewSearchHit {
  readonly name: string;
  readonly description: string;
  readonly score: number;
  readonly source: string;
}

export interface ActivateSeveralOptions extends ViewActivateOptions {
  /** Bodies that this call may bring. Default 2. */
  readonly limit?: number;
}

export type Deactivation =
  | { readonly ok: true; readonly name: string; readonly source: string }
  | Failure<"skill-not-active">;

export interface SeveralActivations {
  readonly activations: readonly (Activation | ActivationFailure | ViewFindFailure)[];
  /** Names that have to wait for the next round. */
  readonly postponed: readonly string[];
}

const MAX_BODIES = 2;
/** With less room than this the next skill waits. */
const MIN_ROOM_TOKENS = 500;

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

  /**
   * Several at once: coordinating skills first, and no more bodies than one round should bring. They
   * share `roomTokens`.
   */
  async activateSeveral(
    names: readonly string[],
    { limit = MAX_BODIES, roomTokens, ...options }: ActivateSeveralOptions = {},
  ): Promise<SeveralActivations> {
    const activations: (Activation | ActivationFailure | ViewFindFailure)[] = [];
    const postponed: string[] = [];
    let bodies = 0;
    let left = roomTokens;
    await this.#registry.refreshIfStale();
    for (const name of await this.#coordinatorsFirst([...new Set(names)])) {
      const isFull = bodies > 0 && left !== undefined && left < MIN_ROOM_TOKENS;
      if (bodies >= limit || isFull) {
        postponed.push(name);
        continue;
      }
      const room = left === undefined ? undefined : { roomTokens: left };
      const activation = await this.activate(name, { ...options, ...room });
      activations.push(activation);
      if (!activation.ok || activation.alreadyActive) continue;
      bodies++;
      if (left !== undefined) left = Math.max(0, left - activation.tokens);
    }
    return { activations, postponed };
  }

  /**
   * Takes a skill out of context, by its name, `name@source` or id. It can be activated again; one that
   * is kept from models only by a person.
   */
  deactivate(name: string): Deactivation {
    const wanted = foldName(name.trim());
    const active = this.ledger.active.map(({ id, name: own }) => {
      const record = this.#registry.all.find((one) => one.id === id);
      // A skill may be gone from disk while its text is still in the conversation.
      return { id, name: own, source: record?.source ?? id.slice(0, id.lastIndexOf(":")) };
    });
    const found = active.find(
      (skill) =>
        skill.id === name.trim() ||
        [skill.name, `${skill.name}@${skill.source}`].some((one) => foldName(one) === wanted),
    );
    if (found === undefined)
      return notActiveFailure(name, [...new Set(active.map((one) => one.name))]);
    this.ledger.remove(found.id);
    this.#visible.forget(found.id);
    return { ok: true, name: found.name, source: found.source };
  }

  async listFiles(name: string, options?: { under?: string }): Promise<FileList | ViewFindFailure> {
    await this.#registry.refreshIfStale();
    const found = this.find(name);
    if (!found.ok) return found;
    const files = await listFiles(this.#filesOf(found.skill), options);
    return (await this.#isStillTrusted(found.skill)) ? files : changedFailure(found.skill);
  }

  /**
   * Level 3. A name that differs from exactly one file by case, extension or folder means that file;
   * `resolvedFrom` then has the name that was asked for.
   */
  async readFile(
    name: string,
    path: string,
    options: ReadFileOptions = {},
  ): Promise<ReadFileResult | ViewFindFailure> {
    await this.#registry.refreshIfStale();
    const found = this.find(name);
    if (!found.ok) return found;
    const maxBytes = this.#options.limits?.maxOutputSizeBytes;
    const file = await this.#readNear(this.#filesOf(found.skill), path, {
      ...(maxBytes === undefined ? undefined : { maxBytes }),
      ...options,
    });
    return (await this.#isStillTrusted(found.skill)) ? file : changedFailure(found.skill);
  }

  async #readNear(
    files: SkillFiles,
    path: string,
    options: ReadFileOptions,
  ): Promise<ReadFileResult> {
    const read = await readFile(files, path, options);
    if (read.ok || read.code !== "file-not-found") return read;
    const listed = await listFiles(files);
    if (!listed.ok || listed.truncated) return read;
    const { listsFile = () => true } = this.#options;
    const paths = listed.files.map((file) => file.path).filter(listsFile);
    const resolved = resolveFileName(paths, path);
    if (!resolved.ok) {
      return resolved.candidates.length === 0 ? read : { ...read, candidates: resolved.candidates };
    }
    const near = await readFile(files, resolved.path, options);
    return near.ok ? { ...near, resolvedFrom: path } : near;
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
    const { roomTokens, maxBodyLines, maxOutputSizeBytes, longBody } = limits;
    const isForPerson = options.by === "person";
    const mayBeHidden = isForPerson || audience === "person" || this.#visible.wasCalled(skill);
    const all: ActivateOptions = {
      ...(roomTokens === undefined ? undefined : { roomTokens }),
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
