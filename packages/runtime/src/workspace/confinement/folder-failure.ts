import type { FolderProblem } from "./open-folder.ts";
import { quotePath } from "./quote-path.ts";
import { refuse, type WorkspaceFailure } from "./workspace-failure.ts";

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
    case "failed":
      return refuse("file-unreadable", `${shown} cannot be opened`);
  }
}
