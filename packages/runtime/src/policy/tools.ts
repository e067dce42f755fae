export type RiskClass = "low" | "medium" | "high";

export interface Tool {
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
export const OFF = { risk: "high", on: false, names: [] } as const satisfies Tool;

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
