import type { Configuration, ToolRule } from "@skillwright/core/internal";

export type RiskClass = "low" | "medium" | "high";

interface Tool {
  readonly risk: RiskClass;
  /** Whether the tool is offered when nothing is configured. */
  readonly on: boolean;
  /** Discloses skills: their own declarations do not restrict it. */
  readonly disclosure?: boolean;
  /** What skills, configurations and models call it, in lower case. */
  readonly names: readonly string[];
  /** Tools that do the same to a file: a rule that restricts this one restricts them, too. */
  readonly related?: readonly string[];
}

/** The words of a text; for long lists of plain names. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const READS = { risk: "low", on: true } as const;
const DISCLOSES = { ...READS, disclosure: true } as const;
/** Any tool that is not ours, too, until a rule or a switch names it. */
const OFF = { risk: "high", on: false, names: [] } as const satisfies Tool;

/** Every tool that is ours. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  Object.entries<Tool>({
    read_file: {
      ...READS,
      names: wordList("read view notebookread read_text_file view_file cat_file"),
      related: ["list_directory", "search_files"],
    },
    list_directory: { ...READS, names: wordList("ls glob list_dir list_files list_folder") },
    search_files: {
      ...READS,
      names: wordList("grep search grep_search search_file_content ripgrep"),
    },
    run_script: { risk: "medium", on: true, names: ["run_skill_script", "execute_script"] },
    write_file: {
      risk: "high",
      on: true,
      names: wordList(`
        write edit multiedit notebookedit edit_file create_file str_replace replace apply_patch
      `),
      related: ["delete_file"],
    },
    delete_file: { ...OFF, names: ["delete", "remove_file"] },
    run_command: {
      ...OFF,
      names: wordList("run_shell_command shell execute_command powershell terminal bash"),
    },
    network_request: { ...OFF, names: wordList("network webfetch web_fetch fetch http_request") },
    load_skill: { ...DISCLOSES, names: ["read_skill", "skill", "activate_skill"] },
    read_skill_file: { ...DISCLOSES, names: ["load_skill_asset"] },
    list_skill_files: { ...DISCLOSES, names: ["list_skill_directory", "list_skill_assets"] },
    search_skills: { ...DISCLOSES, names: [] },
    get_skill_script_path: { ...DISCLOSES, names: [] },
  }),
);

/** Tools whose rules are about paths. */
export const FILE_TOOLS: ReadonlySet<string> = new Set(
  wordList("read_file write_file delete_file list_directory search_files"),
);

const NAMES: ReadonlyMap<string, string> = new Map(
  [...TOOLS].flatMap(([tool, { names }]) => [tool, ...names].map((name) => [name, tool])),
);

/** Our name of a tool that was called; any other name stays as it is. */
export function toolName(name: string): string {
  return NAMES.get(name.toLowerCase()) ?? name;
}

/** The tools that a rule of this name permits. A shell covers commands and scripts alike. */
export function permittedTools(name: string): readonly string[] {
  return name.toLowerCase() === "bash" ? ["run_command", "run_script"] : [toolName(name)];
}

/** The tools that a rule of this name restricts: never fewer than it permits. */
export function restrictedTools(name: string): readonly string[] {
  return permittedTools(name).flatMap((tool) => [tool, ...(TOOLS.get(tool)?.related ?? [])]);
}

/** What policy says about a call. */
export type Decision = "allow" | "ask" | "deny";

/** How `allowed-tools` of a skill is read. */
export type AllowedToolsMode =
  /**
   * What a skill does not declare cannot be done on its behalf. A call that names no skill asks when no
   * active skill covers it.
   */
  | "ask"
  /** The same, but a call that names no skill counts for every active one, and is denied. */
  | "restrict"
  /** As `ask`, but what a trusted skill declares is approved beforehand. */
  | "grant"
  | "ignore";

/** The global configuration, as policy sees it. Names of tools may be any that the tool has. */
export interface PolicySettings {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly allowedTools: AllowedToolsMode;
  /** Tools switched on or off; a tool that is not named keeps its default. */
  readonly switches: Readonly<Record<string, boolean>>;
  /** Risk classes that differ from the default. */
  readonly risks: Readonly<Record<string, RiskClass>>;
  /** Whether files that hold secrets (`SECRET_FILES`) may be read after a yes, or never. */
  readonly secretReads: "ask" | "deny";
  /** What happens to a tool that is on and that no rule names. */
  readonly decisions: Readonly<Record<RiskClass, Decision>>;
}

/** Least privilege: reading is allowed, acting asks, the rest is off. */
export const DEFAULT_POLICY: PolicySettings = {
  allow: [],
  ask: ["write_file", "run_script", "network_request"],
  deny: [],
  allowedTools: "ask",
  switches: {},
  risks: {},
  secretReads: "ask",
  decisions: { low: "allow", medium: "ask", high: "ask" },
};

type PolicyConfiguration = Pick<Configuration, "execution" | "policy" | "workspace" | "skillTools">;

/**
 * The settings that a configuration means. `more` is the host's own word: its rules come to those of
 * the configuration, and what the configuration switches off stays off.
 */
export function policySettings(
  { execution, policy, workspace, skillTools }: PolicyConfiguration,
  more: Partial<PolicySettings> = {},
): PolicySettings {
  const switches = {
    read_file: workspace.enableReadFile,
    write_file: workspace.enableWriteFile,
    list_directory: workspace.enableListDirectory,
    search_files: workspace.enableSearchFiles,
    run_command: workspace.enableRunCommand,
    delete_file: policy.enableDeleteFile,
    network_request: policy.enableNetworkRequest,
    load_skill: workspace.enableReadSkill && skillTools.enableReadSkillTool,
    read_skill_file: skillTools.enableReadFileTool,
    list_skill_files: skillTools.enableListDirectoryTool,
  };
  return {
    ...DEFAULT_POLICY,
    allowedTools: policy.allowedTools,
    ...more,
    ...(policy.denySecretReads && { secretReads: "deny" }),
    allow: [...policy.allow, ...(more.allow ?? [])],
    ask: [...execution.require_approval_for, ...policy.ask, ...(more.ask ?? [])],
    deny: [...policy.deny, ...(more.deny ?? [])],
    switches: { ...more.switches, ...switches },
    risks: { ...policy.risks, ...more.risks },
  };
}

export interface ToolSettings {
  readonly risk: RiskClass;
  readonly on: boolean;
  readonly disclosure: boolean;
  /** One of the tools that come with the runtime. */
  readonly isOurs: boolean;
}

/** The settings of one tool, under whichever of its names they are given. */
export function toolSettings(
  tool: string,
  settings: PolicySettings,
  isOffered = false,
): ToolSettings {
  const known = TOOLS.get(tool);
  const { risk, on, disclosure = false }: Tool = known ?? OFF;
  const switches = valuesOf(settings.switches, tool);
  const risks = valuesOf(settings.risks, tool);
  return {
    // Of two settings for the same tool, the stricter one counts.
    risk: (["high", "medium", "low"] as const).find((one) => risks.includes(one)) ?? risk,
    on:
      switches.length === 0 ? on || (isOffered && known === undefined) : !switches.includes(false),
    disclosure,
    isOurs: known !== undefined,
  };
}

function valuesOf<Value>(values: Readonly<Record<string, Value>>, tool: string): readonly Value[] {
  return Object.entries(values)
    .filter(([name]) => toolName(name) === tool)
    .map(([, value]) => value);
}

/** Everything that a decision depends on. Nothing else is looked at: no file, no clock, no state. */
export interface PolicyRequest {
  /** The tool as it was called, under any of its names. */
  readonly tool: string;
  /** What it was called with: an object or its JSON text, its names in any case. */
  readonly input: unknown;
  /** The skill that the call names. Without one, the active skills count. */
  readonly skill?: PolicySkill;
  readonly activeSkills: readonly PolicySkill[];
  /** A tool of the host that it offers: it is on unless it is switched off. */
  readonly offered?: boolean;
  readonly settings: PolicySettings;
  readonly runPolicy?: NarrowingRules;
  readonly places: PolicyPlaces;
  /**
   * Where the paths of the call really lead, when a symlink is on the way. A rule that allows must
   * cover these too; a rule that denies needs only one of them.
   */
  readonly realPaths?: readonly string[];
  /** The command line of a script, interpreter first. Without it, one is derived from its name. */
  readonly commandLine?: readonly string[];
}

/** What policy has to know of a skill. */
export interface PolicySkill {
  readonly name: string;
  readonly trusted: boolean;
  /** Absent when the skill declares nothing; empty when it declares that it needs no tool. */
  readonly allowedTools?: readonly ToolRule[];
}

/** What one run adds. It can only narrow. */
export interface NarrowingRules {
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  /** When given, everything that these rules do not cover is denied. */
  readonly only?: readonly string[];
}

/** Absolute folders without links in them, for rules about paths. */
export interface PolicyPlaces {
  readonly workingDirectory: string;
  /** What `/x` in a rule counts from; the working directory when absent. */
  readonly project?: string;
  /** What `~/x` counts from. */
  readonly home?: string;
}

export interface PolicyDecision {
  readonly decision: Decision;
  /** One sentence for a person or a model. */
  readonly reason: string;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  readonly risk: RiskClass;
  /** When it asks: the active skills, if none of them lists the tool. */
  readonly unlistedBy?: readonly string[];
}

/** One rule of a list. */
export interface PolicyRule extends Partial<ToolRule> {
  /** As it was written. Without `tool`, it cannot be read: it permits nothing, and asks where it should restrict. */
  readonly text: string;
}
