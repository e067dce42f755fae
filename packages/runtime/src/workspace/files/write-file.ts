import { folderFailure } from "../confinement/folder-problem.ts";
import { openFolder } from "../confinement/open-folder.ts";
import { refuse, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import { type WritablePath, writablePath } from "../confinement/writable-path.ts";
import { defineWorkspaceTool, type WorkspaceTool } from "../input/define-workspace-tool.ts";
import { pathParameter } from "../input/path-parameter.ts";
import type { WorkspaceOptions } from "../workspace-options.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import { changeOf, type FileChange } from "./file-change.ts";
import { previousFile } from "./previous-file.ts";
import { replaceFile } from "./replace-file.ts";

export interface WriteFileResult extends FileChange {
  readonly ok: true;
}

export function writeFileTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "write_file",
    description:
      "Writes a whole text file in the working directory, making its folders as needed. An existing file is replaced. Answers with what changed, as a unified diff.",
    parameters: {
      path: pathParameter("The file, relative to the working directory."),
      content: {
        type: "string",
        description: "The whole new text of the file.",
        otherNames: ["text", "contents", "data", "file_text"],
        mayBeEmpty: true,
        private: true,
      },
    },
    run: async ({ path, content }) => writeWorkspaceFile(workspace, path, content),
    toText: ({ path, created, bytes, diff }) => {
      const head = `${created ? "Created" : diff === "" ? "Unchanged:" : "Replaced"} ${path}, ${bytes} bytes.`;
      return diff === "" ? head : `${head}\n${diff}`;
    },
  });
}

/** What a call would change, for whoever has to approve it. Nothing is written. */
export async function previewWrite(
  options: WorkspaceOptions,
  { path, content }: { readonly path: string; readonly content: string },
): Promise<WriteFileResult | WorkspaceFailure> {
  const workspace = openWorkspace(options);
  const writable = checked(workspace, path, content);
  if (!writable.ok) return writable;
  const opened = openFolder(writable.root, writable.folder);
  // Folders that are missing would be made.
  if (!opened.ok && opened.reason === "missing") {
    return { ok: true, ...(await changeOf(writable.path, undefined, content, workspace)) };
  }
  if (!opened.ok) return folderFailure(opened.reason, writable.folder);
  try {
    const previous = previousFile(opened.folder, writable, workspace);
    if (!previous.ok) return previous;
    return { ok: true, ...(await changeOf(writable.path, previous.file, content, workspace)) };
  } finally {
    opened.folder.close();
  }
}

async function writeWorkspaceFile(
  workspace: Workspace,
  path: string,
  content: string,
): Promise<WriteFileResult | WorkspaceFailure> {
  const writable = checked(workspace, path, content);
  if (!writable.ok) return writable;
  const opened = openFolder(writable.root, writable.folder, { create: true });
  if (!opened.ok) return folderFailure(opened.reason, writable.folder);
  const { folder } = opened;
  let isWritten = false;
  try {
    const previous = previousFile(folder, writable, workspace);
    if (!previous.ok) return previous;
    const failure = replaceFile(folder, writable, Buffer.from(content), previous.file);
    if (failure !== undefined) return failure;
    isWritten = true;
    return { ok: true, ...(await changeOf(writable.path, previous.file, content, workspace)) };
  } finally {
    if (!isWritten) folder.undoMade();
    folder.close();
  }
}

function checked(workspace: Workspace, path: string, content: string): WritablePath {
  if (path.endsWith("/")) return refuse("not-a-file", "a path with / at its end is a folder");
  const bytes = Buffer.byteLength(content);
  const { maxFileBytes } = workspace;
  if (bytes <= maxFileBytes) return writablePath(path, workspace);
  const message = `the text has ${bytes} bytes; the limit for files is ${maxFileBytes}`;
  return refuse("file-too-large", message, "Write it as several files.");
}
