import type { Workspace } from "../workspace.ts";
import { matchingFile, PROTECTED_FILES } from "./protected-files.ts";
import { quotePath } from "./quote-path.ts";
import { noWorkingDirectory } from "./resolve-inside.ts";
import { refuse, type WorkspaceFailure } from "./workspace-failure.ts";
import { isForeign, parseWorkspacePath } from "./workspace-path.ts";

export type WritablePath =
  | {
      readonly ok: true;
      readonly root: string;
      readonly path: string;
      /** The folder it lies in, in parts from the root. */
      readonly folder: readonly string[];
      readonly name: string;
    }
  | WorkspaceFailure;

/** A path that may be written or deleted as far as its name tells; nothing is opened. */
export function writablePath(given: string, workspace: Workspace): WritablePath {
  const { root } = workspace;
  if (root === undefined) return noWorkingDirectory(workspace);
  const parsed = parseWorkspacePath(given, workspace);
  if (!parsed.ok) return parsed;
  const { segments } = parsed;
  const name = segments.at(-1);
  const path = segments.join("/");
  const shown = quotePath(path);
  if (name === undefined) return refuse("not-a-file", "that is the working directory itself");
  if (isForeign(segments)) {
    return refuse("path-invalid", `the path ${shown} means something else on other systems`);
  }
  const pattern = matchingFile(segments, [...PROTECTED_FILES, ...workspace.protectedFiles]);
  if (pattern !== undefined) {
    return refuse(
      "file-protected",
      `${shown} is protected (${pattern}) and is not changed by a tool`,
      "Tell the user what should be changed there, and why.",
    );
  }
  return { ok: true, root, path, folder: segments.slice(0, -1), name };
}
