import { plural } from "@skillwright/core/internal";
import { quotePath, refuse, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import {
  defineWorkspaceTool,
  pathParameter,
  type WorkspaceTool,
} from "../input/define-workspace-tool.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../workspace.ts";
import {
  changeFile,
  type FileChange,
  type PlannedChange,
  previewChange,
  textOf,
} from "./change-file.ts";

export interface WriteFileResult extends FileChange {
  readonly ok: true;
  /** The content was added at the end. */
  readonly appended?: boolean;
}

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
      path: pathParameter("In the working directory."),
      content: {
        type: "string",
        description: "The whole text.",
        otherNames: ["text", "contents", "data", "file_text"],
        mayBeEmpty: true,
        private: true,
      },
      append: {
        type: "boolean",
        optional: true,
        description: "Add to the end instead.",
      },
    },
    run: async (input) => {
      const result = await changeFile(workspace, plannedWrite(input));
      return result.ok && input.append === true ? { ...result, appended: true } : result;
    },
    toText: (result: WriteFileResult) =>
      changeText(result, result.appended === true ? "Appended to" : "Replaced"),
  });
}

/** What a call of `write_file` would change, for the person who approves it. Nothing is written. */
export async function previewWrite(
  options: WorkspaceOptions,
  input: WriteFileInput,
): Promise<WriteFileResult | WorkspaceFailure> {
  return previewChange(openWorkspace(options), plannedWrite(input));
}

/** What a model reads after a change. It knows the content of a new file, so that has no diff. */
export function changeText(change: FileChange, done: string): string {
  const { path, created, lines, bytes, diff, replacements } = change;
  const size = `${plural(lines, "line")}, ${plural(bytes, "byte")}`;
  if (created) return `Created ${path} (${size}).`;
  if (diff === "") return `${path} already had this content (${size}).`;
  const count = replacements === undefined ? "" : `${plural(replacements, "replacement")}; `;
  return `${done} ${path} (${count}now ${size}):\n${diff}`;
}

function plannedWrite({ path, content, append = false }: WriteFileInput): PlannedChange {
  return {
    path,
    newText(previous) {
      if (!append || previous === undefined) return { ok: true, text: content };
      const text = textOf(previous);
      if (text !== undefined) return { ok: true, text: text + content };
      return refuse("file-binary", `${quotePath(path)} is not text, or too large to append to`);
    },
  };
}
