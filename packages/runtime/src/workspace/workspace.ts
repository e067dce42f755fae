import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { RunChanges } from "../changes/run-changes.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

/** What every tool of one workspace knows. */
export interface Workspace {
  /** As it was given, made absolute. */
  readonly named: string;
  /** Where it really is; everything is confined to this. Undefined when there is no such folder. */
  readonly root: string | undefined;
  readonly trash: string;
  /** Patterns in addition to the built-in ones. */
  readonly protectedFiles: readonly string[];
  readonly allowHardLinks: boolean;
  /** What scripts of the same run changed and what is not kept yet. */
  readonly changes: RunChanges | undefined;
  readonly maxFileBytes: number;
  readonly maxOutputBytes: number;
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  const root = realPath(options.root);
  const trash = resolve(options.trash);
  return {
    named: resolve(options.root),
    root,
    trash,
    protectedFiles: [...(options.protectedFiles ?? []), ...insideRoot(root, trash)],
    allowHardLinks: options.allowHardLinks ?? false,
    changes: options.changes,
    maxFileBytes: options.maxFileSizeBytes ?? 10 * 1024 * 1024,
    maxOutputBytes: options.maxOutputSizeBytes ?? 102_400,
  };
}

/** The trash is not written to through a tool, wherever it lies. */
function insideRoot(root: string | undefined, trash: string): string[] {
  if (root === undefined) return [];
  const path = relative(root, realPath(trash) ?? trash);
  return path === "" || path.startsWith("..") ? [] : [`/${path.split(sep).join("/")}/`];
}

function realPath(path: string): string | undefined {
  // Most trash is never made, and an error takes longer than a look.
  if (!existsSync(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
