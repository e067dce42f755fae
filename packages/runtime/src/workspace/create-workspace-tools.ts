import type { ToolProvider } from "@skillwright/core/internal";
import { runCommandTool } from "./command/run-command.ts";
import { deleteFileTool } from "./files/delete-file.ts";
import { editFileTool } from "./files/edit-file.ts";
import { listDirectoryTool, readFileTool } from "./files/read-file.ts";
import { writeFileTool } from "./files/write-file.ts";
import { networkRequestTool } from "./network/network-request.ts";
import { searchFilesTool } from "./search/search-files.ts";
import { openWorkspace, type WorkspaceOptions, type WorkspaceTool } from "./workspace.ts";

export interface WorkspaceTools extends ToolProvider {
  tools(): readonly WorkspaceTool[];
}

/**
 * The tools that work on the user's files. A switch only offers a tool; whether a call may happen is
 * for the policy to decide before `execute`.
 */
export function createWorkspaceTools(options: WorkspaceOptions): WorkspaceTools {
  const workspace = openWorkspace(options);
  const offered = [
    [options.enableReadFile ?? true, readFileTool],
    [options.enableListDirectory ?? true, listDirectoryTool],
    [options.enableSearchFiles ?? true, searchFilesTool],
    [options.enableWriteFile ?? true, writeFileTool],
    [options.enableWriteFile ?? true, editFileTool],
    [options.enableDeleteFile ?? false, deleteFileTool],
    [options.enableRunCommand ?? false, runCommandTool],
    [options.enableNetworkRequest ?? false, networkRequestTool],
  ] as const;
  const tools = offered.flatMap(([isOn, tool]) => (isOn ? [tool(workspace, options)] : []));
  return { tools: () => tools };
}
