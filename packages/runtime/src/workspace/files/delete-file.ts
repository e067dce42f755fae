import { lstatSync } from "node:fs";
import { folderFailure, openFolder } from "../confinement/open-folder.ts";
import {
  quotePath,
  systemFailure,
  type WorkspaceFailure,
} from "../confinement/workspace-failure.ts";
import { writablePath } from "../confinement/workspace-path.ts";
import { defineWorkspaceTool, type WorkspaceTool } from "../input/define-workspace-tool.ts";
import type { Workspace, WorkspaceOptions } from "../workspace.ts";
import { missingFile } from "./locate.ts";
import { moveToTrash, type TrashEntry } from "./trash.ts";

interface DeleteFileResult {
  readonly ok: true;
  readonly path: string;
  readonly kind: TrashEntry["kind"];
  /** Identifies it for a restore. */
  readonly trashId: string;
}

export function deleteFileTool(
  workspace: Workspace,
  { clock = () => new Date() }: WorkspaceOptions,
): WorkspaceTool {
  return defineWorkspaceTool({
    name: "delete_file",
    description:
      "Deletes a file, a link or an empty folder. It goes to the trash of this run, from which the user can restore it.",
    parameters: { path: { type: "string", description: "In the working directory." } },
    run: async ({ path }) => deleteWorkspaceFile(workspace, path, clock()),
    toText: ({ path, kind, trashId }) =>
      `Deleted the ${kind} ${quotePath(path)}; the user can restore it as ${trashId}.`,
  });
}

async function deleteWorkspaceFile(
  workspace: Workspace,
  given: string,
  now: Date,
): Promise<DeleteFileResult | WorkspaceFailure> {
  const writable = writablePath(given, workspace);
  if (!writable.ok) return writable;
  const { root, folder: segments, name, path } = writable;
  const opened = openFolder(root, segments);
  if (!opened.ok) return folderFailure(opened.reason, segments);
  const { folder } = opened;
  try {
    const stats = lstatSync(folder.child(name), { throwIfNoEntry: false });
    if (stats === undefined) return missingFile(workspace, given);
    const other = stats.isDirectory() ? "folder" : "file";
    const kind = stats.isSymbolicLink() ? "link" : other;
    const entry = { path, kind, mode: stats.mode, deletedAt: now.toISOString() } as const;
    const result = moveToTrash(workspace, folder, name, entry);
    if (!result.ok) return result;
    await workspace.changes?.supersede(path);
    return { ...result, path, kind };
  } catch (error) {
    return systemFailure(error, quotePath(path), "write-failed");
  } finally {
    folder.close();
  }
}
