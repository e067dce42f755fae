/** The words of a text; for long lists of plain names. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Names that skills, configurations and models use, in lower case, for a tool of ours. */
const NAMES: ReadonlyMap<string, string> = namesOf({
  read_file: ["read", "view", "notebookread", "read_text_file", "view_file", "cat_file"],
  list_directory: ["ls", "glob", "list_dir", "list_files", "list_folder"],
  search_files: ["grep", "search", "grep_search", "search_file_content", "ripgrep"],
  write_file: wordList(`
    write edit multiedit notebookedit edit_file create_file str_replace replace
    apply_patch
  `),
  delete_file: ["delete", "remove_file"],
  run_command: ["run_shell_command", "shell", "execute_command", "powershell", "terminal"],
  run_script: ["run_skill_script", "execute_script"],
  network_request: ["network", "webfetch", "web_fetch", "fetch", "http_request"],
  load_skill: ["read_skill", "skill", "activate_skill"],
  read_skill_file: ["load_skill_asset"],
  list_skill_files: ["list_skill_directory", "list_skill_assets"],
  search_skills: [],
  get_skill_script_path: [],
});

/** Tools whose rules are about paths. */
export const FILE_TOOLS: ReadonlySet<string> = new Set(
  wordList("read_file write_file delete_file list_directory search_files"),
);

/** A shell covers commands and scripts alike. */
const SHELL = "bash";
const SHELL_TOOLS = ["run_command", "run_script"] as const;

/** Tools that do the same to a file; a rule that restricts one restricts the others. */
const RELATED: ReadonlyMap<string, readonly string[]> = new Map([
  ["read_file", ["read_file", "list_directory", "search_files"]],
  ["write_file", ["write_file", "delete_file"]],
]);

/** Our name of a tool that was called; any other name stays as it is. */
export function toolName(name: string): string {
  const folded = name.toLowerCase();
  return folded === SHELL ? "run_command" : (NAMES.get(folded) ?? name);
}

/** The tools that a rule of this name permits. */
export function permittedTools(name: string): readonly string[] {
  return name.toLowerCase() === SHELL ? SHELL_TOOLS : [toolName(name)];
}

/** The tools that a rule of this name restricts: never fewer than it permits. */
export function restrictedTools(name: string): readonly string[] {
  const tools = permittedTools(name);
  return tools.flatMap((tool) => RELATED.get(tool) ?? [tool]);
}

function namesOf(tools: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(tools).flatMap(([tool, names]) => [tool, ...names].map((name) => [name, tool])),
  );
}

export type RiskClass = "low" | "medium" | "high";

export interface ToolRisk {
  readonly risk: RiskClass;
  /** Whether the tool is offered when nothing is configured. */
  readonly on: boolean;
  /** Discloses skills: their own declarations do not restrict it. */
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
