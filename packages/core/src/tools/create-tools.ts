import type { Disclosure } from "../conversation/disclosure.ts";
import type { ConfigurationInput } from "../config/options.ts";
import { checkOptions, defined, oneOf, type OptionKinds } from "../internal/options.ts";
import type { CatalogOptions } from "../catalog/catalog-entry.ts";
import type { PresetParts, TextParameter } from "./preset-tool.ts";
import { autobotTools, lookupTools } from "./presets/lookup.ts";
import { scriptsTools } from "./presets/scripts.ts";
import { sopTools } from "./presets/sop.ts";
import { standardTools } from "./presets/standard.ts";
import {
  originOf,
  type ScriptExecutor,
  type SkillTool,
  type ToolPreset,
  type ToolProvider,
} from "./skill-tool.ts";
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

/** The first three are of `lookup`, and hold for the same tools of `standard`. */
export interface ToolSwitches {
  readonly enableReadSkillTool?: boolean;
  readonly enableReadFileTool?: boolean;
  readonly enableListDirectoryTool?: boolean;
  /** Of the preset `autobot`. */
  readonly enableReadSkill?: boolean;
}

export type CreateToolsOptions = ToolOptions & ToolSources;

interface Preset {
  readonly create: (parts: PresetParts) => SkillTool[];
  /** Every tool that it can have. */
  readonly names: readonly string[];
}

const PRESETS: Readonly<Record<ToolPreset, Preset>> = {
  standard: {
    create: standardTools,
    names: [
      "load_skill",
      "read_skill_file",
      "list_skill_files",
      "search_skills",
      "run_skill_script",
    ],
  },
  lookup: {
    create: lookupTools,
    names: ["read_skill", "read_skill_file", "list_skill_directory"],
  },
  scripts: { create: scriptsTools, names: ["load_skill", "run_skill_script"] },
  sop: {
    create: sopTools,
    names: [
      "search_skills",
      "load_skill",
      "load_skill_asset",
      "list_skill_assets",
      "get_skill_script_path",
    ],
  },
  autobot: { create: autobotTools, names: ["read_skill"] },
};

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
  const { create, names } = PRESETS[preset];
  const known = Object.fromEntries(
    [...names, ...others.map(({ name }) => name)].map((name) => [name, "any" as const]),
  );
  checkOptions("tools: enabled", options.enabled ?? {}, known);
  checkOptions("tools: rename", rename, known);
  const nameOf = (tool: string) => (Object.hasOwn(rename, tool) ? (rename[tool] ?? tool) : tool);
  const hasList = preset === "standard" && isEnabled(LIST_TOOL, preset, options);
  const generated = create({
    view,
    nameOf,
    listTool: hasList ? nameOf(LIST_TOOL) : undefined,
    executor,
    maxBytes: options.maxOutputSizeBytes,
    catalog: catalogOf(options),
    skillName: skillParameter(isListed, () => visibleNames(view)),
    scriptSkill: skillParameter(isListed, () =>
      executor === undefined ? [] : namesWithScripts(view, executor),
    ),
  }).filter((tool) => isEnabled(originOf(tool) ?? tool.name, preset, options));
  const tools = [...generated, ...others.filter(({ name }) => isEnabled(name, undefined, options))];
  checkNames(tools);
  return tools;
}

function catalogOf({ catalog, catalogBudgetTokens: budgetTokens }: ToolOptions): CatalogOptions {
  return { ...(budgetTokens === undefined ? undefined : { budgetTokens }), ...catalog };
}

function isEnabled(
  tool: string,
  preset: ToolPreset | undefined,
  { enabled = {}, switches = {} }: CreateToolsOptions,
): boolean {
  const given = Object.hasOwn(enabled, tool) ? enabled[tool] : undefined;
  if (given !== undefined) return given;
  const byName = switchesOf(preset, switches);
  return (Object.hasOwn(byName, tool) ? byName[tool] : undefined) ?? true;
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

function switchesOf(
  preset: ToolPreset | undefined,
  switches: ToolSwitches,
): Readonly<Record<string, boolean | undefined>> {
  const { enableReadSkillTool, enableReadFileTool, enableListDirectoryTool } = switches;
  switch (preset) {
    case "lookup":
      return {
        read_skill: enableReadSkillTool,
        read_skill_file: enableReadFileTool,
        list_skill_directory: enableListDirectoryTool,
      };
    case "standard":
      return {
        load_skill: enableReadSkillTool,
        read_skill_file: enableReadFileTool,
        list_skill_files: enableListDirectoryTool,
      };
    case "autobot":
      return { read_skill: switches.enableReadSkill };
    default:
      return {};
  }
}

/** Names are listed anew whenever a definition is read, while there are few. */
function skillParameter(isListed: boolean, namesNow: () => readonly string[]): TextParameter {
  const parameter = { type: "string", description: "Name of the skill." } as const;
  if (!isListed) return parameter;
  const names = () => {
    const all = namesNow();
    return all.length === 0 || all.length > MAX_ENUM ? undefined : all;
  };
  return { ...parameter, enum: names };
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
