import type { Configuration } from "@skillwright/core/internal";
import { OFF, type RiskClass, type Tool, toolName, TOOLS } from "./tools.ts";

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
