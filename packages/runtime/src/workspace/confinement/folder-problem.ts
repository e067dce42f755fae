import { errorCode } from "@skillwright/core/internal";
import { quotePath } from "./quote-path.ts";
import { refuse, type WorkspaceFailure } from "./workspace-failure.ts";

export type FolderProblem = "changing" | "denied" | "failed" | "link" | "missing" | "not-a-folder";

const PROBLEMS: ReadonlyMap<string, FolderProblem> = new Map([
  ["ENOENT", "missing"],
  ["ENOTDIR", "not-a-folder"],
  ["ELOOP", "link"],
  ["EMLINK", "link"],
  ["EEXIST", "changing"],
  ["EACCES", "denied"],
  ["EPERM", "denied"],
  ["EROFS", "denied"],
]);

export function folderProblem(error: unknown): FolderProblem {
  return PROBLEMS.get(errorCode(error) ?? "") ?? "failed";
}

/** Why a folder on the way could not be opened, in our words. */
export function folderFailure(
  reason: FolderProblem,
  segments: readonly string[],
): WorkspaceFailure {
  const shown = quotePath(segments.length === 0 ? "." : segments.join("/"));
  switch (reason) {
    case "missing":
      return refuse("file-not-found", `there is no folder ${shown}`);
    case "link":
      return refuse("link-refused", `${shown} is a link or lies behind one`);
    case "not-a-folder":
      return refuse("not-a-folder", `${shown} is no folder`);
    case "denied":
      return refuse("access-denied", `the system does not allow access to ${shown}`);
    case "changing":
      return refuse("file-changing", `${shown} was moved or swapped meanwhile`, "Try again.");
    default:
      return refuse("file-unreadable", `${shown} cannot be opened`);
  }
}
