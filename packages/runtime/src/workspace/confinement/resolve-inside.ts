import { errorCode } from "@skillwright/core/internal";
import { lstatSync, realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Workspace } from "../workspace.ts";
import { quotePath } from "./quote-path.ts";
import { refuse, systemFailure, type WorkspaceFailure } from "./workspace-failure.ts";
import { parseWorkspacePath } from "./workspace-path.ts";

export type ResolvedPath =
  | {
      readonly ok: true;
      readonly root: string;
      /** As it was asked for. */
      readonly segments: readonly string[];
      /** Where that really is, from the root; other than `segments` when a link stands between. */
      readonly real: readonly string[];
    }
  | WorkspaceFailure;

/**
 * Where a path to be read leads. Links may be followed as long as they end inside. This only names
 * the place: who opens it must do so without following links, so that nothing can be swapped.
 */
export async function resolveInside(path: string, workspace: Workspace): Promise<ResolvedPath> {
  const { root } = workspace;
  if (root === undefined) return noWorkingDirectory(workspace);
  const parsed = parseWorkspacePath(path, workspace);
  if (!parsed.ok) return parsed;
  const { segments } = parsed;
  const shown = quotePath(segments.join("/") || ".");
  try {
    const real = segmentsBelow(root, await realpath(join(root, ...segments)));
    return real === undefined ? leadsOut(shown) : { ok: true, root, segments, real };
  } catch (error) {
    if (errorCode(error) === "ELOOP") return leadsOut(shown);
    // Whether there is something outside is nobody's business here.
    if (!nearestIsInside(root, segments)) return leadsOut(shown);
    if (errorCode(error) === "ENOTDIR") return refuse("file-not-found", `there is no ${shown}`);
    return systemFailure(error, shown, "file-unreadable");
  }
}

export function noWorkingDirectory({ named }: Workspace): WorkspaceFailure {
  const message = `the working directory ${quotePath(named)} cannot be read`;
  return refuse("directory-unreadable", message);
}

function leadsOut(shown: string): WorkspaceFailure {
  const message = `${shown} is a link, or lies behind one, that does not end inside the working directory`;
  return refuse("link-refused", message);
}

/** Whether the part of a path that exists lies inside. */
function nearestIsInside(root: string, segments: readonly string[]): boolean {
  for (let path = join(root, ...segments); path !== root; path = dirname(path)) {
    try {
      return segmentsBelow(root, realpathSync.native(path)) !== undefined;
    } catch (error) {
      if (isDangling(path)) return false;
      if (!["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(error) ?? "")) return false;
    }
  }
  return true;
}

function isDangling(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

function segmentsBelow(root: string, path: string): readonly string[] | undefined {
  if (path === root) return [];
  const below = relative(root, path);
  const segments = below.split(sep);
  return segments[0] === ".." || below === "" || below.startsWith(sep) ? undefined : segments;
}
