export const WORKSPACE_TOOLS = [
  "read_file",
  "write_file",
  "edit_file",
  "delete_file",
  "list_directory",
  "search_files",
  "run_command",
  "network_request",
] as const;

export type WorkspaceToolName = (typeof WORKSPACE_TOOLS)[number];

/** Other names of the same tools, in configuration, in `allowed-tools` and in calls. */
const OTHER_NAMES: ReadonlyMap<string, WorkspaceToolName> = new Map([
  ["list_dir", "list_directory"],
  ["grep", "search_files"],
  ["network", "network_request"],
  ["run_shell_command", "run_command"],
]);

/** The workspace tool with this name, in any case; undefined for any other name. */
export function workspaceToolName(name: string): WorkspaceToolName | undefined {
  const folded = name.toLowerCase();
  return WORKSPACE_TOOLS.find((tool) => tool === folded) ?? OTHER_NAMES.get(folded);
}
