import { quotePath, refuse, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import { defineWorkspaceTool, type WorkspaceTool } from "../input/define-workspace-tool.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../workspace.ts";
import { changeFile, changeText, type FileChange, type PlannedChange } from "./change-file.ts";

/** `appended`: the content was added at the end. */
export type WriteFileResult = FileChange & { readonly appended?: boolean };

export interface WriteFileInput {
  readonly path: string;
  readonly content: string;
  /** Adds the content at the end instead. Default: false. */
  readonly append?: boolean | undefined;
}

export function writeFileTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "write_file",
    description: "Writes a whole text file, or appends to it. To change a part, use edit_file.",
    parameters: {
      path: { type: "string", description: "In the working directory." },
      content: { type: "string", description: "The whole text.", mayBeEmpty: true, private: true },
      append: { type: "boolean", optional: true, description: "Add to the end instead." },
    },
    run: async (input): Promise<WriteFileResult | WorkspaceFailure> => {
      const result = await changeFile(workspace, plannedWrite(input));
      return result.ok && input.append === true ? { ...result, appended: true } : result;
    },
    toText: (result) => changeText(result, result.appended === true ? "Appended to" : "Replaced"),
  });
}

/** What a call of `write_file` would change, for the person who approves it. Nothing is written. */
export async function previewWrite(
  options: WorkspaceOptions,
  input: WriteFileInput,
): Promise<WriteFileResult | WorkspaceFailure> {
  return changeFile(openWorkspace(options), plannedWrite(input), true);
}

function plannedWrite({ path, content, append = false }: WriteFileInput): PlannedChange {
  return {
    path,
    newText(previous) {
      if (!append || previous === "missing") return { ok: true, text: content };
      const { text } = previous;
      if (text !== undefined) return { ok: true, text: text + content };
      return refuse("file-binary", `${quotePath(path)} is not text, or too large to append to`);
    },
  };
}
