import type { Failure } from "../failure.ts";
import { realpathSync } from "node:fs";

type SkillPath = { readonly ok: true; readonly path: string } | FileFailure;

const MAX_LENGTH = 1024;
/** Characters that can rewrite what a person or a terminal sees, and halves of characters. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\p{Cs}]/u;
const PARENT = /\.\.[/\\]|(?:^|[/\\])\.\.$/;
/** A slash, a share, a drive, a home folder, a URL. */
const ABSOLUTE = /^(?:[/\\]|[a-z]:|~(?:[/\\]|$)|[a-z][a-z0-9+.-]+:\/|file:)/i;
/** What Windows takes for a device, a stream, or another name. */
const WINDOWS = /:|[. ]$|^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * A path as a model gives it, made plain: relative, with `/`, without `.` parts. Nothing is decoded
 * or resolved; what has `..` or starts elsewhere is refused even where it would end up inside.
 * The plain path of the skill itself is empty.
 */
export function parseSkillPath(path: string, platform: string = process.platform): SkillPath {
  // What a host hands on may come from a model.
  if (typeof path !== "string") return refuse("path-invalid", "the path is not text");
  const shown = quotePath(path);
  if (path === "") return refuse("path-invalid", "the path is empty");
  if (path.length > MAX_LENGTH) return refuse("path-invalid", `the path ${shown} is too long`);
  if (PARENT.test(path)) return refuse("path-outside", `the path ${shown} has ".." in it`);
  if (ABSOLUTE.test(path)) return refuse("path-outside", `the path ${shown} is absolute`);
  if (UNSAFE.test(path)) {
    return refuse("path-invalid", `the path ${shown} has characters that are not allowed`);
  }
  if (path.includes("\\")) return refuse("path-invalid", `the path ${shown} has a backslash`);
  const segments = path.split("/").filter((segment) => segment !== ".");
  if (segments.at(-1) === "") segments.pop();
  if (segments.includes("")) return refuse("path-invalid", `the path ${shown} has an empty part`);
  if (platform === "win32" && segments.some((segment) => WINDOWS.test(segment))) {
    return refuse("path-invalid", `the path ${shown} means something else on this system`);
  }
  return { ok: true, path: segments.join("/") };
}

/** A path from outside in a message: in quotes, short, and with nothing a terminal obeys. */
export function quotePath(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 199)}…` : path;
  return JSON.stringify(short).replace(
    new RegExp(UNSAFE, "gu"),
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}

function refuse(code: FileFailureCode, message: string): FileFailure {
  const hint =
    'Give a path relative to the skill with "/" between its parts, such as "references/guide.md".';
  return { ok: false, code, message, hint };
}

/** A path, and the same with the other spelling of the folder for references. */
export function spellings(path: string): string[] {
  const folder = /^references?(?=\/|$)/.exec(path)?.[0];
  if (folder === undefined) return [path];
  const other = folder === "reference" ? "references" : "reference";
  return [path, `${other}${path.slice(folder.length)}`];
}

type RealDirectory = { readonly ok: true; readonly root: string } | FileFailure;

/** The folder a skill lies in, which an installer may have linked; links below it are refused. */
export function realDirectory(directory: string): RealDirectory {
  try {
    return { ok: true, root: realpathSync.native(directory) };
  } catch {
    const message = `the folder of the skill, ${quotePath(directory)}, cannot be read`;
    return { ok: false, code: "directory-unreadable", message };
  }
}

/** The one file that a name means, or the files that fit it equally well. */
export type ResolvedName =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly candidates: readonly string[] };

const SCRIPTS = "scripts/";
const MAX_CANDIDATES = 5;
/** Folders by convention, which models mix up or leave out. */
const CONVENTIONAL = /^(?:references?|assets?|scripts?)\//;

/**
 * The file of a skill that a slightly wrong name means: other case, no extension, or another folder
 * (`forms.md` for `references/FORMS.md`). Closer spellings win; several equally close ones are
 * candidates. The answer is always one of `paths`, so nothing outside the skill can be named.
 */
export function resolveFileName(paths: readonly string[], asked: string): ResolvedName {
  const parsed = parseSkillPath(asked);
  if (!parsed.ok || parsed.path === "" || asked.endsWith("/")) return { ok: false, candidates: [] };
  if (paths.includes(parsed.path)) return { ok: true, path: parsed.path };
  const wanted = fold(parsed.path);
  const name = CONVENTIONAL.test(wanted) ? wanted.slice(wanted.indexOf("/") + 1) : wanted;
  const visible = paths.filter((path) => isDotName(path) === isDotName(wanted));
  return closest(
    visible.map((path) => ({ path, folded: fold(path) })),
    [
      ({ folded }) => folded === wanted,
      ({ folded }) => stem(folded) === wanted,
      ({ folded }) => `/${folded}`.endsWith(`/${name}`),
      ({ folded }) => stem(`/${folded}`).endsWith(`/${name}`),
    ],
  );
}

/**
 * The script that a name means, by the same rules, among the files below `scripts/`. The folder may be
 * left out. Gives the path with `scripts/`.
 */
export function resolveScriptName(files: readonly string[], asked: string): ResolvedName {
  const scripts = files.filter((path) => path.startsWith(SCRIPTS));
  const parsed = parseSkillPath(asked);
  if (!parsed.ok || parsed.path === "") return { ok: false, candidates: [] };
  const { path } = parsed;
  const below = /^scripts?\//i.test(path) ? path.slice(path.indexOf("/") + 1) : path;
  if (scripts.includes(SCRIPTS + below)) return { ok: true, path: SCRIPTS + below };
  if (CONVENTIONAL.test(fold(below)) && below === path) return { ok: false, candidates: [] };
  return resolveFileName(scripts, SCRIPTS + below);
}

interface FoldedPath {
  readonly path: string;
  readonly folded: string;
}

function closest(
  paths: readonly FoldedPath[],
  rules: readonly ((path: FoldedPath) => boolean)[],
): ResolvedName {
  for (const rule of rules) {
    const [first, ...others] = paths.filter(rule).map(({ path }) => path);
    if (first === undefined) continue;
    if (others.length === 0) return { ok: true, path: first };
    return { ok: false, candidates: [first, ...others].slice(0, MAX_CANDIDATES) };
  }
  return { ok: false, candidates: [] };
}

/** Case does not count, nor does the spelling of the folder for references. */
function fold(path: string): string {
  return path.toLowerCase().replace(/^reference\//, "references/");
}

function stem(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]+$/, "");
}

/** Hidden files, such as `.env`, are only found by a name that begins with a dot as well. */
function isDotName(path: string): boolean {
  return /(?:^|\/)\.[^/]*$/.test(path);
}

/**
 * Why a file of a skill is not given.
 *
 * - `path-invalid`: no path that could be one: empty, too long, backslashes, control characters.
 * - `path-outside`: it leads out of the skill, or has parts that could.
 * - `file-not-found`: there is no such file; `candidates` are near names.
 * - `not-a-file`: a folder, a pipe, a socket or a device.
 * - `link-refused`: a symbolic link, a file behind one, or a file with a second name (hard link).
 * - `file-too-large`: more than `maxBytes`; the hint says how to read a part.
 * - `section-not-found`: no heading is near the hint; `candidates` are headings.
 * - `range-invalid`: the lines asked for do not exist, or not in this order.
 * - `access-denied`: the system does not allow it.
 * - `file-changing`: the file or a folder was replaced while it was opened, again and again.
 * - `file-unreadable`: the system or the code behind the file failed.
 * - `directory-unreadable`: the skill's folder is gone or may not be read.
 */
type FileFailureCode =
  | "access-denied"
  | "directory-unreadable"
  | "file-changing"
  | "file-not-found"
  | "file-too-large"
  | "file-unreadable"
  | "link-refused"
  | "not-a-file"
  | "path-invalid"
  | "path-outside"
  | "range-invalid"
  | "section-not-found";

export type FileFailure = Failure<FileFailureCode>;
