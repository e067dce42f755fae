import { expect, it } from "vitest";
import { workspaceToolName } from "../index.ts";

it.each([
  ["list_dir", "list_directory"],
  ["Grep", "search_files"],
  ["network", "network_request"],
  ["run_shell_command", "run_command"],
  ["READ_FILE", "read_file"],
  ["toString", undefined],
  ["run_script", undefined],
])("X-10 the name %s stands for %s", (name, tool) => {
  expect(workspaceToolName(name)).toBe(tool);
});
