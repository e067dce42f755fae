export type RiskClass = "low" | "medium" | "high";

export interface ToolRisk {
  readonly risk: RiskClass;
  /** Whether the tool is offered when nothing is configured. */
  readonly on: boolean;
  /** Discloses skills: their own declarations do not stand in its way. */
  readonly disclosure?: true;
}

/** Every tool that is ours. Any other tool is high and off until a rule or a switch names it. */
export const RISK_CLASSES: ReadonlyMap<string, ToolRisk> = new Map<string, ToolRisk>([
  ["read_file", { risk: "low", on: true }],
  ["list_directory", { risk: "low", on: true }],
  ["search_files", { risk: "low", on: true }],
  ["run_script", { risk: "medium", on: true }],
  ["write_file", { risk: "high", on: true }],
  ["delete_file", { risk: "high", on: false }],
  ["run_command", { risk: "high", on: false }],
  ["network_request", { risk: "high", on: false }],
  ["load_skill", { risk: "low", on: true, disclosure: true }],
  ["read_skill_file", { risk: "low", on: true, disclosure: true }],
  ["list_skill_files", { risk: "low", on: true, disclosure: true }],
  ["search_skills", { risk: "low", on: true, disclosure: true }],
  ["get_skill_script_path", { risk: "low", on: true, disclosure: true }],
]);

export const UNKNOWN_TOOL: ToolRisk = { risk: "high", on: false };
