import type { Activation, ActivationFailure } from "../activation/activate-skill.ts";
import type { RequirementOptions } from "../activation/check-requirements.ts";
import type { CatalogOptions } from "../catalog/catalog-options.ts";
import { type Catalog, catalogLevel, type Level } from "../catalog/render-catalog.ts";
import type { ConfigurationInput } from "../config/options.ts";
import type { FileList } from "../files/list-files.ts";
import type { ReadFileOptions, ReadFileResult } from "../files/read-file.ts";
import type { Explanation } from "../registry/explain.ts";
import { type RegistryOptions, sourceOf, startRegistry } from "../registry/open-registry.ts";
import { SkillRegistry } from "../registry/skill-registry.ts";
import type { Embedder } from "../search/create-hybrid-index.ts";
import { type SearchStore, SkillSearch } from "../search/skill-search.ts";
import type { SkillSource } from "../sources/skill-source.ts";
import {
  restoredOptions,
  restoredSource,
  restoreState,
  type SavedOptions,
  type SkillsState,
  trustAsSaved,
} from "../state/skills-state.ts";
import { createTools, type ToolOptions } from "../tools/create-tools.ts";
import type { ScriptExecutor, SkillTool, ToolProvider } from "../tools/skill-tool.ts";
import { safeLogger } from "./skill-service.ts";
import { skillInstructions } from "./skill-instructions.ts";
import {
  type ActivateSeveralOptions,
  type Deactivation,
  type SeveralActivations,
  SkillsView,
  type ViewActivateOptions,
  type ViewFindResult,
  type ViewLimits,
  type ViewOptions,
  type ViewSearchHit,
} from "./skills-view.ts";

export interface OpenSkillsOptions extends RegistryOptions {
  /**
   * What `save()` gave: its options hold where none are given here, its ledger goes on, and its
   * skills are there until the next look at the files, also those that are gone. What has another
   * shape is a state without skills.
   */
  readonly restore?: unknown;
  /** Options by their names in configuration files: switches of tools, limits. */
  readonly configuration?: ConfigurationInput;
  /** Runs scripts; the runtime package has one. Without it no script tool is offered. */
  readonly executor?: ScriptExecutor;
  /** More tools beside the generated ones. */
  readonly toolProviders?: readonly ToolProvider[];
  /** Variables that requirements of skills name, and PATH. Default: those of the process. */
  readonly env?: RequirementOptions["env"];
  /** Keeps the search index between processes; see `diskSearchStore`. */
  readonly searchStore?: SearchStore;
  /** Ranks by meaning beside the words of a search; none is bundled. */
  readonly embedder?: Embedder;
}

export interface SkillExplanation extends Explanation {
  /** What the catalog holds of it: all, the start of its description, its name, or nothing. */
  readonly catalog?: Level;
}

type NotFound = Extract<ViewFindResult, { ok: false }>;

/** The registry, and the skills as one agent meets them. For several agents, take a view for each. */
export class Skills extends SkillRegistry {
  readonly #search: SkillSearch;
  readonly #options: OpenSkillsOptions;
  readonly #view: SkillsView;

  constructor(source: SkillSource, options: OpenSkillsOptions) {
    super(source, options);
    const { searchStore: store, embedder, logger, restore } = options;
    this.#options = options;
    this.#search = new SkillSearch(this, { store, embedder, logger });
    const saved = restore === undefined ? undefined : { ledger: restoreState(restore).ledger };
    this.#view = this.view(saved);
  }

  /** What one agent sees in one conversation, apart from all others. */
  view(options: ViewOptions = {}): SkillsView {
    return new SkillsView(this, this.#search, {
      ...options,
      limits: { ...limitsOf(this.#options), ...options.limits },
      requirements: { ...requirementsOf(this.#options), ...options.requirements },
      ...(this.#options.rules && { rules: this.#options.rules }),
    });
  }

  /** Everything about a name, and how much a catalog within this budget would say of it. */
  override explain(
    name: string,
    { budgetTokens }: { readonly budgetTokens?: number } = {},
  ): SkillExplanation {
    const explanation = super.explain(name);
    if (!explanation.visibleToModel) return explanation;
    const budget = budgetTokens === undefined ? {} : { budgetTokens };
    const catalog = catalogLevel(explanation.name, this.all, budget);
    return catalog === undefined ? explanation : { ...explanation, catalog };
  }

  /** Level 1: all skills in a few lines each. */
  catalog(options?: CatalogOptions): Catalog {
    return this.#view.catalog(options);
  }

  search(query: string, options?: { limit?: number }): Promise<ViewSearchHit[]> {
    return this.#view.search(query, options);
  }

  /** Level 2: the instructions of one skill. */
  activate(
    name: string,
    options?: ViewActivateOptions,
  ): Promise<Activation | ActivationFailure | NotFound> {
    return this.#view.activate(name, options);
  }

  activateSeveral(
    names: readonly string[],
    options?: ActivateSeveralOptions,
  ): Promise<SeveralActivations> {
    return this.#view.activateSeveral(names, options);
  }

  /** Takes a skill out of context. */
  deactivate(name: string): Deactivation {
    return this.#view.deactivate(name);
  }

  listFiles(name: string, options?: { under?: string }): Promise<FileList | NotFound> {
    return this.#view.listFiles(name, options);
  }

  /** Level 3: one file, or a part of it. */
  readFile(
    name: string,
    path: string,
    options?: ReadFileOptions,
  ): Promise<ReadFileResult | NotFound> {
    return this.#view.readFile(name, path, options);
  }

  /** The active skills again, for a conversation that was compacted. */
  reattach(options?: { budgetTokens?: number }): ReturnType<SkillsView["reattach"]> {
    return this.#view.reattach(options);
  }

  /** What a model can call. */
  tools(options: ToolOptions & { readonly view?: SkillsView } = {}): SkillTool[] {
    const { executor, toolProviders, configuration } = this.#options;
    const { view = this.#view, ...given } = options;
    return createTools(view, {
      ...(executor && { executor }),
      ...(toolProviders && { providers: toolProviders }),
      ...(configuration && { switches: switchesOf(configuration) }),
      ...given,
    });
  }

  /** What a model is told: how to use its skills with these tools, and the catalog. */
  instructions(options: CatalogOptions & { readonly tools?: readonly SkillTool[] } = {}): string {
    const { tools, ...catalog } = options;
    const offered = tools ?? this.tools({ catalog });
    return skillInstructions(this.#view, offered, catalog);
  }

  /** Plain JSON from which `openSkills({ restore })` goes on. */
  save(): SkillsState {
    const { cwd, roots, directory, names, disabled, configuration } = this.#options;
    const given = { cwd, roots: roots?.filter(isText), directory, names, disabled, configuration };
    const options = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as SavedOptions;
    const state = { schemaVersion: 1, options, skills: this.all, ledger: this.#view.ledger.save() };
    return structuredClone(state) as SkillsState;
  }
}

function requirementsOf({ env }: OpenSkillsOptions): Partial<RequirementOptions> {
  return env === undefined ? {} : { env };
}

function limitsOf({ configuration }: OpenSkillsOptions): ViewLimits {
  const maxOutputSizeBytes = configuration?.skillTools?.maxOutputSizeBytes;
  const maxBodyLines = configuration?.security?.max_skill_body_lines;
  return {
    ...(maxOutputSizeBytes === undefined ? undefined : { maxOutputSizeBytes }),
    ...(maxBodyLines === undefined ? undefined : { maxBodyLines }),
  };
}

function switchesOf({ skillTools, workspace }: NonNullable<OpenSkillsOptions["configuration"]>) {
  const switches = {
    enableReadSkillTool: skillTools?.enableReadSkillTool,
    enableReadFileTool: skillTools?.enableReadFileTool,
    enableListDirectoryTool: skillTools?.enableListDirectoryTool,
    enableReadSkill: workspace?.enableReadSkill,
  };
  return Object.fromEntries(Object.entries(switches).filter(([, value]) => value !== undefined));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

export async function openSkills(asGiven: OpenSkillsOptions = {}): Promise<Skills> {
  const { logger } = asGiven;
  const given = logger === undefined ? asGiven : { ...asGiven, logger: safeLogger(logger) };
  if (given.restore === undefined) return start(new Skills(sourceOf(given), given), given);
  const state = restoreState(given.restore);
  const options = { ...trustAsSaved(state), ...restoredOptions(state, given) };
  const source = restoredSource(sourceOf(options), state, given);
  return start(new Skills(source, options), options);
}

async function start(skills: Skills, options: OpenSkillsOptions): Promise<Skills> {
  const { validateOnStartup = options.configuration?.skillTools?.validateOnStartup } = options;
  await startRegistry(skills, {
    ...options,
    ...(validateOnStartup === undefined ? undefined : { validateOnStartup }),
  });
  return skills;
}
