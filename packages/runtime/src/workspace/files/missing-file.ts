import { readdirSync } from "node:fs";
import { nearNames } from "@skillwright/core";
import { openFolder } from "../confinement/open-folder.ts";
import { quotePath } from "../confinement/quote-path.ts";
import { refuse, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import { parseWorkspacePath } from "../confinement/workspace-path.ts";
import type { Workspace } from "../workspace.ts";

const MAX_NAMES = 5000;

/** Says that there is no such file, and which of its folder may have been meant. */
export function missingFile(workspace: Workspace, path: string): WorkspaceFailure {
  const failure = refuse(
    "file-not-found",
    `there is no ${quotePath(path)}`,
    "Use list_directory or search_files to see what there is.",
  );
  const parsed = parseWorkspacePath(path, workspace);
  const name = parsed.ok ? parsed.segments.at(-1) : undefined;
  if (!parsed.ok || name === undefined || workspace.root === undefined) return failure;
  const folder = parsed.segments.slice(0, -1);
  const candidates = nearNames(name, namesIn(workspace.root, folder)).map((near) =>
    [...folder, near].join("/"),
  );
  if (candidates.length === 0) return failure;
  return { ...failure, hint: "Upper and lower case differ.", candidates };
}

function namesIn(root: string, segments: readonly string[]): readonly string[] {
  const opened = openFolder(root, segments);
  if (!opened.ok) return [];
  try {
    return readdirSync(opened.folder.itself).slice(0, MAX_NAMES);
  } catch {
    return [];
  } finally {
    opened.folder.close();
  }
}
