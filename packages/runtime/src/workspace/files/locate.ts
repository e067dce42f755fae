import { nearNames } from "@skillwright/core/internal";
import { readdirSync } from "node:fs";
import type { SeenEntry } from "../../changes/run-changes.ts";
import { inFolder } from "../confinement/open-folder.ts";
import { quotePath, refuse, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import {
  parseWorkspacePath,
  resolveInside,
  type ResolvedPath,
} from "../confinement/workspace-path.ts";
import type { Workspace } from "../workspace.ts";

export const MAX_NAMES = 5000;

/** Where a path leads, and what scripts of this run made of it. */
export type LocatedPath = Extract<ResolvedPath, { ok: true }> & {
  readonly seen: SeenEntry | undefined;
};

/** Where a path to be read leads; a failure where there is nothing, or a script deleted it. */
export async function locate(
  path: string,
  workspace: Workspace,
): Promise<LocatedPath | WorkspaceFailure> {
  const parsed = parseWorkspacePath(path, workspace);
  const seen = parsed.ok ? workspace.changes?.seen(parsed.segments) : undefined;
  if (parsed.ok && seen?.type === "deleted") {
    const shown = quotePath(parsed.segments.join("/"));
    return refuse("file-deleted", `a script deleted ${shown}; a person has not approved it yet`);
  }
  const resolved = await resolveInside(path, workspace);
  if (resolved.ok) return { ...resolved, seen };
  if (parsed.ok && seen !== undefined && workspace.root !== undefined) {
    const { segments } = parsed;
    return { ok: true, root: workspace.root, segments, real: segments, seen };
  }
  return resolved.code === "file-not-found" ? missingFile(workspace, path) : resolved;
}

/** A failure that names similar files of the folder. */
export function missingFile(workspace: Workspace, path: string): WorkspaceFailure {
  const message = `${quotePath(path)} does not exist`;
  const hint = "Use list_directory or search_files to see what there is.";
  const parsed = parseWorkspacePath(path, workspace);
  const segments = parsed.ok ? parsed.segments : [];
  const folder = segments.slice(0, -1);
  const near = nearNames(segments.at(-1) ?? "", namesIn(workspace.root, folder));
  if (near.length === 0) return refuse("file-not-found", message, hint);
  const candidates = near.map((name) => [...folder, name].join("/"));
  return { ...refuse("file-not-found", message, "Upper and lower case differ."), candidates };
}

/** Empty when the folder cannot be read. */
export function namesIn(root: string | undefined, segments: readonly string[]): readonly string[] {
  if (root === undefined) return [];
  try {
    const names = inFolder(root, segments, ({ itself }) => readdirSync(itself));
    return names?.slice(0, MAX_NAMES) ?? [];
  } catch {
    return [];
  }
}
