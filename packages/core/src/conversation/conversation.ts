import type * as ActivationModule from "../activation/activate-skill.ts";
import type { Disclosure, PreparedScript, SkillHit, SkillScript } from "./disclosure.ts";
import { scriptsOf } from "./skill-scripts.ts";
import type {
  ActivateOptions,
  Activation,
  ActivationFailure,
} from "../activation/activate-skill.ts";
import {
  type ActiveSkill,
  type KnownSkills,
  Ledger,
  type SavedActivation,
  type SkillMessage,
  type SkillNotFound,
  type VisibleSkill,
  VisibleSkills,
} from "./context.ts";
import type { ContentResult } from "../activation/skill-content.ts";
import type { RequirementOptions } from "../activation/check-requirements.ts";
import type { CatalogOptions } from "../catalog/catalog-entry.ts";
import { type Catalog, renderCatalog } from "../catalog/render-catalog.ts";
import type { Failure } from "../failure.ts";
import type { FileList, SkillFiles } from "../files/list-files.ts";
import type { ReadFileOptions, ReadFileResult } from "../files/read-file.ts";
import { resolveFileName } from "../files/skill-path.ts";
import { checkOptions, defined, oneOf, type OptionKinds } from "../internal/options.ts";
import type { OpenSkillsOptions } from "../registry/registry-options.ts";
import type { SkillChange } from "../registry/skill-change.ts";
import { foldName, type SkillRecord } from "../registry/skill-record.ts";
import type { SkillSearch } from "../search/skill-search.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import { isTracer, type SpanAttributes, tracedTool, type Tracer } from "../telemetry.ts";
import { createTools, type ToolOptions, toolSwitches } from "../tools/create-tools.ts";
import type {
  ScriptExecutor,
  ScriptRequest,
  SkillTool,
  ToolProvider,
} from "../tools/skill-tool.ts";
import { skillInstructions } from "./skill-instructions.ts";
import { restoreState, saveState, type SkillsState } from "./skills-state.ts";

export interface ConversationOptions {
  /** Only these skills: names, or a test. Shadowing is decided among them alone. Default: all. */
  readonly include?: readonly string[] | ((record: SkillRecord) => boolean);
  /** Runs scripts: what `openScripts` of the runtime package opened, or an executor. Default: none. */
  readonly scripts?: ScriptExecutor | { readonly executor: ScriptExecutor };
  /** What `save()` returned: what the conversation has in context already. */
  readonly state?: unknown;
  /** More tools, such as those of a workspace. */
  readonly providers?: readonly ToolProvider[];
  /** A person also sees what is hidden from models or not trusted. Default: "model". */
  readonly audience?: "model" | "person";
  readonly limits?: ConversationLimits;
  /** What requirements of skills are checked against. Default: the variables of the process. */
  readonly requirements?: Partial<RequirementOptions>;
  /** Where a skill is, as its instructions say; undefined says nothing. Default: its folder. */
  readonly locationOf?: (record: SkillRecord) => string | undefined;
  /** Which files of a skill are listed, by path. Default: all. */
  readonly listsFile?: (path: string) => boolean;
  /** Makes a span of every load, read, list and search. Default: that of the registry. */
  readonly tracer?: Tracer;
}

interface ConversationLimits {
  /** Bytes that one read gives at most. Default 51,200. */
  readonly maxOutputSizeBytes?: number;
  /** Tokens that one activation may take, for models with a small context. Default: no limit. */
  readonly roomTokens?: number;
  /** Lines that are shown of a body that does not fit. Default 500. */
  readonly maxBodyLines?: number;
  readonly longBody?: "outline" | "reject";
}

const OPTIONS: OptionKinds<ConversationOptions> = {
  include: (value) =>
    typeof value === "function" || (Array.isArray(value) && value.every(isText))
      ? undefined
      : "a list of names or a function",
  scripts: (value) => (isScripts(value) ? undefined : SCRIPTS),
  state: "any",
  providers: "list",
  audience: oneOf("model", "person"),
  limits: "object",
  requirements: "object",
  locationOf: "function",
  listsFile: "function",
  tracer: (value) => (isTracer(value) ? undefined : "a tracer"),
};

const LIMITS: OptionKinds<ConversationLimits> = {
  maxOutputSizeBytes: "number",
  roomTokens: "number",
  maxBodyLines: "number",
  longBody: oneOf("outline", "reject"),
};

const ACTIVATE_OPTIONS: OptionKinds<ActivateOptions> = {
  by: oneOf("model", "person"),
  arguments: "string",
  env: "object",
  rules: "object",
  roomTokens: "number",
  maxBodyLines: "number",
  maxBodyBytes: "number",
  longBody: oneOf("outline", "reject"),
  listTool: "string",
  locationOf: "function",
  listsFile: "function",
  role: oneOf("user", "system"),
};

const SCRIPTS = "an executor or what openScripts gave with ok: true";

function isScripts(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "canRun" in value || ("executor" in value && typeof value.executor === "object");
}

const isText = (value: unknown): boolean => typeof value === "string";

export interface ActivateSeveralOptions extends ActivateOptions {
  /** Bodies that this call may bring. Default 2. */
  readonly limit?: number;
}

export type Deactivation =
  | { readonly ok: true; readonly name: string; readonly source: string }
  | Failure<"skill-not-active">;

export interface SeveralActivations {
  readonly activations: readonly (Activation | ActivationFailure | SkillNotFound)[];
  /** Names that have to wait for the next round. */
  readonly postponed: readonly string[];
}

/** What a request is matched with before the first turn. */
export interface Route {
  /** "hint": worth a word to the model; "activate": clear enough to load it first. */
  readonly decision: "none" | "hint" | "activate";
  /** The best two, the best first. */
  readonly candidates: readonly Pick<SkillHit, "name" | "source" | "score">[];
  /** How far the first is ahead, and how far it has to be: 0 to 1. */
  readonly margin: number;
  readonly needed: number;
  /** Words of the request that the first has. */
  readonly matches: readonly string[];
}

/** For skills of a catalog without enough examples, which are only hinted at. */
const HINT_MARGIN = 0.35;
/** Hits below it share little more than a common word with the request. */
const ROUTE_FLOOR = 0.16;
const MAX_BODIES = 2;
/** With less room than this the next skill waits. */
const MIN_ROOM_TOKENS = 500;
const MAX_ECHOED = 100;

/** Loaded by the first activation, since it brings the reader of YAML along. */
let activation: typeof ActivationModule | undefined;

/** The registry that makes conversations. */
interface Registry extends KnownSkills {
  readonly everything: readonly SkillRecord[];
  content(skill: SkillRecord): Promise<ContentResult>;
  inlineSkill(skill: SkillRecord): InlineSkill | undefined;
  isStillTrusted(skill: SkillRecord, digest?: string): Promise<boolean>;
  onChange(listener: (change: SkillChange) => void): () => void;
  refreshIfStale(): Promise<void>;
}

/** What a conversation needs from the registry that made it. */
interface ConversationParts {
  readonly skills: Registry;
  readonly search: SkillSearch;
  readonly opened: OpenSkillsOptions;
}

/**
 * One agent's way to the skills in one conversation: what it may see, what it has in context, and the
 * tools and instructions of its model. Two conversations share nothing but the registry.
 */
export class Conversation implements Disclosure {
  readonly ledger: Ledger;
  readonly #parts: ConversationParts;
  readonly #registry: Registry;
  readonly #options: ConversationOptions;
  readonly #visible: VisibleSkills;
  readonly #loading = new Map<string, Promise<Activation | ActivationFailure | SkillNotFound>>();

  constructor(parts: ConversationParts, options: ConversationOptions) {
    checkOptions("conversation", options, OPTIONS);
    checkOptions("conversation: limits", options.limits ?? {}, LIMITS);
    const { configuration, env, tracer } = parts.opened;
    this.#parts = parts;
    this.#registry = parts.skills;
    this.#options = {
      ...defined({ tracer }),
      ...options,
      limits: {
        ...defined({
          maxOutputSizeBytes: configuration?.skillTools?.maxOutputSizeBytes,
          maxBodyLines: configuration?.security?.max_skill_body_lines,
        }),
        ...options.limits,
      },
      requirements: { ...defined({ env }), ...options.requirements },
    };
    const { include, audience = "model", state } = options;
    this.#visible = new VisibleSkills(parts.skills, {
      audience,
      ...(typeof include === "function"
        ? { include }
        : { names: include && new Set(include.map(foldName)) }),
    });
    const saved = state === undefined ? [] : restoreState(state).ledger;
    this.ledger = new Ledger(saved);
    for (const { id, byPerson } of saved) if (byPerson === true) this.#visible.call(id);
  }

  /** Another conversation with the same options and a context of its own, such as that of a run. */
  fork(state?: unknown): Conversation {
    return new Conversation(this.#parts, { ...this.#options, state });
  }

  /** What the model may know of, in order of precedence. */
  get skills(): readonly SkillRecord[] {
    return this.#visible.all;
  }

  /** The skills whose instructions are in context, the most recently used first. */
  get active(): Ledger["active"] {
    return this.ledger.active;
  }

  /** What a model can call now. Ask again when `onChange` says so. */
  tools(options: ToolOptions = {}): SkillTool[] {
    const { scripts, providers } = this.#options;
    const { configuration } = this.#parts.opened;
    const executor = scripts && "executor" in scripts ? scripts.executor : scripts;
    const switches = configuration && toolSwitches(configuration);
    return createTools(this, { ...defined({ executor, providers, switches }), ...options });
  }

  /** What a model is told: how to use its skills with these tools, and the catalog. */
  instructions(options: CatalogOptions & { readonly tools?: readonly SkillTool[] } = {}): string {
    const { tools, ...catalog } = options;
    return skillInstructions(this, tools ?? this.tools({ catalog }), catalog);
  }

  /**
   * Calls the listener when skills of this conversation come, go or change: then ask again for tools
   * and instructions. Returns how to stop listening.
   */
  onChange(listener: (change: SkillChange) => void): () => void {
    const namesNow = () => new Set(this.skills.map(({ name }) => name));
    let before = namesNow();
    return this.#registry.onChange((change) => {
      const now = namesNow();
      const added = [...now].filter((name) => !before.has(name));
      const removed = [...before].filter((name) => !now.has(name));
      const changed = change.changed.filter((name) => now.has(name) && before.has(name));
      before = now;
      if (added.length + removed.length + changed.length > 0) listener({ added, removed, changed });
    });
  }

  /** Plain JSON from which another process goes on: `openSkills({ restore })`, `conversation({ state })`. */
  save(): SkillsState {
    return saveState(this.#parts.opened, this.#registry.all, this.ledger.save());
  }

  /** Like `Skills.find`, but what is hidden from the model does not exist. */
  find(name: string): VisibleSkill {
    return this.#visible.find(name);
  }

  /** Level 1. */
  catalog(options: CatalogOptions = {}): Catalog {
    const { rank = this.ledger.active.map(({ id }) => id) } = options;
    return renderCatalog(this.#visible.included, { ...options, rank });
  }

  async search(query: string, { limit = 5 }: { limit?: number } = {}): Promise<SkillHit[]> {
    const search = () => this.#search(query, limit);
    const facts = (hits: readonly SkillHit[]) => ({ "skillwright.hits": hits.length });
    return this.#traced("search_skills", undefined, search, facts);
  }

  async #search(query: string, limit: number): Promise<SkillHit[]> {
    await this.#registry.refreshIfStale();
    const visible = new Map(this.skills.map((record) => [record.id, record]));
    const include = (id: string) => visible.has(id);
    const hits = await this.#parts.search.search(query, { limit, include });
    return hits.flatMap(({ id, score }) => {
      const record = visible.get(id);
      if (record === undefined) return [];
      const { name, description, source, path } = record;
      return [{ name, description, score, source, path }];
    });
  }

  /**
   * The skill that a request is about, before a model sees it. `decision` is "activate" only above the
   * margin that this catalog's own trigger examples give, for a skill that has examples itself.
   */
  async route(request: string): Promise<Route> {
    await this.#registry.refreshIfStale();
    const visible = new Map(this.skills.map((record) => [record.id, record]));
    const { hits, margin, matches, needed, isShown } = await this.#parts.search.route(
      request,
      (id) => visible.get(id)?.modelInvocable === true,
    );
    const candidates = hits.flatMap(({ id, score }) => {
      const record = visible.get(id);
      return record === undefined ? [] : [{ name: record.name, source: record.source, score }];
    });
    const isMeasured = isShown && needed.margin !== undefined;
    const least = isMeasured ? (needed.margin ?? 1) : HINT_MARGIN;
    const isClear = margin >= least && (hits[0]?.score ?? 0) >= ROUTE_FLOOR;
    const decision = !isClear ? "none" : isMeasured ? "activate" : "hint";
    return { decision, candidates, margin, needed: least, matches };
  }

  /** The words of a query that a skill has. */
  async matches(query: string, name: string): Promise<readonly string[]> {
    const found = this.find(name);
    return found.ok ? this.#parts.search.matches(query, found.skill.id) : [];
  }

  /** Level 2. Calls for the same skill at the same time load it once. */
  async activate(
    name: string,
    options: ActivateOptions = {},
  ): Promise<Activation | ActivationFailure | SkillNotFound> {
    checkOptions("activate", options, ACTIVATE_OPTIONS);
    return this.#traced("load_skill", name, () => this.#activate(name, options));
  }

  async #activate(
    name: string,
    options: ActivateOptions,
  ): Promise<Activation | ActivationFailure | SkillNotFound> {
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
    const activations: (Activation | ActivationFailure | SkillNotFound)[] = [];
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
      const record = this.#recordOf(id);
      // A skill may be gone from disk while its text is still in the conversation.
      return { id, name: own, source: record?.source ?? id.slice(0, id.lastIndexOf(":")) };
    });
    const found = active.find(
      (skill) =>
        skill.id === name.trim() ||
        [skill.name, `${skill.name}@${skill.source}`].some((one) => foldName(one) === wanted),
    );
    if (found === undefined) {
      const message = `the skill ${JSON.stringify(name.slice(0, MAX_ECHOED))} is not active`;
      const candidates = [...new Set(active.map((one) => one.name))];
      return { ok: false, code: "skill-not-active", message, candidates };
    }
    this.ledger.remove(found.id);
    this.#visible.forget(found.id);
    return { ok: true, name: found.name, source: found.source };
  }

  /** Tells of skills that there are: a name that a model made up may be anything. */
  #traced<Result>(
    tool: string,
    name: string | undefined,
    work: () => Promise<Result>,
    factsOf?: (result: Result) => SpanAttributes,
  ): Promise<Result> {
    const { tracer } = this.#options;
    if (tracer === undefined) return work();
    const found = name === undefined ? undefined : this.find(name);
    const attributes: SpanAttributes =
      found?.ok === true
        ? {
            "skillwright.skill.name": found.skill.name,
            "skillwright.skill.source": found.skill.source,
          }
        : {};
    return tracedTool(tracer, tool, attributes, work, factsOf);
  }

  async listFiles(name: string, options?: { under?: string }): Promise<FileList | SkillNotFound> {
    await this.#registry.refreshIfStale();
    const found = this.find(name);
    if (!found.ok) return found;
    const { listFiles } = await import("../files/list-files.ts");
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
  ): Promise<ReadFileResult | SkillNotFound> {
    const read = () => this.#readFile(name, path, options);
    return this.#traced("read_skill_file", name, read, (file) =>
      file.ok ? { "skillwright.file": file.path } : {},
    );
  }

  async #readFile(
    name: string,
    path: string,
    options: ReadFileOptions,
  ): Promise<ReadFileResult | SkillNotFound> {
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
    const { readFile } = await import("../files/read-file.ts");
    const read = await readFile(files, path, options);
    if (read.ok || read.code !== "file-not-found") return read;
    const { listFiles } = await import("../files/list-files.ts");
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

  scriptsOf(skill: SkillRecord): readonly SkillScript[] {
    return scriptsOf(skill, this.#registry.inlineSkill(skill));
  }

  async scriptRequest(request: ScriptRequest): Promise<PreparedScript> {
    const { skill } = request;
    const inline = this.#registry.inlineSkill(skill);
    const { env = process.env } = this.#parts.opened;
    const { prepareScript } = await import("./skill-scripts.ts");
    const prepared = await prepareScript(request, inline, env);
    return (await this.#isStillTrusted(skill)) ? prepared : changedFailure(skill);
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
    options: ActivateOptions,
  ): Promise<Activation | ActivationFailure | SkillNotFound> {
    const activation = await this.#load(skill, this.ledger, options);
    if (activation.ok && options.by === "person") this.#visible.call(skill.id);
    const isHidden = !activation.ok && activation.code === "skill-hidden";
    return isHidden ? this.#visible.notFound(name) : activation;
  }

  async #load(
    skill: SkillRecord,
    ledger: Ledger,
    { arguments: typed, ...options }: ActivateOptions,
  ) {
    const { limits = {}, requirements, audience, locationOf, listsFile } = this.#options;
    const { roomTokens, maxBodyLines, maxOutputSizeBytes: maxBodyBytes, longBody } = limits;
    const { rules } = this.#parts.opened;
    const isForPerson = options.by === "person";
    const mayBeHidden = isForPerson || audience === "person" || this.#visible.wasCalled(skill);
    const all: ActivateOptions = {
      ...defined({
        roomTokens,
        maxBodyLines,
        maxBodyBytes,
        longBody,
        rules,
        locationOf,
        listsFile,
      }),
      ...requirements,
      ...options,
      ...(isForPerson && typed !== undefined && { arguments: typed }),
      by: mayBeHidden ? "person" : "model",
    };
    const inline = this.#registry.inlineSkill(skill);
    activation ??= await import("../activation/activate-skill.ts");
    return activation.activateSkill(skill, inline, ledger, all, () => this.#contentOf(skill));
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
    const skill = this.#recordOf(id);
    if (skill === undefined || !this.#visible.has(skill)) return undefined;
    const activation = await this.#load(skill, new Ledger(), {});
    if (!activation.ok) return undefined;
    const { digest, message, tokens } = activation;
    const active = { id, name, digest, message, tokens };
    this.ledger.replace(active);
    return active;
  }

  #recordOf(id: string): SkillRecord | undefined {
    return this.#registry.everything.find((record) => record.id === id);
  }

  #filesOf(skill: SkillRecord) {
    const inline = this.#registry.inlineSkill(skill);
    return inline === undefined ? { directory: skill.path } : { inline };
  }

  async #coordinatorsFirst(names: readonly string[]): Promise<string[]> {
    if (names.length < 2) return [...names];
    const { roleOf } = await import("../activation/skill-content.ts");
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

function changedFailure({ name }: SkillRecord): Failure<"skill-unusable"> {
  const message = `the skill ${name} has changed since it was trusted`;
  return { ok: false, code: "skill-unusable", message, hint: "It has to be trusted again." };
}
