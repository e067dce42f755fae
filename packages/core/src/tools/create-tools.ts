import type { Disclosure } from "../conversation/disclosure.ts";
import type { ConfigurationInput } from "../config/options.ts";
import { checkOptions, defined, oneOf, type OptionKinds } from "../internal/options.ts";
import type { CatalogOptions } from "../catalog/catalog-entry.ts";
import { type PresetParts, presetTool } from "./preset-tool.ts";
import { PRESETS, type ToolSwitches } from "./presets.ts";
import type { ScriptExecutor, SkillTool, ToolPreset, ToolProvider } from "./skill-tool.ts";
import { namesWithScripts } from "./run-script.ts";
import { visibleNames } from "./read-text.ts";

export interface ToolOptions {
  /** Default: "standard". */
  readonly preset?: ToolPreset;
  /** Tools that are switched off, or on, by their names in the preset. */
  readonly enabled?: Readonly<Partial<Record<string, boolean>>>;
  /** Other names for the preset's tools. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Tools of the host beside the generated ones. */
  readonly own?: readonly SkillTool[];
  /** How the catalog is made. `standard` has a search tool when not all fits into its budget. */
  readonly catalog?: CatalogOptions;
  /** The same as `catalog: { budgetTokens }`. */
  readonly catalogBudgetTokens?: number;
  /** Let the schema list the names of skills, up to 50. Default: yes for `standard`, else no. */
  readonly nameEnum?: boolean;
  /** Bytes that one read of a skill gives at most. Default: the view's limit. */
  readonly maxOutputSizeBytes?: number;
}

/** What a conversation gives beside the options of one call. */
interface ToolSources {
  /** More tools; they come with every preset. */
  readonly providers?: readonly ToolProvider[];
  /** Without one no script tool is offered. */
  readonly executor?: ScriptExecutor;
  /** Switches under the names of the founding documents. */
  readonly switches?: ToolSwitches;
}

export type CreateToolsOptions = ToolOptions & ToolSources;

const OPTIONS: OptionKinds<CreateToolsOptions> = {
  preset: oneOf(...Object.keys(PRESETS)),
  enabled: "object",
  rename: "object",
  own: "list",
  providers: "list",
  executor: "object",
  switches: "object",
  catalog: "object",
  catalogBudgetTokens: "number",
  nameEnum: "boolean",
  maxOutputSizeBytes: "number",
};

const MAX_ENUM = 50;
const LIST_TOOL = "list_skill_files";

/** The tools that a model of this view can call now: the preset's, the host's own, the providers'. */
export function createTools(view: Disclosure, options: CreateToolsOptions = {}): SkillTool[] {
  checkOptions("tools", options, OPTIONS);
  const { preset = "standard", own = [], providers = [], rename = {}, executor } = options;
  const isListed = options.nameEnum ?? preset === "standard";
  const others = [...own, ...providers.flatMap((provider) => [...provider.tools()])];
  const { tools: definitions, switches = {}, ...how } = PRESETS[preset];
  const names = [...definitions, ...others].map(({ name }) => name);
  const known = Object.fromEntries(names.map((name) => [name, "any" as const]));
  checkOptions("tools: enabled", options.enabled ?? {}, known);
  checkOptions("tools: rename", rename, known);
  const nameOf = (tool: string) => ownValue(rename, tool) ?? tool;
  const isEnabled = (tool: string) => {
    const switchName = ownValue(switches, tool);
    const isSwitchedOn = switchName === undefined ? undefined : options.switches?.[switchName];
    return ownValue(options.enabled ?? {}, tool) ?? isSwitchedOn ?? true;
  };
  const hasList = preset === "standard" && isEnabled(LIST_TOOL);
  const parts: PresetParts = {
    view,
    nameOf,
    listTool: hasList ? nameOf(LIST_TOOL) : undefined,
    executor,
    maxBytes: options.maxOutputSizeBytes,
    catalog: { ...defined({ budgetTokens: options.catalogBudgetTokens }), ...options.catalog },
    /** Names are listed anew whenever a definition is read, while there are few. */
    namesOf(skills) {
      if (!isListed) return undefined;
      const all = skills === "all" ? visibleNames(view) : namesWithScripts(view, executor);
      return all.length === 0 || all.length > MAX_ENUM ? undefined : all;
    },
    toAnswer: how.failure ?? ((failure) => failure),
  };
  const offered = how.isOffered?.(parts) === false ? [] : definitions;
  const tools = [
    ...offered
      .filter((one) => isEnabled(one.name) && one.isOffered?.(parts) !== false)
      .map((one) => presetTool(one, parts)),
    ...others.filter(({ name }) => ownValue(options.enabled ?? {}, name) ?? true),
  ];
  checkNames(tools);
  return tools;
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The switches of a configuration, by their names there. */
export function toolSwitches({ skillTools, workspace }: ConfigurationInput): ToolSwitches {
  return defined({
    enableReadSkillTool: skillTools?.enableReadSkillTool,
    enableReadFileTool: skillTools?.enableReadFileTool,
    enableListDirectoryTool: skillTools?.enableListDirectoryTool,
    enableReadSkill: workspace?.enableReadSkill,
  });
}

/** A model could not call a tool without a name, nor tell two of one name apart: mistakes of the host. */
function checkNames(tools: readonly SkillTool[]): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (name.trim() === "") throw new TypeError("a tool has no name");
    if (names.has(name)) throw new TypeError(`two tools are named ${JSON.stringify(name)}`);
    names.add(name);
  }
}
