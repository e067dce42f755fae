import { nearNames, errorCode } from "@skillwright/core/internal";
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { SeenEntry } from "../../changes/run-changes.ts";
import { hasHiddenCharacters } from "../../hidden-characters.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../workspace.ts";
import {
  inFolder,
  quotePath,
  refuse,
  systemFailure,
  type WorkspaceFailure,
} from "./open-folder.ts";
import {
  controlPlaceOf,
  foldName,
  holdsSkills,
  matchingFile,
  PROTECTED_FILES,
  REPOSITORY_HEAD,
  skillPattern,
} from "./protected-files.ts";

type WorkspacePath = { readonly ok: true; readonly segments: readonly string[] } | WorkspaceFailure;

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
 * A path as a model gives it, in parts from the working directory; [] for the directory itself. Nothing is
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
    const message = `the path ${shown} is outside of the working directory`;
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

/** Whether another system would take one of the names for something else. */
function isForeign(segments: readonly string[]): boolean {
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

type ResolvedPath =
  | {
      readonly ok: true;
      readonly root: string;
      /** As it was asked for. */
      readonly segments: readonly string[];
      /** The real path from the root; differs from `segments` where there is a link on the way. */
      readonly real: readonly string[];
    }
  | WorkspaceFailure;

/**
 * Where a path to be read leads. Links may be followed as long as they end inside. This only names
 * the place: open it without following links, so that nothing can be swapped.
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
    // Do not disclose what exists outside.
    if (!nearestIsInside(root, segments)) return leadsOut(shown);
    if (errorCode(error) === "ENOTDIR") return refuse("file-not-found", `${shown} does not exist`);
    return systemFailure(error, shown, "file-unreadable");
  }
}

function noWorkingDirectory({ named }: Workspace): WorkspaceFailure {
  const message = `the working directory ${quotePath(named)} cannot be read`;
  return refuse("directory-unreadable", message);
}

function leadsOut(shown: string): WorkspaceFailure {
  const message = `${shown} is a link, or is reached through one, that leads out of the working directory`;
  return refuse("link-refused", message);
}

/** Whether the part of a path that exists lies inside. */
function nearestIsInside(root: string, segments: readonly string[]): boolean {
  for (let path = join(root, ...segments); path !== root; path = dirname(path)) {
    try {
      return segmentsBelow(root, realpathSync.native(path)) !== undefined;
    } catch (error) {
      const isMissing = ["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(error) ?? "");
      if (!isMissing || isLink(path)) return false;
    }
  }
  return true;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
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

type WritablePath =
  | {
      readonly ok: true;
      readonly root: string;
      readonly path: string;
      /** The folder it lies in, in parts from the root. */
      readonly folder: readonly string[];
      readonly name: string;
    }
  | WorkspaceFailure;

/** A path that may be written or deleted, judged by its name alone. */
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
  const control = controlPlaceOf(root);
  if (control !== undefined) {
    const message = `the working directory is inside ${control}, where tools change nothing`;
    return refuse("file-protected", message, "Start in the project's own folder.");
  }
  const pattern =
    matchingFile(segments, PROTECTED_FILES) ??
    matchingFile(segments, workspace.protectedFiles) ??
    (foldName(name) === foldName(REPOSITORY_HEAD) ? REPOSITORY_HEAD : undefined) ??
    skillPattern(segments, () => holdsSkills(join(root, segments[0] ?? "")));
  if (pattern !== undefined) {
    const message = `${shown} is protected (${pattern}); tools do not change it`;
    return refuse("file-protected", message, "Tell the user what to change there, and why.");
  }
  return { ok: true, root, path, folder: segments.slice(0, -1), name };
}

/**
 * Where a path of a call really leads, absolute, for a policy that has rules about places. The
 * tools do not rely on it.
 */
export async function realWorkspacePath(
  options: Pick<WorkspaceOptions, "root" | "trash">,
  path: string,
): Promise<{ readonly ok: true; readonly path: string } | WorkspaceFailure> {
  const resolved = await resolveInside(path, openWorkspace(options));
  return resolved.ok ? { ok: true, path: join(resolved.root, ...resolved.real) } : resolved;
}

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
  const name = segments.at(-1) ?? "";
  const names = name === "" ? [] : namesIn(workspace.root, folder);
  const withExtension = names.filter((one) =>
    one.toLowerCase().startsWith(`${name.toLowerCase()}.`),
  );
  const near = [...new Set([...withExtension, ...nearNames(name, names)])].slice(0, 3);
  if (near.length === 0) return refuse("file-not-found", message, hint);
  const candidates = near.map((one) => [...folder, one].join("/"));
  return { ...refuse("file-not-found", message), candidates };
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
