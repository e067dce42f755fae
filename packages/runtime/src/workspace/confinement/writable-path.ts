import { join } from "node:path";
import type { Workspace } from "../workspace.ts";
import {
  controlFolderOf,
  foldName,
  REPOSITORY_HEAD,
  SKILL_FILE,
  SKILL_ROOT,
} from "./control-names.ts";
import { matchingFile, PROTECTED_FILES } from "./protected-files.ts";
import { isBareRepository } from "./bare-repository.ts";
import { quotePath } from "./quote-path.ts";
import { skillFilesIn } from "./skill-files.ts";
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

/** A path that may be written or deleted as far as its name tells; it is not opened. */
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
  const control = controlFolderOf(root) ?? (isBareRepository(root) ? "a repository" : undefined);
  if (control !== undefined) {
    return refuse(
      "file-protected",
      `the working directory lies in ${control}, where nothing is changed by a tool`,
      "Start in the folder of the project itself.",
    );
  }
  const pattern =
    matchingFile(segments, [...PROTECTED_FILES, ...workspace.protectedFiles]) ??
    protectedByPlace(root, segments);
  if (pattern !== undefined) {
    return refuse(
      "file-protected",
      `${shown} is protected (${pattern}) and is not changed by a tool`,
      "Tell the user what should be changed there, and why.",
    );
  }
  return { ok: true, root, path, folder: segments.slice(0, -1), name };
}

/** Names that are protected only where they mean something. */
function protectedByPlace(root: string, segments: readonly string[]): string | undefined {
  const [first, last] = [segments[0] ?? "", segments.at(-1) ?? ""].map(foldName);
  if (last === foldName(REPOSITORY_HEAD)) return REPOSITORY_HEAD;
  if (first !== SKILL_ROOT) return undefined;
  const isSkill = last === foldName(SKILL_FILE);
  return isSkill || skillFilesIn(join(root, segments[0] ?? "")).length > 0
    ? `/${SKILL_ROOT}/`
    : undefined;
}
