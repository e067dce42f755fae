import type { Activation, ActivationFailure } from "../activation/activate-skill.ts";
import type { RequirementOptions } from "../activation/check-requirements.ts";
import { catalogLevel } from "../catalog/catalog-level.ts";
import type { Level } from "../catalog/choose-levels.ts";
import type { Catalog } from "../catalog/render-catalog.ts";
import type { CatalogOptions } from "../catalog/catalog-options.ts";
import type { FileList } from "../files/list-files.ts";
import type { ReadFileOptions, ReadFileResult } from "../files/read-file.ts";
import type { Explanation } from "../registry/explain.ts";
import { SkillRegistry } from "../registry/skill-registry.ts";
import { SkillSearch } from "../search/skill-search.ts";
import type { SkillSource } from "../sources/skill-source.ts";
import { restoreState, type SavedOptions, type SkillsState } from "../state/skills-state.ts";
import { createTools, type ToolOptions } from "../tools/create-tools.ts";
import type { SkillTool } from "../tools/skill-tool.ts";
import { skillInstructions } from "./skill-instructions.ts";
import type { OpenSkillsOptions } from "./open-skills-options.ts";
import {
  type ActivateSeveralOptions,
  type Deactivation,
  type SeveralActivations,
  SkillsView,
  type ViewActivateOptions,
  type ViewSearchHit,
} from "./skills-view.ts";
import type { ViewFindResult } from "./visible-skills.ts";
import type { ViewLimits, ViewOptions } from "./view-options.ts";

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
