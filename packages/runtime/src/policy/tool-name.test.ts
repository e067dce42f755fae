import { expect, it } from "vitest";
import { toolName } from "../internal/index.ts";

it.each([
  ["list_dir", "list_directory"],
  ["Grep", "search_files"],
  ["network", "network_request"],
  ["run_shell_command", "run_command"],
  ["READ_FILE", "read_file"],
  ["toString", "toString"],
  ["run_script", "run_script"],
])("X-10 the name %s stands for %s", (name, tool) => {
  expect(toolName(name)).toBe(tool);
});
