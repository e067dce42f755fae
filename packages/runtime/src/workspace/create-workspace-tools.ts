import type { ToolProvider } from "@skillwright/core";
import { runCommandTool } from "./command/run-command.ts";
import { deleteFileTool } from "./files/delete-file.ts";
import { editFileTool } from "./files/edit-file.ts";
import { listDirectoryTool } from "./files/list-directory.ts";
import { readFileTool } from "./files/read-file.ts";
import { writeFileTool } from "./files/write-file.ts";
import type { WorkspaceTool } from "./input/define-workspace-tool.ts";
import { networkRequestTool } from "./network/network-request.ts";
import { searchFilesTool } from "./search/search-files.ts";
import { openWorkspace, type WorkspaceOptions } from "./workspace.ts";

export interface WorkspaceTools extends ToolProvider {
  tools(): readonly WorkspaceTool[];
}

/**
 * The tools that work on the user's files. A switch only offers a tool; whether a call may happen is
 * for the policy to decide before `execute`.
 */
export function createWorkspaceTools(options: WorkspaceOptions): WorkspaceTools {
  const workspace = openWorkspace(options);
  const { clock = () => new Date() } = options;
  const offered: readonly (readonly [isOn: boolean, tool: () => WorkspaceTool])[] = [
    [options.enableReadFile ?? true, () => readFileTool(workspace)],
    [options.enableListDirectory ?? true, () => listDirectoryTool(workspace)],
    [
      options.enableSearchFiles ?? true,
      () => searchFilesTool(workspace, options.searchTimeoutSeconds ?? 10),
    ],
    [options.enableWriteFile ?? true, () => writeFileTool(workspace)],
    [options.enableWriteFile ?? true, () => editFileTool(workspace)],
    [options.enableDeleteFile ?? false, () => deleteFileTool(workspace, clock)],
    [options.enableRunCommand ?? false, () => runCommandTool(workspace, commandOptions(options))],
    [options.enableNetworkRequest ?? false, () => networkRequestTool(networkOptions(options))],
  ];
  const tools = offered.flatMap(([isOn, tool]) => (isOn ? [tool()] : []));
  return { tools: () => tools };
}

function commandOptions({ commandRunner, commandTimeoutSeconds, onOutput }: WorkspaceOptions) {
  return { runner: commandRunner, timeoutSeconds: commandTimeoutSeconds ?? 60, onOutput };
}

function networkOptions(options: WorkspaceOptions) {
  return {
    allowedDomains: options.allowedDomains ?? [],
    timeoutSeconds: options.networkTimeoutSeconds ?? 30,
    maxBytes: options.maxOutputSizeBytes ?? 102_400,
    transport: options.transport,
    lookup: options.lookup,
  };
}
