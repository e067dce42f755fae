import { hasHiddenCharacters } from "../../hidden-characters.ts";
import type { Workspace } from "../workspace.ts";
import { quotePath } from "./quote-path.ts";
import { refuse, type WorkspaceFailure } from "./workspace-failure.ts";

export type WorkspacePath =
  | { readonly ok: true; readonly segments: readonly string[] }
  | WorkspaceFailure;

/** Names copied from documents have it. Protected names are compared without it. */
const SOFT_HYPHEN = "\u00ad";
const MAX_LENGTH = 4096;
const MAX_SEGMENT_BYTES = 255;
const PARENT = /(?:^|[/\\])\.\.(?:[/\\]|$)/;
/** A share, a drive, a home folder, a URL. */
const ELSEWHERE = /^(?:\\|[a-z]:|~(?:\/|$)|[a-z][a-z0-9+.-]+:\/|file:|\/\/)/i;
/** What Windows takes for a device, a stream, or another name. */
const WINDOWS = /:|[. ]$|^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * A path as a model gives it, in parts from the working directory; none for that itself. Nothing is
 * decoded or resolved: what has `..` is refused even where it would end up inside. An absolute path
 * is taken when it begins with the working directory.
 */
export function parseWorkspacePath(
  path: string,
  { root, named }: Pick<Workspace, "root" | "named">,
  platform: string = process.platform,
): WorkspacePath {
  const shown = quotePath(path);
  const invalid = (problem: string) => refuse("path-invalid", `the path ${shown} ${problem}`, HINT);
  if (path === "") return refuse("path-invalid", "the path is empty", HINT);
  if (path.length > MAX_LENGTH) return invalid("is too long");
  if (PARENT.test(path)) return refuse("path-outside", `the path ${shown} has ".." in it`, HINT);
  const relative = belowEither(path, [root, named]);
  if (relative === undefined || ELSEWHERE.test(relative)) {
    const message = `the path ${shown} lies outside of the working directory`;
    return refuse("path-outside", message, HINT);
  }
  if (hasHiddenCharacters(path.replaceAll(SOFT_HYPHEN, "")))
    return invalid("has characters that are not allowed");
  if (path.includes("\\")) return invalid("has a backslash");
  const segments = relative.split("/").filter((segment) => segment !== ".");
  if (segments.at(-1) === "") segments.pop();
  if (segments.includes("")) return invalid("has an empty part");
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)) {
    return invalid("has a part that is too long");
  }
  if (platform === "win32" && isForeign(segments)) return invalid("means something else here");
  return { ok: true, segments };
}

/** True when another system would take one of the names for something else. */
export function isForeign(segments: readonly string[]): boolean {
  return segments.some((segment) => WINDOWS.test(segment));
}

const HINT =
  'Give a path relative to the working directory with "/" between its parts, such as "src/main.ts".';

/** Compared part by part, so that `/work/app-evil` is not below `/work/app`. */
function belowEither(path: string, roots: readonly (string | undefined)[]): string | undefined {
  if (!path.startsWith("/")) return path;
  for (const root of roots) {
    if (root === undefined) continue;
    if (path === root) return ".";
    const prefix = root.endsWith("/") ? root : `${root}/`;
    if (path.startsWith(prefix)) return path.slice(prefix.length) || ".";
  }
  return undefined;
}
